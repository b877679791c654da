import * as z from 'zod/mini';
import { isSensitiveKey, isSensitiveValue } from '../domain/sensitive-data.ts';
import { cancellation } from '../domain/session.ts';
import { isoTime } from '../domain/time.ts';
import { debitReturn, failure } from '../domain/debit.ts';
import { sessionStatuses } from '../domain/transitions.ts';

/** Any script. U+200C and U+200D join letters in Persian and Indic scripts; other format characters can deceive. */
const printable = /^(?:[^\p{C}\p{Zl}\p{Zp}]|[\u200c\u200d])*$/u;
/** Multi-line text. DynamoDB cannot store a lone surrogate. */
const writable = /^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u;
const blank = /^[\p{Zs}\u200c\u200d]+$/u;
const required = { params: { code: 'required' } };
const notSensitive = { params: { code: 'sensitive_data' } };
export const maximumMetadataKeys = 16;
const tooManyKeys = {
  error: `At most ${maximumMetadataKeys} keys are allowed.`,
  params: { code: 'too_many_keys' },
};

/** One line of visible text in any script. */
export function line(maximum: number) {
  return z.string().check(
    z.minLength(1),
    z.maxLength(maximum),
    z.regex(printable),
    z.refine((text) => !blank.test(text), required),
  );
}

const metadataKey = line(40).check(z.refine((key) => !isSensitiveKey(key), notSensitive));
const metadataValue = z.string().check(
  z.maxLength(500),
  z.regex(writable),
  z.refine((value) => !isSensitiveValue(value), notSensitive),
);
const metadata = z
  .record(metadataKey, metadataValue)
  .check(z.refine((entries) => Object.keys(entries).length <= maximumMetadataKeys, tooManyKeys));

const name = line(100);
const invoiceId = line(128);

export const createSessionBody = z.strictObject({
  invoiceId,
  amountCents: z.int().check(z.minimum(1), z.maximum(99_999_999)),
  patient: z.strictObject({ firstName: name, lastName: name }),
  metadata: z.optional(metadata),
});
export type CreateSessionBody = z.infer<typeof createSessionBody>;

export const createdSession = z.object({
  sessionId: z.string(),
  hostedUrl: z.url(),
  status: z.literal('pending'),
  amountCents: z.int(),
  expiresAt: isoTime,
  createdAt: isoTime,
});
export type CreatedSession = z.infer<typeof createdSession>;

/** Facts that do not exist are absent, never null. */
export const sessionStatusBody = z.object({
  sessionId: z.string(),
  invoiceId: z.string(),
  status: z.enum(sessionStatuses),
  amountCents: z.int(),
  createdAt: isoTime,
  metadata: z.record(z.string(), z.string()),
  expiresAt: isoTime,
  openedAt: z.optional(isoTime),
  processingAt: z.optional(isoTime),
  settledAt: z.optional(isoTime),
  failedAt: z.optional(isoTime),
  failure: z.optional(failure),
  cancelledAt: z.optional(isoTime),
  cancellation: z.optional(cancellation),
  return: z.optional(debitReturn),
});

export const cancelledSession = z.object({
  sessionId: z.string(),
  status: z.literal('cancelled'),
  cancelledAt: isoTime,
});

export const listSessionsQuery = z.strictObject({
  status: z.optional(z.array(z.enum(sessionStatuses))),
  invoiceId: z.optional(invoiceId),
  limit: z._default(
    z.pipe(
      z.string().check(z.regex(/^\d{1,3}$/)),
      z.pipe(z.transform(Number), z.int().check(z.minimum(1), z.maximum(100))),
    ),
    25,
  ),
  cursor: z.optional(z.string().check(z.maxLength(100))),
});

export const sessionList = z.object({ data: z.array(sessionStatusBody), nextCursor: z.nullable(z.string()) });

export const idempotencyKeyHeader = z
  .string()
  .check(z.regex(/^[\x20-\x7e]{1,255}$/, 'Send 1 to 255 printable ASCII characters.'));
