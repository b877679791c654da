import * as z from 'zod/mini';
import type { Scope } from '../domain/api-key.ts';
import {
  cancelledSession,
  createdSession,
  createSessionBody,
  idempotencyKeyHeader,
  listSessionsQuery,
  sessionList,
  sessionStatusBody,
} from './practice-api.ts';
import type { ProblemCode } from './problems.ts';
import { takesNothing, type Route } from './route.ts';

const commonProblems = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_expired',
  'api_key_revoked',
  'api_key_wrong_mode',
  'scope_missing',
  'internal_error',
] as const satisfies readonly ProblemCode[];

const sessionPath = z.object({ sessionId: z.string() });

/** The practice API: one function per route, named after it (`createSession` is `practice-api/create-session.ts`). */
export const practiceRoutes = {
  createSession: {
    ...takesNothing,
    method: 'POST',
    path: '/api/practice/sessions',
    scope: 'sessions:write',
    summary: 'Create a session',
    description:
      'Creates a session for one patient and one invoice and returns the link to send to the patient. ' +
      'Send an `Idempotency-Key` to make retries safe: for 24 hours, the same key with the same body returns the original response, and concurrent duplicates create one session. ' +
      'A rejected request does not use up its key. One invoice can have several sessions.',
    headers: z.object({ 'idempotency-key': z.optional(idempotencyKeyHeader) }),
    body: createSessionBody,
    status: 201,
    response: createdSession,
    responseHeaders: {
      'Idempotent-Replayed':
        '`true` if this is the original response to an earlier request with the same `Idempotency-Key`.',
    },
    problems: [
      ...commonProblems,
      'invalid_json',
      'invalid_request',
      'body_too_large',
      'unsupported_media_type',
      'idempotency_key_reused',
    ],
  },
  getSessionStatus: {
    ...takesNothing,
    method: 'GET',
    path: '/api/practice/sessions/{sessionId}/status',
    scope: 'sessions:read',
    summary: "Get a session's status",
    description:
      'Strongly consistent: it reflects every change made before the request, including expiry. ' +
      "Use it for reconciliation; webhooks report outcomes sooner. Another practice's session is reported as not found.",
    params: sessionPath,
    status: 200,
    response: sessionStatusBody,
    problems: [...commonProblems, 'session_not_found'],
  },
  listSessions: {
    ...takesNothing,
    method: 'GET',
    path: '/api/practice/sessions',
    scope: 'sessions:read',
    summary: 'List sessions',
    description:
      "Newest first, one page at a time. Each item is the same object as the session's status. " +
      'Eventually consistent: a change can take a moment to show. An expired session leaves `pending` immediately and can appear in `cancelled` up to a minute later.',
    query: listSessionsQuery,
    status: 200,
    response: sessionList,
    problems: [...commonProblems, 'invalid_request', 'invalid_cursor'],
  },
  cancelSession: {
    ...takesNothing,
    method: 'POST',
    path: '/api/practice/sessions/{sessionId}/cancel',
    scope: 'sessions:write',
    summary: 'Cancel a session',
    description:
      'Takes no body. Cancels a session that is `pending`, or `processing` while the debit can still be voided. This is not a refund. ' +
      'Strongly consistent. If the bank has not responded yet, the response is `cancellation_pending`: the service keeps retrying, and a webhook reports the outcome.',
    params: sessionPath,
    status: 200,
    response: cancelledSession,
    problems: [
      ...commonProblems,
      'session_not_found',
      'session_not_cancellable',
      'payment_not_voidable',
      'cancellation_pending',
    ],
  },
} as const satisfies Record<string, Route & { scope: Scope }>;
