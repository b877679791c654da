import * as z from 'zod/mini';
import { day, isoTime } from './time.ts';

/** What a replay needs: a hash of the request that the key was used for, and its response. */
export const idempotencyKey = z.object({
  idempotencyKeyId: z.string(),
  requestHash: z.string(),
  responseBody: z.string(),
  createdAt: isoTime,
});
export type IdempotencyKey = z.infer<typeof idempotencyKey>;

/** Milliseconds after which a key can be used for another request. */
export const idempotencyKeyLifetime = day;
