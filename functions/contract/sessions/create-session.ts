import * as z from 'zod/mini';
import { leastCents, mostCents } from '../../domain/payments/debit.ts';
import { locales } from '../../domain/locale.ts';
import { namesOf } from '../../domain/sessions/session.ts';
import { invoiceBlocks } from '../../domain/sessions/session-status.ts';
import { isoTime } from '../../domain/time.ts';
import { bodyProblems, notReadyForLive, practiceClosed, practiceSuspended } from '../problems.ts';
import {
  format,
  httpsUrlError,
  invoiceId,
  line,
  parseHttpsUrl,
  personName,
  without,
  withoutSensitiveData,
} from '../text.ts';
import { idempotencyHeaders, idempotencyProblems, replayable } from '../idempotency.ts';
import { keyProblems, type PracticeRoute, withKey } from '../practice-route.ts';

/** DynamoDB cannot store a lone surrogate. */
const unwritable = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
export const maximumMetadataKeys = 16;
const tooManyKeys = {
  error: `At most ${maximumMetadataKeys} keys are allowed.`,
  params: { code: 'too_many_keys', maximum: maximumMetadataKeys },
};

const metadataKey = line(40).check(...withoutSensitiveData('key'));
const metadataValue = z.string().check(
  z.maxLength(500),
  without(unwritable, {
    expected: 'printable characters, tabs and line breaks',
    pattern: String.raw`^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$`,
  }),
  ...withoutSensitiveData('value'),
);
const metadata = z
  .record(metadataKey, metadataValue)
  .check(z.refine((entries) => Object.keys(entries).length <= maximumMetadataKeys, tooManyKeys));

const patient = z.strictObject({ firstName: personName, lastName: personName }).check(
  z.refine((names) => namesOf(names).length > 0, {
    path: ['lastName'],
    params: { code: 'required' },
    error: 'Only one of the two names can be a dash.',
  }),
);

const returnUrl = z.string().check(
  z.maxLength(500),
  format(
    (text) => parseHttpsUrl(text) !== undefined,
    {
      expected: 'an https URL of printable ASCII characters without a username or password',
      pattern: '^https://[!-~]+$',
    },
    httpsUrlError,
  ),
  ...withoutSensitiveData('url'),
);

export const createSessionBody = z.strictObject({
  invoiceId,
  amountCents: z
    .int()
    .check(
      z.minimum(leastCents.sandbox, `Use at least ${leastCents.sandbox}.`),
      z.maximum(mostCents, `Use at most ${mostCents}.`),
    ),
  patient,
  metadata: z.optional(metadata),
  locale: z.optional(z.enum(locales)),
  returnUrl: z.optional(returnUrl),
});
export type CreateSessionBody = z.infer<typeof createSessionBody>;

export const createdSession = z.object({
  sessionId: z.string(),
  hostedUrl: z.url(),
  status: z.literal('pending'),
  amountCents: z.int(),
  expiresAt: isoTime,
  createdAt: isoTime,
  blockedBy: z.optional(z.enum(invoiceBlocks)),
});
export type CreatedSession = z.infer<typeof createdSession>;

export const createSessionRoute = {
  ...withKey('sessions:write', 'POST', '/api/practice/sessions'),
  summary: 'Create a session',
  description:
    'Creates a session for one patient and one invoice and returns the link to send to the patient. ' +
    'Send an `Idempotency-Key` to make retries safe: for 24 hours, the same key with the same body returns the original response, and concurrent duplicates create one session. ' +
    'A rejected request does not use up its key. One invoice can have several sessions.',
  ...idempotencyHeaders,
  body: createSessionBody,
  status: 201,
  response: createdSession,
  ...replayable,
  problems: {
    ...keyProblems,
    ...bodyProblems,
    ...idempotencyProblems,
    ...practiceSuspended,
    ...practiceClosed,
    ...notReadyForLive,
  },
} as const satisfies PracticeRoute;
