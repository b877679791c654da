import type { SessionView } from '../../functions/contract/patient-api.ts';
import type { patientRoutes } from '../../functions/contract/patient-routes.ts';
import { hearServerTime } from './server-clock.ts';

type PatientRoute = (typeof patientRoutes)[keyof typeof patientRoutes];

/** Why a call was refused. `unreachable`: no readable answer; `busy`: the gateway throttled the call. */
export type ProblemName = PatientRoute['problems'][number] | 'unreachable' | 'busy';

export interface Problem {
  readonly code: ProblemName;
  /** Bank sign-ins left, on `bank_connection_failed`. */
  readonly attemptsRemaining?: number;
  /** Milliseconds to wait before the next try, where the server says so; else 0, or what is no number. */
  readonly retryAfter?: number;
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

/** What an answer without a problem in it means. */
function codeOf(status: number): ProblemName {
  if (status === 429) return 'busy';
  return status >= 500 ? 'internal_error' : 'unreachable';
}

/** The patient API for the holder of one link's token, in one language. No call throws: every outcome is an answer. */
export function patientApi(token: string, language: string): PatientApi {
  async function call(
    { method, path }: { method: keyof typeof patience; path: string },
    body?: object,
  ): Promise<Answer> {
    // `AbortSignal.timeout` is younger than phones that are in use.
    const patienceEnds = new AbortController();
    const timer = setTimeout(() => patienceEnds.abort(), patience[method]);
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
        signal: patienceEnds.signal,
      });
      hearServerTime(response.headers.get('date'));
      if (response.ok) {
        const session: SessionView = await response.json();
        // The least that the page needs to know when to ask again; a view that misses more throws.
        return Date.parse(session.expiresAt) > 0 ? { ok: true, session } : unreachable;
      }
      const retryAfter = 1_000 * Number(response.headers.get('retry-after'));
      // Anything else was answered on the way, by a gateway or a network that wants a sign-in.
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
    connectBank: (credentials) => call(routes.connectBank, credentials),
    authorizePayment: (authorizationId) =>
      call(routes.authorizePayment, { authorizationAccepted: true, authorizationId }),
  };
}
