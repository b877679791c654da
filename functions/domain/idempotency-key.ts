import * as z from 'zod/mini';
import { day, isoTime } from './time.ts';

export const idempotencyKey = z.object({
  idempotencyKeyId: z.string(),
  requestHash: z.string(),
  /** Absent for a cancellation: its session has the response. */
  responseBody: z.optional(z.string()),
  createdAt: isoTime,
});
export type IdempotencyKey = z.infer<typeof idempotencyKey>;

export const idempotencyKeyLifetime = day;
