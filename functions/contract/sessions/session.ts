import * as z from 'zod/mini';
import { sessionFacts } from '../../domain/sessions/session.ts';
import { sessionBlocks } from '../../domain/sessions/session-status.ts';
import { isoTime } from '../../domain/time.ts';
import { sessionStatuses } from '../../domain/sessions/transitions.ts';
import { bodyProblems, type Problems } from '../problems.ts';
import { invalidCursor, pageQuery } from '../page.ts';
import { line } from '../text.ts';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
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
  /** Only while pending. */
  blockedBy: z.optional(z.enum(sessionBlocks)),
  ...sessionFacts,
  /** When the patient's details were removed. `metadata` is then empty. */
  scrubbedAt: z.optional(isoTime),
});

const sessionPath = z.object({ sessionId: z.string() });
export const sessionPathDescriptions = { sessionId: 'The `sessionId` of the session.' };

/** What a practice's route about one session has, unless it says otherwise. */
export const aboutSession = {
  ...takesNothing,
  params: sessionPath,
  parameters: sessionPathDescriptions,
  status: 200,
} as const;

export const sessionNotFound = {
  session_not_found: { status: 404, title: 'The session was not found.' },
} as const satisfies Problems;

export const getSessionStatusRoute = {
  ...aboutSession,
  method: 'GET',
  path: '/api/practice/sessions/{sessionId}/status',
  scope: 'sessions:read',
  summary: "Get a session's status",
  description:
    'Strongly consistent: it reflects every change made before the request, including expiry. ' +
    "Use it for reconciliation; webhooks report outcomes sooner. Another practice's session is reported as not found.",
  response: sessionStatusBody,
  problems: { ...keyProblems, ...sessionNotFound },
} as const satisfies PracticeRoute;

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

export const erasePatientRoute = {
  ...aboutSession,
  method: 'POST',
  path: '/api/practice/sessions/{sessionId}/erase-patient',
  scope: 'sessions:write',
  summary: "Erase a session's patient",
  description:
    'Takes no body. Removes names, bank account, `metadata` and `returnUrl` from a session that has ended, and `metadata` from its events. It cannot be undone; repeating it changes nothing. ' +
    'The proof of authorization, which has the name and the bank account, is kept until `evidenceKeptUntil`: Nacha requires it. Without an authorization there is none, and the field is absent.',
  response: erasedPatient,
  problems: { ...keyProblems, ...sessionNotFound, ...erasureProblems },
} as const satisfies PracticeRoute;

export const erasePatientOfInvoiceRoute = {
  ...takesNothing,
  method: 'POST',
  path: '/api/practice/invoices/erase-patient',
  scope: 'sessions:write',
  summary: "Erase an invoice's patient",
  description:
    "Does what erasing a session's patient does with every session of the invoice that has ended, newest first, and names those that have not. One response covers at most ten sessions: repeat the request with its `nextCursor` until that is `null`. It cannot be undone; repeating it changes nothing. " +
    'It answers the same for an invoice without sessions, with empty lists. A session that was created a moment ago may be missing.',
  body: eraseInvoiceBody,
  status: 200,
  response: erasedInvoice,
  problems: { ...keyProblems, ...bodyProblems, ...invalidCursor },
} as const satisfies PracticeRoute;

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

export const getAuthorizationRoute = {
  ...aboutSession,
  method: 'GET',
  path: '/api/practice/sessions/{sessionId}/authorization',
  scope: 'authorizations:read',
  summary: "Get a session's authorization",
  description:
    'What to show a bank that asks whether the debit was authorized. No key has the scope unless it was asked for. ' +
    'It is kept for at least seven years, also after the patient was erased.',
  response: sessionAuthorization,
  problems: { ...keyProblems, ...sessionNotFound, ...authorizationNotFound },
} as const satisfies PracticeRoute;
