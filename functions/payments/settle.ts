import type { Session } from '../domain/session.ts';
import { logError, logInfo } from '../log.ts';
import { recordDebit, requireSession } from '../store/sessions.ts';
import { failSession, returnDebit, settleSession, type TransitionResult } from '../store/transitions.ts';
import type { PaymentTools } from './submit.ts';
import { unreachable } from '../domain/fault.ts';
import type { DebitState } from '../domain/debit.ts';

/** What asking the processor came to: nothing to ask about, its answer is on the session, or it is not and cannot be. */
export type Settlement = 'no_debit' | 'agreed' | 'money_for_cancelled_session';

/**
 * Asks the processor what became of a session's debit and writes that. It may come before the submission's own write.
 * Money for a session that ended without it changes nothing, as the practice was told otherwise: people have to see to it.
 */
export async function settlePayment(
  sessionId: string,
  { database, processor }: PaymentTools,
  now: number,
): Promise<Settlement> {
  const debit = await processor.findDebit(sessionId, now);
  if (!debit) return 'no_debit';
  const session = await requireSession(database, sessionId);
  const { status } = await apply(database, session, debit.state, now);
  const moved = debit.state.state === 'succeeded' || debit.state.state === 'returned';
  if (moved && (status === 'cancelled' || status === 'failed')) {
    logError(
      'money for a session that ended without it',
      { sessionId, status, debitId: debit.debitId, state: debit.state.state },
      [{ metric: 'MoneyForCancelledSession', value: 1 }],
    );
    await processor.acknowledge(sessionId, now);
    return 'money_for_cancelled_session';
  }
  // Where the submission could not record it, nobody else will.
  if (!session.debit && debit.state.state !== 'pending')
    await recordDebit(database, sessionId, { debitId: debit.debitId, submittedAt: debit.submittedAt });
  logInfo('debit outcome', { sessionId, state: debit.state.state });
  await processor.acknowledge(sessionId, now);
  return 'agreed';
}

/** Writes an outcome where it is news and gives the session as it then is: a terminal one never changes, but that a settled debit may be returned. */
async function apply(
  database: PaymentTools['database'],
  session: Session,
  outcome: DebitState,
  now: number,
): Promise<Session> {
  const processing = session.status === 'processing';
  switch (outcome.state) {
    case 'pending':
    case 'voided':
      return session;
    case 'failed':
      return processing ? sessionOf(await failSession(database, session, outcome.failure, now), session) : session;
    case 'succeeded':
      return processing ? sessionOf(await settleSession(database, session, now), session) : session;
    case 'returned': {
      const settled = processing ? sessionOf(await settleSession(database, session, now), session) : session;
      return settled.status === 'succeeded' && !settled.return
        ? sessionOf(await returnDebit(database, settled, outcome.return, now), settled)
        : settled;
    }
    default:
      return unreachable(outcome);
  }
}

function sessionOf(transition: TransitionResult, before: Session): Session {
  return transition.result === 'claimed' ? before : transition.session;
}
