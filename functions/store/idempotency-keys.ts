import { idempotencyKey, idempotencyKeyLifetime, type IdempotencyKey } from '../domain/idempotency-key.ts';
import { toEpochSeconds, toIso } from '../domain/time.ts';
import type { Database } from './database.ts';
import { expression, type Expression } from './expressions.ts';
import { get, removeIf } from './rows.ts';
import { put, type Part } from './writes.ts';

export interface IdempotentRequest {
  readonly practiceId: string;
  readonly key: string;
  readonly requestHash: string;
  readonly responseBody?: string;
}

/** Refused if the key was used, even by the same request. */
export function putIdempotencyKey(database: Database, request: IdempotentRequest, now: number): Part {
  return putKey(database, request, now, isUnused(now));
}

/** Refused if another request used the key. */
export function keepIdempotencyKey(database: Database, request: IdempotentRequest, now: number): Part {
  const { requestHash } = request;
  return putKey(database, request, now, expression`${isUnused(now)} OR requestHash = ${requestHash}`);
}

export async function getIdempotencyKey(
  database: Database,
  request: Pick<IdempotentRequest, 'practiceId' | 'key'>,
  now: number,
): Promise<IdempotencyKey | undefined> {
  const found = await get(database, 'idempotencyKeys', keyOf(request), idempotencyKey);
  return found && found.createdAt > startOfLifetime(now) ? found : undefined;
}

/** Frees the key of a refused request. Does nothing if another request has the key. */
export async function releaseIdempotencyKey(database: Database, request: IdempotentRequest): Promise<void> {
  const { requestHash } = request;
  await removeIf(database, 'idempotencyKeys', keyOf(request), expression`requestHash = ${requestHash}`, idempotencyKey);
}

function putKey(
  database: Database,
  { practiceId, key, requestHash, responseBody }: IdempotentRequest,
  now: number,
  condition: Expression,
): Part {
  const row = {
    ...keyOf({ practiceId, key }),
    requestHash,
    responseBody,
    createdAt: toIso(now),
    timeToLive: toEpochSeconds(now + idempotencyKeyLifetime),
  };
  return put(database, 'idempotencyKeys', row, { condition, returnRow: true });
}

function isUnused(now: number): Expression {
  return expression`attribute_not_exists(idempotencyKeyId) OR createdAt <= ${startOfLifetime(now)}`;
}

function startOfLifetime(now: number): string {
  return toIso(now - idempotencyKeyLifetime);
}

function keyOf({ practiceId, key }: Pick<IdempotentRequest, 'practiceId' | 'key'>): { idempotencyKeyId: string } {
  return { idempotencyKeyId: `${practiceId}#${key}` };
}
