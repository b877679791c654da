import type { Session } from '../domain/sessions/session.ts';
import type { OutcomeAdvancer } from '../processors/processor.ts';
import { getExistingSession } from '../store/sessions/sessions.ts';
import { settlePayment } from './settle.ts';
import { advancePayment, type PaymentTools } from './submit.ts';

export interface AdvanceTools extends PaymentTools {
  readonly bank: OutcomeAdvancer;
}

/** Makes the bank's next outcome happen now, and records it. False if the session has no outcome left. */
export async function advanceOutcome(tools: AdvanceTools, session: Session, now: number): Promise<boolean> {
  const { sessionId } = session;
  const recorded = outcomesRecorded(session);
  await advancePayment(tools, { sessionId }, now);
  // The processor refused the debit, or another caller recorded the outcome.
  if (outcomesRecorded(await getExistingSession(tools.database, sessionId)) > recorded) return true;
  if (!(await tools.bank.advanceOutcomes(sessionId, recorded + 1, now))) return false;
  await settlePayment(tools, { sessionId }, now);
  return true;
}

function outcomesRecorded({ settledAt, failedAt, return: returned }: Session): number {
  return [settledAt ?? failedAt, returned].filter((fact) => fact !== undefined).length;
}
