import * as z from 'zod/mini';
import type { Scope } from '../domain/api-key.ts';
import { authorizePaymentBody, bankConnectionBody, sessionView } from './patient-api.ts';
import { cancelledSession, createdSession, createSessionBody, listSessionsQuery, sessionList, sessionStatusBody } from './practice-api.ts';

export interface Route<Body extends z.ZodMiniType = z.ZodMiniType, Response extends z.ZodMiniType = z.ZodMiniType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: Body;
  /** The query parameters; a route without them ignores any. */
  readonly query?: z.ZodMiniType;
  /** The status of success, and what its body holds. */
  readonly status: 200 | 201;
  readonly response: Response;
}

/** The body of a route that takes none; one that comes all the same is not read. */
export const noBody = z.undefined();

/** The practice API: one function per route, named like it (`createSession` is `practice-api/create-session.ts`). */
export const practiceRoutes = {
  createSession: {
    method: 'POST',
    path: '/api/practice/sessions',
    scope: 'sessions:write',
    body: createSessionBody,
    status: 201,
    response: createdSession,
  },
  getSessionStatus: {
    method: 'GET',
    path: '/api/practice/sessions/{sessionId}/status',
    scope: 'sessions:read',
    body: noBody,
    status: 200,
    response: sessionStatusBody,
  },
  listSessions: {
    method: 'GET',
    path: '/api/practice/sessions',
    scope: 'sessions:read',
    body: noBody,
    query: listSessionsQuery,
    status: 200,
    response: sessionList,
  },
  cancelSession: {
    method: 'POST',
    path: '/api/practice/sessions/{sessionId}/cancel',
    scope: 'sessions:write',
    body: noBody,
    status: 200,
    response: cancelledSession,
  },
} as const satisfies Record<string, Route & { scope: Scope }>;

/** The patient API, for the hosted page alone; the bearer token is the one of the patient's link. Every answer is the view. */
export const patientRoutes = {
  getSession: { method: 'GET', path: '/api/patient/session', body: noBody, status: 200, response: sessionView },
  openSession: { method: 'POST', path: '/api/patient/session/open', body: noBody, status: 200, response: sessionView },
  connectBank: { method: 'POST', path: '/api/patient/session/bank-connection', body: bankConnectionBody, status: 200, response: sessionView },
  authorizePayment: { method: 'POST', path: '/api/patient/session/payment', body: authorizePaymentBody, status: 200, response: sessionView },
} as const satisfies Record<string, Route>;
