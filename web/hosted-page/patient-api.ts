import type { SessionView } from '../../functions/contract/patient-api.ts';
import type { ProblemCode } from '../../functions/contract/problems.ts';
import type { patientRoutes } from '../../functions/contract/patient-routes.ts';

/** Why a call was refused; `unreachable` is every way of getting no answer that can be read. */
export type ProblemName = ProblemCode | 'unreachable';

export interface Problem {
  readonly code: ProblemName;
  /** Bank sign-ins left, on `bank_connection_failed`. */
  readonly attemptsRemaining?: number;
}

export type Answer =
  | { readonly ok: true; readonly session: SessionView; readonly problem?: undefined }
  | { readonly ok: false; readonly problem: Problem };

/** The contract's routes again, so that its schemas stay out of the page; types keep the two the same. */
const routes = {
  getSession: { method: 'GET', path: '/api/patient/session' },
  openSession: { method: 'POST', path: '/api/patient/session/open' },
  connectBank: { method: 'POST', path: '/api/patient/session/bank-connection' },
  authorizePayment: { method: 'POST', path: '/api/patient/session/payment' },
} satisfies { [Name in keyof typeof patientRoutes]: Pick<(typeof patientRoutes)[Name], 'method' | 'path'> };

/** In milliseconds. An action is waited for longer than the API's own 30 seconds; a question can be asked again, and had better be on a phone that changes networks. */
const patience = { GET: 10_000, POST: 35_000 };

const unreachable: Answer = { ok: false, problem: { code: 'unreachable' } };

export interface PatientApi {
  getSession(): Promise<Answer>;
  openSession(): Promise<Answer>;
  connectBank(credentials: { readonly username: string; readonly password: string }): Promise<Answer>;
  authorizePayment(authorizationId: string): Promise<Answer>;
}

/** The patient API for the holder of one link's token, in one language. No call throws: every outcome is an answer. */
export function patientApi(token: string, language: string): PatientApi {
  async function call({ method, path }: { method: keyof typeof patience; path: string }, body?: object): Promise<Answer> {
    try {
      const response = await fetch(path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'accept-language': language, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        cache: 'no-store',
        signal: AbortSignal.timeout(patience[method]),
      });
      if (response.ok) {
        const session: SessionView = await response.json();
        return { ok: true, session };
      }
      // Anything else was answered on the way, by a gateway or a network that wants a sign-in.
      if (response.headers.get('content-type') !== 'application/problem+json') return unreachable;
      const problem: Problem = await response.json();
      return { ok: false, problem };
    } catch {
      return unreachable;
    }
  }

  return {
    getSession: () => call(routes.getSession),
    openSession: () => call(routes.openSession),
    connectBank: (credentials) => call(routes.connectBank, credentials),
    authorizePayment: (authorizationId) => call(routes.authorizePayment, { authorizationAccepted: true, authorizationId }),
  };
}
