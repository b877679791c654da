import * as z from 'zod/mini';
import { sessionFacts } from '../../domain/sessions/session.ts';
import { sessionBlocks } from '../../domain/sessions/session-status.ts';
import { givenTime, isoTime } from '../../domain/time.ts';
import { sessionStatuses } from '../../domain/sessions/transitions.ts';
import { idempotencyHeaders, idempotencyProblems, replayable } from '../idempotency.ts';
import { bodyProblems, invalidRequest, type Problems } from '../problems.ts';
import { asArray, invalidCursor, pageParameters, pageQuery } from '../page.ts';
import { line } from '../text.ts';
import { keyProblems, type PracticeRoute, withKey } from '../practice-route.ts';
import { bankAccount, debitReferences } from '../../domain/payments/debit.ts';
import { locales } from '../../domain/locale.ts';

/** A fact that does not exist is absent, never null. */
export const sessionStatusBody = z.object({
  sessionId: z.string(),
  invoiceId: z.string(),
  status: z.enum(sessionStatuses),
  amountCents: z.int(),
  createdAt: isoTime,
  metadata: z.record(z.string(), z.string()),
  expiresAt: isoTime,
  openedAt: z.optional(isoTime),
  /** Present only while pending. */
  blockedBy: z.optional(z.enum(sessionBlocks)),
  ...sessionFacts,
  /** When the patient's details were removed. `metadata` is then empty. */
  scrubbedAt: z.optional(isoTime),
});

export const listSessionsQuery = z.strictObject({
  status: z.optional(z.pipe(asArray, z.array(z.enum(sessionStatuses)))),
  invoiceId: z.optional(line(128)),
  createdSince: z.optional(givenTime),
  createdBefore: z.optional(givenTime),
  returned: z.optional(z.literal('true')),
  ...pageQuery,
});

export const listSessionsParameters = {
  status: 'Only sessions in this state. Can be repeated: `status=pending&status=processing`.',
  invoiceId: 'Only sessions for this invoice.',
  createdSince: 'Only sessions created at this time or later.',
  createdBefore: 'Only sessions created before this time.',
  returned: '`true`: only sessions whose debit was returned by the bank.',
  ...pageParameters,
};

export const sessionList = z.object({ data: z.array(sessionStatusBody), nextCursor: z.nullable(z.string()) });

const sessionPath = z.object({ sessionId: z.string() });
export const sessionPathDescriptions = { sessionId: 'The `sessionId` of the session.' };

/** Defaults for a practice's route about one session. */
export function aboutSession(...route: Parameters<typeof withKey>) {
  return { ...withKey(...route), params: sessionPath, parameters: sessionPathDescriptions } as const;
}

export const sessionNotFound = {
  session_not_found: { status: 404, title: 'The session was not found.' },
} as const satisfies Problems;

export const cancelledSession = z.object({
  sessionId: z.string(),
  status: z.literal('cancelled'),
  cancelledAt: isoTime,
});
export type CancelledSession = z.infer<typeof cancelledSession>;

export const cancellationProblems = {
  session_not_cancellable: { status: 409, title: 'The session can no longer be cancelled.' },
  payment_not_voidable: { status: 409, title: 'The debit can no longer be voided.' },
  cancellation_pending: { status: 409, title: 'The cancellation is still pending.' },
} as const satisfies Problems;

export const erasedPatient = z.object({
  sessionId: z.string(),
  scrubbedAt: isoTime,
  /** Absent if nothing was authorized. */
  evidenceKeptUntil: z.optional(isoTime),
});
export type ErasedPatient = z.infer<typeof erasedPatient>;

export const erasedInvoice = z.object({
  erased: z.array(erasedPatient),
  /** Sessions that have not ended, so nothing was removed from them. */
  notEnded: z.array(z.object({ sessionId: z.string(), sessionStatus: z.enum(sessionStatuses) })),
  nextCursor: z.nullable(z.string()),
});
export type ErasedInvoice = z.infer<typeof erasedInvoice>;

export const eraseInvoiceBody = z.strictObject({ invoiceId: line(128), cursor: pageQuery.cursor });

export const erasureProblems = {
  session_not_ended: { status: 409, title: 'The session has not ended.' },
} as const satisfies Problems;

export const authorizationNotFound = {
  authorization_not_found: { status: 404, title: 'There is no authorization.' },
} as const satisfies Problems;

