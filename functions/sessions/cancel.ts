import { Problem } from '../contract/problems.ts';
import { unreachable } from '../domain/fault.ts';
import { withExpiry, type Session } from '../domain/session.ts';
import { cancelled, cancelPayment, type Cancellation, type CancelTools } from '../payments/cancel.ts';
import { writeCancellation } from '../store/transitions.ts';
import type { SessionAudit } from './audit.ts';

/** Throws a Problem if it is too late or the processor has not responded. */
export async function cancelSession(tools: CancelTools & SessionAudit, session: Session, now: number) {
  const cancellation = await attemptCancellation(tools, withExpiry(session, now), now);
  switch (cancellation.result) {
    case 'cancelled':
      return {
        sessionId: session.sessionId,
        status: 'cancelled' as const,
        cancelledAt: cancellation.cancelledAt,
      };
    case 'closed':
      throw new Problem('session_not_cancellable', 'Only a pending or processing session can be cancelled.', {
        extra: { sessionStatus: cancellation.session.status },
      });
    case 'too_late':
      throw new Problem('payment_not_voidable', 'The bank already has the debit. You can refund it once it succeeds.');
    case 'pending':
      throw new Problem(
        'cancellation_pending',
        'The bank has not responded yet. You will receive the outcome by webhook. You can also retry later.',
        { headers: { 'retry-after': '30' } },
      );
    default:
      return unreachable(cancellation);
  }
}

export async function attemptCancellation(
  tools: CancelTools & SessionAudit,
  session: Session,
  now: number,
): Promise<Cancellation> {
  switch (session.status) {
    case 'pending': {
      const audit = tools.audit?.('session.cancelled', session.sessionId);
      const written = await writeCancellation(tools.database, session, now, audit);
      if (written.result === 'written') return cancelled(written.session);
      return written.result === 'changed' && written.session.status !== 'pending'
        ? attemptCancellation(tools, written.session, now)
        : { result: 'pending' };
    }
    case 'processing':
      return cancelPayment(tools, session, now, tools.audit?.('session.cancellation_requested', session.sessionId));
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return { result: 'closed', session };
    default:
      return unreachable(session.status);
  }
}
