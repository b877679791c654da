import type { DebitState } from '../domain/sandbox-bank.ts';
import type { Session } from '../domain/session.ts';
import { logger } from '../log.ts';
import { requireSession } from '../store/sessions.ts';
import { failSession, returnDebit, settleSession, type TransitionResult } from '../store/transitions.ts';
import type { PaymentTools } from './submit.ts';

/** Asks the processor what became of a session's debit and writes that. It may come before the submission's own write. */
export async function settlePayment(sessionId: string, { database, processor }: PaymentTools, now: number): Promise<void> {
  const debit = await processor.findDebit(sessionId, now);
  if (!debit) return;
  await apply(database, await requireSession(database, sessionId), debit.state, now);
  logger.info('debit outcome', { sessionId, state: debit.state.state });
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
    default: {
      const unknown: never = outcome;
      throw new Error(`unknown outcome ${String(unknown)}`);
    }
  }
}

function sessionOf(transition: TransitionResult): Session | undefined {
  return transition.result === 'claimed' ? undefined : transition.session;
}
