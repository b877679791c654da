import type { DebitState } from '../domain/payments/debit.ts';
import { unreachable } from '../domain/fault.ts';
import type { Session } from '../domain/sessions/session.ts';
import { logError, logInfo } from '../log.ts';
import type { DebitFinder } from '../processors/processor.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { hasRefund, nextRefundStep, type RefundTotals } from '../domain/payments/refund.ts';
import { recordRefund, writeRefund } from '../store/sessions/refunds.ts';
import { getExistingSession, recordDebit } from '../store/sessions/sessions.ts';
import { writeCancellation, writeFailure, writeReturn, writeSettlement } from '../store/sessions/transitions.ts';
import { maximumTicketDelay } from '../domain/webhooks/retry-schedule.ts';
import type { SendTickets } from '../messages/queues.ts';

interface SettleTools extends ReadingTools {
  readonly processor: DebitFinder;
}

interface Settlement {
  readonly result: 'no_debit' | 'agreed' | 'money_for_cancelled_session' | 'illegal_transition';
  readonly changed: boolean;
  readonly status?: Session['status'];
  readonly state?: DebitState['state'];
}

/**
 * Brings a session in line with its debit. If the session has already ended differently, the practice was told, so it stays and an
 * alarm is raised.
 */
export async function settlePayment(
  tools: SettleTools,
  { sessionId }: { sessionId: string },
  now: number,
): Promise<Settlement> {
  const { database, processor } = tools;
  // Read before the debit: a refund that another look-up records in between may be newer than ours.
  const before = await getExistingSession(database, sessionId);
  const debit = await processor.findDebit(sessionId, now);
  if (!debit) return { result: 'no_debit', changed: false };
  const { debitId, submittedAt, refunds } = debit;
  const refundedCents = refunds?.amountCents ?? 0;
  const { state } = debit.state;
  let session = await apply(database, before, debit.state, now);
  const result = resultOf(session, state, refundedCents);
  const fields = { sessionId, status: session.status, returned: session.return !== undefined, debitId, state };
  if (result === 'money_for_cancelled_session')
    logError('money for a session that ended without it', fields, [{ metric: 'MoneyForCancelledSession', value: 1 }]);
  else if (result === 'illegal_transition')
    logError('illegal transition', fields, [{ metric: 'IllegalTransitions', value: 1 }]);
  else {
    // The submission may have crashed before it recorded the debit.
    if (!before.debit && state !== 'pending') await recordDebit(database, sessionId, { debitId, submittedAt });
    // Refunds first: the return's event includes them.
    const refunded = await followRefunds(database, { ...session, refund: before.refund }, refunds, now);
    if (!refunded) return settlePayment(tools, { sessionId }, now);
    session = debit.state.state === 'returned' ? await applyReturn(database, refunded, debit.state, now) : refunded;
    logInfo('debit outcome', { sessionId, state });
  }
  await processor.acknowledge(sessionId, debit.state, now);
  const { status, sequence, refund } = session;
  const changed = sequence !== before.sequence || refund?.refundedAt !== before.refund?.refundedAt;
  return { result, changed, status, state };
}

/** Undefined if another look-up has recorded other refunds, which may be newer. */
async function followRefunds(
  database: Database,
  settled: Session,
  refunds: RefundTotals | undefined,
  now: number,
): Promise<Session | undefined> {
  if (settled.settledAt === undefined) return settled;
  for (let session = settled; ;) {
    const step = nextRefundStep(session.refund, refunds);
    if (!step) return session;
    const written = await (step.event === undefined
      ? recordRefund(database, session, step.totals, now)
      : writeRefund(database, session, step.event, step.totals, now));
    if (written.result === 'changed') return undefined;
    if (step.event === 'failRefund')
      logInfo('refund failed', { sessionId: session.sessionId, failedCents: step.totals.failedCents }, [
        { metric: 'FailedRefunds', value: 1 },
      ]);
    session = written.session;
  }
}

