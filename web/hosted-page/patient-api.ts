import type { TestSignIn } from '../../functions/contract/patient-api/connect-bank.ts';
import type { SessionView } from '../../functions/contract/patient-api/session-view.ts';
import type { patientRoutes } from '../../functions/contract/patient-routes.ts';
import type { PatientProblemCode } from '../../functions/contract/problems.ts';
import { hearServerTime } from './server-clock.ts';

export type ProblemName = PatientProblemCode | 'unreachable' | 'busy';

export interface Problem {
  readonly code: ProblemName;
  readonly attemptsRemaining?: number;
  readonly retryAfter?: number;
}

export type Answer =
  | { readonly ok: true; readonly session: SessionView; readonly problem?: undefined }
  | { readonly ok: false; readonly problem: Problem };

/** Repeated to keep the contract's schemas out of the bundle. */
const routes = {
  getSession: { method: 'GET', path: '/api/patient/session' },
  openSession: { method: 'POST', path: '/api/patient/session/open' },
  connectBank: { method: 'POST', path: '/api/patient/session/bank-connection' },
  authorizePayment: { method: 'POST', path: '/api/patient/session/payment' },
} satisfies { [Name in keyof typeof patientRoutes]: Pick<(typeof patientRoutes)[Name], 'method' | 'path'> };

/** In milliseconds. An action may take the API's own 30 seconds. */
const timeouts = { GET: 10_000, POST: 35_000 };

const unreachable: Answer = { ok: false, problem: { code: 'unreachable' } };

export interface PatientApi {
  getSession(): Promise<Answer>;
  openSession(): Promise<Answer>;
  connectBank(signIn: TestSignIn): Promise<Answer>;
  authorizePayment(authorizationId: string): Promise<Answer>;
}

function codeOf(status: number): ProblemName {
  if (status === 429) return 'busy';
  return status >= 500 ? 'internal_error' : 'unreachable';
}

export function patientApi(token: string, language: string): PatientApi {
  async function call(
    { method, path }: { method: keyof typeof timeouts; path: string },
    body?: object,
  ): Promise<Answer> {
    // Phones in use are older than `AbortSignal.timeout`.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeouts[method]);
    try {
      const response = await fetch(path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'accept-language': language,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        cache: 'no-store',
        signal: timeout.signal,
      });
      hearServerTime(response.headers.get('date'));
      if (response.ok) {
        const session: SessionView = await response.json();
        return Date.parse(session.expiresAt) > 0 ? { ok: true, session } : unreachable;
      }
      const retryAfter = 1_000 * Number(response.headers.get('retry-after'));
      // From in between: a gateway, or a network's login page.
      if (response.headers.get('content-type') !== 'application/problem+json')
        return { ok: false, problem: { code: codeOf(response.status), retryAfter } };
      const problem: Problem = await response.json();
      return { ok: false, problem: { ...problem, retryAfter } };
    } catch {
      return unreachable;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    getSession: () => call(routes.getSession),
    openSession: () => call(routes.openSession),
    connectBank: (signIn) => call(routes.connectBank, signIn),
    authorizePayment: (authorizationId) =>
      call(routes.authorizePayment, { authorizationAccepted: true, authorizationId }),
  };
}
