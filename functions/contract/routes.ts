import type { Scope } from '../domain/api-key.ts';

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

/** The practice API: one function per route, named like it (`createSession` is `practice-api/create-session.ts`). */
export const practiceRoutes = {
  createSession: { method: 'POST', path: '/api/practice/sessions', scope: 'sessions:write' },
  getSessionStatus: { method: 'GET', path: '/api/practice/sessions/{sessionId}/status', scope: 'sessions:read' },
} as const satisfies Record<string, Route & { scope: Scope }>;

/** The patient API, for the hosted page alone; the bearer token is the one of the patient's link. */
export const patientRoutes = {
  getSession: { method: 'GET', path: '/api/patient/session' },
  openSession: { method: 'POST', path: '/api/patient/session/open' },
  connectBank: { method: 'POST', path: '/api/patient/session/bank-connection' },
  authorizePayment: { method: 'POST', path: '/api/patient/session/payment' },
} as const satisfies Record<string, Route>;
