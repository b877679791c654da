import type { Scope } from '../domain/api-key.ts';
import {
  cancelledSession,
  createdSession,
  createSessionBody,
  listSessionsQuery,
  sessionList,
  sessionStatusBody,
} from './practice-api.ts';
import { noBody, type Route } from './route.ts';

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
