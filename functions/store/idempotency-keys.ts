import * as z from 'zod/mini';
import { idempotencyKey, idempotencyKeyLifetime, type IdempotencyKey } from '../domain/idempotency-key.ts';
import { toEpochSeconds, toIso } from '../domain/time.ts';
import type { Database, TransactItem } from './database.ts';

export interface IdempotentRequest {
  readonly practiceId: string;
  readonly key: string;
  readonly requestHash: string;
  readonly responseBody: string;
}

/** The part of a transaction that claims the key: refused while another request holds it, free again after 24 hours by the clock. */
export function putIdempotencyKey(
  database: Database<'idempotencyKeys'>,
  request: IdempotentRequest,
  now: number,
): TransactItem {
  const row: IdempotencyKey = {
    idempotencyKeyId: `${request.practiceId}#${request.key}`,
    requestHash: request.requestHash,
    responseBody: request.responseBody,
    createdAt: toIso(now),
  };
  return {
    Put: {
      TableName: database.tables.idempotencyKeys,
      Item: { ...row, timeToLive: toEpochSeconds(now + idempotencyKeyLifetime) },
      ConditionExpression: 'attribute_not_exists(idempotencyKeyId) OR createdAt <= :forgotten',
      ExpressionAttributeValues: { ':forgotten': toIso(now - idempotencyKeyLifetime) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

export function parseIdempotencyKey(row: unknown): IdempotencyKey {
  return z.parse(idempotencyKey, row);
}
