import * as z from 'zod/mini';
import { day, isoTime } from './time.ts';

/** A used key: the hash of its request, and the response to replay. */
export const idempotencyKey = z.object({
  idempotencyKeyId: z.string(),
  requestHash: z.string(),
  responseBody: z.string(),
  createdAt: isoTime,
});
export type IdempotencyKey = z.infer<typeof idempotencyKey>;

/** Milliseconds until a key can be used for another request. */
export const idempotencyKeyLifetime = day;
