import * as z from 'zod/mini';
import type { IdempotencyKey } from '../domain/idempotency-key.ts';
import { Problem } from './problem.ts';
import type { Problems } from './problems.ts';
import { matching, withoutSensitiveData } from './text.ts';

const howToSend = 'Send 1 to 255 printable ASCII characters.';
const idempotencyKey = z
  .string()
  .check(
    z.minLength(1, howToSend),
    z.maxLength(255, howToSend),
    matching(/^[\x20-\x7e]*$/, 'printable ASCII characters', howToSend),
    ...withoutSensitiveData('value'),
  );

/** Headers of a route that is safe to retry. */
export const idempotencyHeaders = {
  headers: z.object({ 'idempotency-key': z.optional(idempotencyKey) }),
  parameters: {
    // Software that retries reads only this. "Unique for each request" would make it use a new key for a retry.
    'idempotency-key':
      'Identifies the operation, such as a UUID. Choose one before the first attempt and send the same one with every retry.',
  },
} as const;
export const idempotencyProblems = {
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for a different request.' },
} as const satisfies Problems;

export function idempotencyKeyReused(): Problem {
  return new Problem('idempotency_key_reused', 'Use a new key for a new request.');
}

/** Throws a Problem unless the earlier request was the same. */
export function replayOf<Schema extends z.ZodMiniType>(schema: Schema, earlier: IdempotencyKey, requestHash: string) {
  if (earlier.requestHash !== requestHash || earlier.responseBody === undefined) throw idempotencyKeyReused();
  return { response: z.parse(schema, JSON.parse(earlier.responseBody)), replayed: true };
}

export const replayable = {
  responseHeaders: {
    'Idempotent-Replayed':
      '`true` if this is the original response to an earlier request with the same `Idempotency-Key`.',
  },
} as const;

/** Notes a replay in the headers. Returns the response. */
export function answerOnce<Answer extends { readonly response: unknown; readonly replayed: boolean }>(
  { response, replayed }: Answer,
  headers: Record<string, string>,
): Answer['response'] {
  if (replayed) headers['idempotent-replayed'] = 'true';
  return response;
}
