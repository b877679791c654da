import type { CancelledSession } from '../contract/sessions/cancel-session.ts';
import { idempotencyKeyReused } from '../contract/idempotency.ts';
import { Problem } from '../contract/problem.ts';
import { unreachable } from '../domain/fault.ts';
import { withExpiry, type Session } from '../domain/sessions/session.ts';
import { cancelled, cancelPayment, type Cancellation, type CancelTools } from '../payments/cancel.ts';
import { writeCancellationWith } from '../store/sessions/transitions.ts';
import type { Part } from '../store/writes.ts';
import type { SessionAudit } from './audit.ts';

/** Cancels a session. Throws a Problem if it is too late or the processor has not responded. */
export async function cancelSession(
  tools: CancelTools & SessionAudit,
  session: Session,
  now: number,
): Promise<CancelledSession> {
  return responseTo(session, await attemptCancellation(tools, session, now));
}

export function responseTo({ sessionId }: Session, cancellation: Cancellation): CancelledSession {
  switch (cancellation.result) {
    case 'cancelled':
      return { sessionId, status: 'cancelled', cancelledAt: cancellation.cancelledAt };
    case 'closed':
      throw new Problem('session_not_cancellable', 'Only a pending or processing session can be cancelled.', {
        extra: { sessionStatus: cancellation.session.status },
      });
    case 'too_late':
      throw new Problem('payment_not_voidable', 'The bank already has the debit. Wait for the outcome.');
    case 'pending':
      throw new Problem(
        'cancellation_pending',
        'The bank has not responded yet. You will receive the outcome by webhook. You can also retry later.',
        { headers: { 'retry-after': '30' } },
      );
    case 'key_reused':
      throw idempotencyKeyReused();
    default:
      return unreachable(cancellation);
  }
}

export async function attemptCancellation(
  tools: CancelTools & SessionAudit,
  session: Session,
  now: number,
  idempotencyKey?: Part,
): Promise<Cancellation> {
  const current = withExpiry(session, now);
  switch (current.status) {
    case 'pending': {
      const audit = tools.audit?.('session.cancelled', session.sessionId);
      const written = await writeCancellationWith(tools.database, current, { audit, idempotencyKey }, now);
      switch (written.result) {
        case 'written':
          return cancelled(written.session);
        case 'changed':
          return attemptCancellation(tools, written.session, now, idempotencyKey);
        case 'key_reused':
          return written;
        default:
          return unreachable(written);
      }
    }
    case 'processing': {
      const audit = tools.audit?.('session.cancellation_requested', session.sessionId);
      return cancelPayment(tools, current, now, { audit, idempotencyKey });
    }
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return { result: 'closed', session: current };
    default:
      return unreachable(current.status);
  }
}
