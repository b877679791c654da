import type { CancelledSession } from '../contract/sessions/session.ts';
import { idempotencyKeyReused } from '../contract/idempotency.ts';
import { Problem } from '../contract/problem.ts';
import { unreachable } from '../domain/fault.ts';
import { hasExpired, withExpiry, type Session } from '../domain/sessions/session.ts';
import { cancelled, cancelPayment, type Cancellation, type CancelTools } from '../payments/cancel.ts';
import { writeCancellationWith, writeExpiry } from '../store/sessions/transitions.ts';
import type { Part } from '../store/writes.ts';
import type { SessionAudit } from './audit.ts';
import { sha256 } from '../domain/identifier.ts';
import type { ReadingTools } from '../store/database.ts';
import { getIdempotencyKey, keepIdempotencyKey, releaseIdempotencyKey } from '../store/idempotency-keys.ts';
import { getExistingSession } from '../store/sessions/sessions.ts';

/** Cancels a session. Throws a Problem if it is too late or the processor has not responded. */
export async function cancelSession(
  tools: CancelTools & SessionAudit,
  session: Session,
  now: number,
): Promise<CancelledSession> {
  return responseTo(session, await attemptCancellation(tools, session, now));
}

function responseTo({ sessionId }: Session, cancellation: Cancellation): CancelledSession {
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
      const audit = tools.audit?.('session.cancelled', session);
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
      const audit = tools.audit?.('session.cancellation_requested', session);
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

/** Cancels a session, or replays the response to an earlier request with the same key. Throws like `cancelSession`. */
export async function cancelSessionOnce(
  tools: CancelTools,
  { session, idempotencyKey: key }: { readonly session: Session; readonly idempotencyKey: string | undefined },
  now: number,
): Promise<{ response: CancelledSession; replayed: boolean }> {
  if (key === undefined)
    return { response: responseTo(session, await attemptCancellation(tools, session, now)), replayed: false };

  const { database } = tools;
  const { practiceId, sessionId } = session;
  const request = { practiceId, key, requestHash: sha256(JSON.stringify(['cancel', sessionId])) };
  const cancellation = await attemptCancellation(tools, session, now, keepIdempotencyKey(database, request, now));
  if (cancellation.result === 'closed') {
    const earlier = await getIdempotencyKey(database, request, now);
    if (earlier && earlier.requestHash !== request.requestHash) throw idempotencyKeyReused();
    if (earlier && cancellation.session.cancellation?.reason === 'requested_by_practice')
      return { response: responseTo(session, cancelled(cancellation.session)), replayed: true };
    // An earlier request kept the key while the outcome was unknown.
    if (earlier) await releaseIdempotencyKey(database, request);
  }
  if (cancellation.result === 'too_late') await releaseIdempotencyKey(database, request);
  return { response: responseTo(session, cancellation), replayed: false };
}

/** Cancels an expired session as of `expiresAt`. */
export async function expireSession(
  { database }: ReadingTools,
  { sessionId }: { sessionId: string },
  now: number,
): Promise<void> {
  const session = await getExistingSession(database, sessionId);
  if (hasExpired(session, now)) await writeExpiry(database, session, now);
}
