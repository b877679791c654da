import { idempotencyKeyLifetime, type IdempotencyKey } from '../domain/idempotency-key.ts';
import { toEpochSeconds, toIso } from '../domain/time.ts';
import type { Database } from './database.ts';
import { expression } from './expressions.ts';
import { put, type Part } from './writes.ts';

export interface IdempotentRequest {
  readonly practiceId: string;
  readonly key: string;
  readonly requestHash: string;
  readonly responseBody: string;
}

export function putIdempotencyKey(
  database: Database<'idempotencyKeys'>,
  { practiceId, key, requestHash, responseBody }: IdempotentRequest,
  now: number,
): Part {
  const row: IdempotencyKey = {
    idempotencyKeyId: `${practiceId}#${key}`,
    requestHash,
    responseBody,
    createdAt: toIso(now),
  };
  const expired = toIso(now - idempotencyKeyLifetime);
  return put(
    database,
    'idempotencyKeys',
    { ...row, timeToLive: toEpochSeconds(now + idempotencyKeyLifetime) },
    { condition: expression`attribute_not_exists(idempotencyKeyId) OR createdAt <= ${expired}`, returnRow: true },
  );
}