export const sessionAuthorization = z.object({
  sessionId: z.string(),
  invoiceId: z.string(),
  amountCents: z.int(),
  text: z.string(),
  locale: z.enum(locales),
  textHash: z.string(),
  authorizedAt: isoTime,
  payerName: z.optional(z.string()),
  bankAccount,
  references: debitReferences,
});

export const practiceSessionRoutes = {
  getSessionStatus: {
    ...aboutSession('sessions:read', 'GET', '/api/practice/sessions/{sessionId}/status'),
    summary: "Get a session's status",
    description:
      'Strongly consistent: it reflects every change made before the request, including expiry. ' +
      "Use it for reconciliation; webhooks report outcomes sooner. Another practice's session is reported as not found.",
    response: sessionStatusBody,
    problems: { ...keyProblems, ...sessionNotFound },
  },
  listSessions: {
    ...withKey('sessions:read', 'GET', '/api/practice/sessions'),
    summary: 'List sessions',
    description:
      "Newest first, one page at a time. Each item is the same object as the session's status. " +
      'A page can be short or empty before the last one: only a `nextCursor` of `null` ends the list. ' +
      'Eventually consistent: a change can take a moment to show. An expired session leaves `pending` immediately and can appear in `cancelled` a few minutes later.',
    query: listSessionsQuery,
    parameters: listSessionsParameters,
    response: sessionList,
    problems: {
      ...keyProblems,
      ...invalidRequest,
      ...invalidCursor,
    },
  },
  cancelSession: {
    ...aboutSession('sessions:write', 'POST', '/api/practice/sessions/{sessionId}/cancel'),
    summary: 'Cancel a session',
    description:
      'Takes no body. Cancels a session that is `pending`, or `processing` while the debit can still be voided. This is not a refund. ' +
      'Strongly consistent. If the bank has not responded yet, the response is `cancellation_pending`: the service keeps retrying, and a webhook reports the outcome. ' +
      'Send an `Idempotency-Key` to make retries safe: a repeated cancellation then returns the original response instead of `session_not_cancellable`.',
    headers: idempotencyHeaders.headers,
    parameters: { ...sessionPathDescriptions, ...idempotencyHeaders.parameters },
    response: cancelledSession,
    ...replayable,
    problems: {
      ...keyProblems,
      ...sessionNotFound,
      ...cancellationProblems,
      ...invalidRequest,
      ...idempotencyProblems,
    },
  },
  erasePatient: {
    ...aboutSession('sessions:write', 'POST', '/api/practice/sessions/{sessionId}/erase-patient'),
    summary: "Erase a session's patient",
    description:
      'Takes no body. Removes names, bank account, `metadata` and `returnUrl` from a session that has ended, and `metadata` from its events. It cannot be undone; repeating it changes nothing. ' +
      'The proof of authorization, which has the name and the bank account, is kept until `evidenceKeptUntil`: Nacha requires it. Without an authorization there is none, and the field is absent.',
    response: erasedPatient,
    problems: { ...keyProblems, ...sessionNotFound, ...erasureProblems },
  },
  erasePatientOfInvoice: {
    ...withKey('sessions:write', 'POST', '/api/practice/invoices/erase-patient'),
    summary: "Erase an invoice's patient",
    description:
      "Does what erasing a session's patient does with every session of the invoice that has ended, newest first, and names those that have not. One response covers at most ten sessions: repeat the request with its `nextCursor` until that is `null`. It cannot be undone; repeating it changes nothing. " +
      'It answers the same for an invoice without sessions, with empty lists. A session that was created a moment ago may be missing.',
    body: eraseInvoiceBody,
    response: erasedInvoice,
    problems: { ...keyProblems, ...bodyProblems, ...invalidCursor },
  },
  getAuthorization: {
    ...aboutSession('authorizations:read', 'GET', '/api/practice/sessions/{sessionId}/authorization'),
    summary: "Get a session's authorization",
    description:
      'What to show a bank that asks whether the debit was authorized. No key has the scope unless it was asked for. ' +
      'It is kept for at least seven years, also after the patient was erased.',
    response: sessionAuthorization,
    problems: { ...keyProblems, ...sessionNotFound, ...authorizationNotFound },
  },
} as const satisfies Readonly<Record<string, PracticeRoute>>;