async function applyReturn(
  database: Database,
  session: Session,
  debit: Extract<DebitState, { state: 'returned' }>,
  now: number,
): Promise<Session> {
  if (session.status !== 'succeeded' || session.return) return session;
  const { sessionId, refund } = session;
  const returned = await writeReturn(database, session, debit.return, now);
  if (returned.result === 'written' && hasRefund(refund))
    logError('returned after a refund', { sessionId }, [{ metric: 'ReturnedAfterRefund', value: 1 }]);
  return returned.session;
}

function resultOf(session: Session, state: DebitState['state'], refundedCents: number): Settlement['result'] {
  if (state === 'pending') return 'agreed';
  // For example, the practice won a dispute. We reported the return as final.
  if (state === 'succeeded' && session.return) return 'illegal_transition';
  const moneyMoved = state === 'succeeded' || state === 'returned';
  if (moneyMoved === (session.status === 'succeeded')) return 'agreed';
  if (!moneyMoved) return 'illegal_transition';
  // The bank gave the patient the money back, so what was refunded was paid back twice.
  if (state === 'returned') return refundedCents > 0 ? 'money_for_cancelled_session' : 'agreed';
  // After the full refund that the runbook asks for, later reports of the debit raise no alarm.
  return refundedCents < session.amountCents ? 'money_for_cancelled_session' : 'agreed';
}

async function apply(database: Database, session: Session, debit: DebitState, now: number): Promise<Session> {
  const processing = session.status === 'processing';
  switch (debit.state) {
    case 'pending':
      return session;
    case 'voided':
      return processing ? endVoided(database, session, now) : session;
    case 'failed':
      return processing ? (await writeFailure(database, session, debit.failure, now)).session : session;
    case 'succeeded':
    case 'returned':
      return processing ? (await writeSettlement(database, session, now)).session : session;
    default:
      return unreachable(debit);
  }
}

/** Ends a session whose debit was voided, by us or at the processor. Call it only after the void was seen. */
export async function endVoided(
  database: Database,
  { sessionId }: Pick<Session, 'sessionId'>,
  now: number,
): Promise<Session> {
  // Read now: a cancellation is requested in the row before it voids the debit.
  const session = await getExistingSession(database, sessionId);
  if (session.status !== 'processing') return session;
  const message = 'The debit was cancelled at the payment processor.';
  const written = await (session.cancelRequestedAt === undefined
    ? writeFailure(database, session, { code: 'processor_error', message }, now)
    : writeCancellation(database, session, now));
  return written.session;
}

/**
 * Compares a session with its debit at the processor. The first comparison leaves an outcome alone, because its
 * notification may be on its way. A change that the last comparison makes is a disagreement that nothing reported.
 */
export async function comparePayment(
  tools: SettleTools & { readonly sendSettlements: SendTickets },
  { sessionId, comparison }: { readonly sessionId: string; readonly comparison: 'first' | 'last' },
  now: number,
): Promise<'agreed' | 'undecided' | 'disagreed' | 'lost'> {
  if (comparison === 'last') {
    const { changed, status, state } = await settlePayment(tools, { sessionId }, now);
    if (changed) logError('payment disagreed', { sessionId, status, state }, [{ metric: 'Disagreements', value: 1 }]);
    return changed ? 'disagreed' : 'agreed';
  }
  const session = await getExistingSession(tools.database, sessionId);
  if (session.status !== 'processing') return 'agreed';
  const debit = await tools.processor.findDebit(sessionId, now);
  if (!debit && session.debit) {
    // A restored table may lack the row. Nothing else would report that the debit failed.
    const { debitId } = session.debit;
    logError('debit without a row', { sessionId, debitId }, [{ metric: 'UnknownDebits', value: 1 }]);
    return 'lost';
  }
  if (!debit || debit.state.state === 'pending') return 'agreed';
  await tools.sendSettlements([{ body: { sessionId, comparison: 'last' }, delay: maximumTicketDelay }]);
  return 'undecided';
}
