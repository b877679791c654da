import * as z from 'zod/mini';
import { due, ticketGrace } from '../../domain/due.ts';
import type { Session } from '../../domain/sessions/session.ts';
import { toIso } from '../../domain/time.ts';
import { entryIdTaken } from '../team/audit-log.ts';
import type { Database } from '../database.ts';
import { allOf, expression } from '../expressions.ts';
import { sessionRow } from './session-row.ts';
import { getExistingSession, isProcessing, updateSession } from './sessions.ts';
import { transact } from '../transact.ts';
import { change, type Part } from '../writes.ts';

/** Parts that are written together with a cancellation. */
export interface CancellationParts {
  readonly audit?: Part | undefined;
  readonly idempotencyKey?: Part | undefined;
}

type CancellationRequest =
  | { readonly result: 'requested'; readonly session: Session }
  | { readonly result: 'closed'; readonly session: Session }
  | { readonly result: 'key_reused' };

export async function requestCancellation(
  database: Database,
  sessionId: string,
  now: number,
  { audit, idempotencyKey }: CancellationParts = {},
): Promise<CancellationRequest> {
  const changes = {
    set: {
      cancelRequestedAt: expression`if_not_exists(cancelRequestedAt, ${toIso(now)})`,
      ...due('cancellation', sessionId, now + ticketGrace),
    },
    condition: isProcessing,
  };
  if (!audit && !idempotencyKey) {
    const updated = await updateSession(database, sessionId, changes);
    return { result: updated.written ? 'requested' : 'closed', session: updated.session };
  }
  const refused = await transact(database, {
    session: change(database, 'sessions', { sessionId }, changes),
    audit,
    idempotencyKey,
  });
  if (refused?.has('idempotencyKey')) return { result: 'key_reused' };
  if (refused?.has('session')) return { result: 'closed', session: z.parse(sessionRow, refused.get('session')) };
  if (refused) throw entryIdTaken();
  return { result: 'requested', session: await getExistingSession(database, sessionId) };
}

export async function withdrawCancellation(database: Database, { sessionId, processingAt = '' }: Session) {
  const withdrawn = await updateSession(database, sessionId, {
    set: due('debit', sessionId, Date.parse(processingAt)),
    remove: ['cancelRequestedAt'],
    condition: allOf(isProcessing, expression`attribute_not_exists(debit)`),
  });
  if (withdrawn.written) return;
  await updateSession(database, sessionId, {
    remove: ['cancelRequestedAt', 'dueShard', 'dueAt'],
    condition: isProcessing,
  });
}
