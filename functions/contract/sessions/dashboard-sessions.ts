import * as z from 'zod/mini';
import { aboutPractice, memberProblems, type MemberRoute, practiceParams } from '../dashboard-route.ts';
import { idempotencyHeaders, idempotencyProblems } from '../idempotency.ts';
import { managementProblems } from '../management-problems.ts';
import { bodyProblems, invalidRequest, practiceClosed, practiceSuspended } from '../problems.ts';
import {
  cancellationProblems,
  cancelledSession,
  erasedPatient,
  erasureProblems,
  sessionNotFound,
  sessionPathDescriptions,
  sessionStatusBody,
  authorizationNotFound,
  listSessionsParameters,
  listSessionsQuery,
} from './session.ts';
import { createdSession, createSessionBody } from './create-session.ts';
import { orderedRefund, refundBody, refundProblems } from './refund-session.ts';
import { asArray, invalidCursor } from '../page.ts';
import { words } from '../text.ts';
import { deliverySummary } from '../webhooks/dashboard-deliveries.ts';
import { bankAccount, debitReferences } from '../../domain/payments/debit.ts';
import { evidence } from '../../domain/payments/evidence.ts';
import { outcomes } from '../../domain/sessions/outcome.ts';
import { locales } from '../../domain/locale.ts';
import { patient } from '../../domain/sessions/session.ts';
import { givenTime, isoTime } from '../../domain/time.ts';

/** Viewers do not see the patient's name, and nobody does once it is scrubbed. */
export const memberSession = z.extend(sessionStatusBody, {
  patient: z.optional(patient),
});
export type MemberSession = z.infer<typeof memberSession>;

const sessionParams = z.extend(practiceParams, { sessionId: z.string() });

export const memberSessionList = z.object({ data: z.array(memberSession), nextCursor: z.nullable(z.string()) });

/** The most sessions that a search returns, or that a request can name by ID. */
export const mostFound = 100;

/** Sent in the body to keep names out of URLs and logs. Searches by text, or by the IDs of sessions already on screen. */
const sessionSearch = z
  .strictObject({
    text: z.optional(words(200)),
    sessionIds: z.optional(z.array(z.string()).check(z.maxLength(mostFound))),
    outcome: z.optional(z.array(z.enum(outcomes))),
    createdSince: z.optional(givenTime),
    createdBefore: z.optional(givenTime),
  })
  .check(
    z.refine(
      ({ text, sessionIds }) => (text === undefined) !== (sessionIds === undefined),
      'Send either `text` or `sessionIds`.',
    ),
  );

export type SessionSearch = z.infer<typeof sessionSearch>;

/** `complete` is false if more sessions may match. */
export const foundSessions = z.object({ data: z.array(memberSession), complete: z.boolean() });

/** An API key, under its current name, or a member. */
const creator = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('api_key'), keyId: z.string(), name: z.string() }),
  z.object({ kind: z.literal('user'), email: z.optional(z.string()) }),
]);
export type Creator = z.infer<typeof creator>;

const sessionDetail = z.object({
  session: memberSession,
  /** Absent if the operator created it. */
  createdBy: z.optional(creator),
  /** The link's language. If absent, the page uses the patient's browser language. */
  locale: z.optional(z.enum(locales)),
  /** The session that is paying or has paid the invoice instead, even if this one failed or was returned. */
  blockingSessionId: z.optional(z.string()),
  /** How many bank sign-ins the patient has left with this link. */
  bankConnectionAttemptsRemaining: z.int(),
  /** When the last new link was made. */
  linkReplacedAt: z.optional(isoTime),
  /** How many times the patient got more time. `extendedAt` is the latest. */
  extensions: z.optional(z.int()),
  extendedAt: z.optional(isoTime),
  bankConnectedAt: z.optional(isoTime),
  bankAccount: z.optional(bankAccount),
  /** Present while we wait for the bank to say whether the debit can still be stopped. */
  cancelRequestedAt: z.optional(isoTime),
  /** The operator's fee on the payment. A refund returns the same share of it. Absent if there is none. */
  applicationFeeCents: z.optional(z.int()),
  /** Why an admin asked for the last refund made here. */
  refundReason: z.optional(z.string()),
  /** In the order they happened. */
  events: z.array(
    z.object({
      eventId: z.string(),
      type: z.string(),
      createdAt: isoTime,
      /** The webhook's body, byte for byte. */
      body: z.string(),
      /** True until the event is dispatched and, if it has a single delivery, until that delivery's first attempt. */
      isSending: z.boolean(),
      deliveries: z.array(deliverySummary),
    }),
  ),
});
export type SessionDetail = z.infer<typeof sessionDetail>;

const checkedEvidence = z.extend(evidence, { textMatchesAuthorizationId: z.boolean(), references: debitReferences });
export type CheckedEvidence = z.infer<typeof checkedEvidence>;

