import type { DebitState } from '../domain/debit.ts';
import { unreachable } from '../domain/fault.ts';
import type { Session } from '../domain/session.ts';
import { logError, logInfo } from '../log.ts';
import type { DebitFinder } from '../processors/processor.ts';
import type { Database } from '../store/database.ts';
import { recordDebit, getExistingSession } from '../store/sessions.ts';
import { writeFailure, writeReturn, writeSettlement, type TransitionResult } from '../store/transitions.ts';

interface SettleTools {
  readonly database: Database<'sessions' | 'events' | 'invoiceClaims'>;
  readonly processor: DebitFinder;
}

interface Settlement {
  readonly result: 'no_debit' | 'agreed' | 'money_for_cancelled_session';
}

/** Money for an ended session only raises an alarm: the practice was told otherwise. */
export async function settlePayment(
  { database, processor }: SettleTools,
  { sessionId }: { sessionId: string },
  now: number,
): Promise<Settlement> {
  const debit = await processor.findDebit(sessionId, now);
  if (!debit) return { result: 'no_debit' };
  const session = await getExistingSession(database, sessionId);
  const { status } = await apply(database, session, debit.state, now);
  const { state } = debit.state;
  const moneyMoved = state === 'succeeded' || state === 'returned';
  if (moneyMoved && (status === 'cancelled' || status === 'failed')) {
    const alarm = { metric: 'MoneyForCancelledSession', value: 1 } as const;
    logError('money for a session that ended without it', { sessionId, status, debitId: debit.debitId, state }, [
      alarm,
    ]);
    await processor.acknowledge(sessionId, now);
    return { result: 'money_for_cancelled_session' };
  }
  // The submission may have failed to record the debit.
  if (!session.debit && state !== 'pending')
    await recordDebit(database, sessionId, { debitId: debit.debitId, submittedAt: debit.submittedAt });
  logInfo('debit outcome', { sessionId, state });
  await processor.acknowledge(sessionId, now);
  return { result: 'agreed' };
}

async function apply(
  database: SettleTools['database'],
  session: Session,
  debit: DebitState,
  now: number,
): Promise<Session> {
  const processing = session.status === 'processing';
  switch (debit.state) {
    case 'pending':
    case 'voided':
      return session;
    case 'failed':
      return processing ? sessionAfter(await writeFailure(database, session, debit.failure, now), session) : session;
    case 'succeeded':
      return processing ? sessionAfter(await writeSettlement(database, session, now), session) : session;
    case 'returned': {
      const settled = processing ? sessionAfter(await writeSettlement(database, session, now), session) : session;
      return settled.status === 'succeeded' && !settled.return
        ? sessionAfter(await writeReturn(database, settled, debit.return, now), settled)
        : settled;
    }
    default:
      return unreachable(debit);
  }
}

function sessionAfter(transition: TransitionResult, before: Session): Session {
  return transition.result === 'claimed' ? before : transition.session;
}
