import type { CancelledSession } from '../contract/sessions/cancel-session.ts';
import { idempotencyKeyReused } from '../contract/idempotency.ts';
import { sha256 } from '../domain/identifier.ts';
import type { Session } from '../domain/sessions/session.ts';
import { cancelled, type CancelTools } from '../payments/cancel.ts';
import type { Database } from '../store/database.ts';
import { getIdempotencyKey, keepIdempotencyKey, releaseIdempotencyKey } from '../store/idempotency-keys.ts';
import { attemptCancellation, responseTo } from './cancel.ts';

interface CancelOnceTools extends CancelTools {
  readonly database: CancelTools['database'] & Database<'idempotencyKeys'>;
}

interface CancelOnceInput {
  readonly session: Session;
  readonly idempotencyKey: string | undefined;
}

/** Cancels a session, or replays the response to an earlier request with the same key. Throws like `cancelSession`. */
export async function cancelSessionOnce(
  tools: CancelOnceTools,
  { session, idempotencyKey: key }: CancelOnceInput,
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