export const replacedLink = z.object({
  sessionId: z.string(),
  hostedUrl: z.url(),
  linkReplacedAt: isoTime,
  expiresAt: isoTime,
});
export type ReplacedLink = z.infer<typeof replacedLink>;

export const sessionRoutes = {
  listSessions: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/sessions'),
    summary: 'List sessions',
    description:
      'Newest first, one page at a time. Eventually consistent. ' +
      'A page can be short or empty before the last one: only a `nextCursor` of `null` ends the list.',
    query: z.extend(listSessionsQuery, { outcome: z.optional(z.pipe(asArray, z.array(z.enum(outcomes)))) }),
    parameters: { ...listSessionsParameters, outcome: 'Only sessions with this outcome. Can be repeated.' },
    response: memberSessionList,
    problems: { ...memberProblems, ...invalidRequest, ...invalidCursor },
  },
  searchSessions: {
    ...aboutPractice({ role: 'viewer' }, 'POST', '/session-search'),
    summary: 'Search sessions',
    description:
      "By the beginning of a patient's first name, last name or the last name's last word, or of any other part of the name if that finds nothing; by an amount, or by both; by the whole invoice ID or receipt number. An amount alone is looked for among the newest 1,000 sessions of the days. Or by IDs, to refresh sessions that are already shown. Viewers do not search by name. " +
      'Newest first, at most 100.',
    body: sessionSearch,
    response: foundSessions,
    problems: { ...memberProblems, ...bodyProblems },
  },
  getSession: {
    ...aboutPractice({ role: 'viewer' }, 'GET', '/sessions/{sessionId}'),
    summary: 'Show a session',
    description: 'With its events and their deliveries.',
    params: sessionParams,
    response: sessionDetail,
    problems: { ...memberProblems, ...sessionNotFound },
  },
  getEvidence: {
    ...aboutPractice({ role: 'staff' }, 'GET', '/sessions/{sessionId}/authorization'),
    summary: "Show the patient's authorization",
    description: 'What the patient accepted, when and from where.',
    params: sessionParams,
    response: checkedEvidence,
    problems: {
      ...memberProblems,
      ...sessionNotFound,
      ...authorizationNotFound,
    },
  },
  createSession: {
    ...aboutPractice({ role: 'staff' }, 'POST', '/sessions'),
    summary: 'Create a session',
    description:
      'Returns its link, which is shown only once. Fails for a practice that is not ready for live payments.',
    ...idempotencyHeaders,
    body: createSessionBody,
    status: 201,
    response: createdSession,
    problems: {
      ...memberProblems,
      ...bodyProblems,
      ...idempotencyProblems,
      ...practiceSuspended,
      ...practiceClosed,
      not_ready_for_live: managementProblems.not_ready_for_live,
    },
  },
  replaceLink: {
    ...aboutPractice({ role: 'staff' }, 'POST', '/sessions/{sessionId}/new-link'),
    summary: 'Replace the link of a session',
    description:
      'Takes no body. The old link stops working. A pending session starts over: the connected bank is removed and the lifetime of the link restarts. ' +
      'Any other session only gets a new link.',
    params: sessionParams,
    parameters: sessionPathDescriptions,
    response: replacedLink,
    problems: { ...memberProblems, ...sessionNotFound },
  },
  cancelSession: {
    ...aboutPractice({ role: 'staff' }, 'POST', '/sessions/{sessionId}/cancel'),
    summary: 'Cancel a session',
    description: 'As in the practice API.',
    params: sessionParams,
    response: cancelledSession,
    problems: { ...memberProblems, ...sessionNotFound, ...cancellationProblems },
  },
  refundSession: {
    ...aboutPractice({ role: 'admin', recentSignIn: true }, 'POST', '/sessions/{sessionId}/refund'),
    summary: 'Refund a payment',
    description:
      'In full or in part, up to 180 days after the payment succeeded. Retry with the same `refundId`: it refunds once. ' +
      'The refund is pending for some business days, and can fail.',
    params: sessionParams,
    body: refundBody,
    response: orderedRefund,
    problems: { ...memberProblems, ...bodyProblems, ...sessionNotFound, ...refundProblems },
  },
  erasePatient: {
    ...aboutPractice({ role: 'admin', recentSignIn: 'live_mode' }, 'POST', '/sessions/{sessionId}/erase-patient'),
    summary: "Erase a session's patient",
    description: 'As in the practice API. In live mode, it needs a sign-in within the last 5 minutes.',
    params: sessionParams,
    response: erasedPatient,
    problems: { ...memberProblems, ...sessionNotFound, ...erasureProblems },
  },
} as const satisfies Readonly<Record<string, MemberRoute>>;
