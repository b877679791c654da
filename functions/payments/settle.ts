import type { DebitState } from '../domain/sandbox-bank.ts';
import type { Session } from '../domain/session.ts';
import { logInfo } from '../log.ts';
import { recordDebit, requireSession } from '../store/sessions.ts';
import { failSession, returnDebit, settleSession, type TransitionResult } from '../store/transitions.ts';
import type { PaymentTools } from './submit.ts';
import { unreachable } from '../domain/fault.ts';

/** Asks the processor what became of a session's debit and writes that. It may come before the submission's own write. */
export async function settlePayment(sessionId: string, { database, processor }: PaymentTools, now: number): Promise<void> {
  const debit = await processor.findDebit(sessionId, now);
  if (!debit) return;
  const session = await requireSession(database, sessionId);
  await apply(database, session, debit.state, now);
  // Where the submission could not record it, nobody else will.
  if (!session.debit && debit.state.state !== 'pending') await recordDebit(database, sessionId, { debitId: debit.debitId, submittedAt: debit.submittedAt });
  logInfo('debit outcome', { sessionId, state: debit.state.state });
  await processor.acknowledge(sessionId, now);
}

/** Writes an outcome where it is news: a terminal session never changes, but that a settled debit may be returned. */
async function apply(database: PaymentTools['database'], session: Session, outcome: DebitState, now: number): Promise<void> {
  const processing = session.status === 'processing';
  switch (outcome.state) {
    case 'pending':
    case 'voided':
      return;
    case 'failed':
      if (processing) await failSession(database, session, outcome.failure, now);
      return;
    case 'succeeded':
      if (processing) await settleSession(database, session, now);
      return;
    case 'returned': {
      const settled = processing ? sessionOf(await settleSession(database, session, now)) : session;
      if (settled?.status === 'succeeded' && !settled.return) await returnDebit(database, settled, outcome.return, now);
      return;
    }
    default:
      return unreachable(outcome);
  }
}

function sessionOf(transition: TransitionResult): Session | undefined {
  return transition.result === 'claimed' ? undefined : transition.session;
}
