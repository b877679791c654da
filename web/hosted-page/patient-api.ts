import type { TestSignIn, StartedBankConnection } from '../../functions/contract/payments/patient-payment.ts';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import type { livePatientRoutes, mailPatientRoutes, patientRoutes } from '../../functions/contract/routes.ts';
import type { PatientProblemCode } from '../../functions/contract/problem.ts';
import type { UnreachablePage } from './page-state.ts';

export type ProblemName = PatientProblemCode | 'unreachable' | 'busy';

export interface Problem {
  readonly code: ProblemName;
  readonly attemptsRemaining?: number;
  readonly retryAfter?: number;
}

interface Refusal {
  readonly ok: false;
  readonly problem: Problem;
}

export type BankPickerKeys = StartedBankConnection;

export type AnswerWith<Content> = ({ readonly ok: true; readonly problem?: undefined } & Content) | Refusal;
export type Answer = AnswerWith<{ readonly session: SessionView }>;

/** Repeated to keep the contract's schemas out of the bundle. */
const routes = {
  getSession: { method: 'GET', path: '/api/patient/session' },
  openSession: { method: 'POST', path: '/api/patient/session/open' },
  extendSession: { method: 'POST', path: '/api/patient/session/extend' },
  requestLink: { method: 'POST', path: '/api/patient/session/link-request' },
  startBankConnection: { method: 'POST', path: '/api/patient/session/bank-connection/start' },
  connectBank: { method: 'POST', path: '/api/patient/session/bank-connection' },
  namePayer: { method: 'POST', path: '/api/patient/session/payer' },
  authorizePayment: { method: 'POST', path: '/api/patient/session/payment' },
  mailCopy: { method: 'POST', path: '/api/patient/session/copy' },
} satisfies { [Name in keyof Routes]: Pick<Routes[Name], 'method' | 'path'> };
type Routes = typeof patientRoutes & typeof livePatientRoutes & typeof mailPatientRoutes;

/** In milliseconds. An action can take the API's own 30 seconds. */
const timeouts = { GET: 10_000, POST: 35_000 };

const unreachable: Refusal = { ok: false, problem: { code: 'unreachable' } };

export type PatientApi = ReturnType<typeof patientApi>;

async function readSession(response: Response): Promise<Answer> {
  const session: SessionView = await response.json();
  return Date.parse(session.expiresAt) > 0 ? { ok: true, session } : unreachable;
}

async function readKeys(response: Response): Promise<AnswerWith<{ readonly keys: BankPickerKeys }>> {
  const keys: BankPickerKeys = await response.json();
  return typeof keys.clientSecret === 'string' ? { ok: true, keys } : unreachable;
}

async function readLinkRequest(response: Response): Promise<AnswerWith<unknown>> {
  const { linkRequest }: Pick<SessionView, 'linkRequest'> = await response.json();
  return linkRequest === 'made' ? { ok: true } : unreachable;
}

function codeOf(status: number): ProblemName {
  if (status === 429) return 'busy';
  return status >= 500 ? 'internal_error' : 'unreachable';
}

/** `sentAhead` answers the first `getSession`. */
export function patientApi(token: string, language: string, sentAhead: Window['sentAhead']) {
  let ahead = sentAhead;

  /** `read` returns `unreachable` if the body is not an answer of this API. */
  async function call<Read>(
    { method, path }: { method: keyof typeof timeouts; path: string },
    read: (response: Response) => Promise<Read>,
    body?: object,
  ): Promise<Read | Refusal> {
    // Do not use `AbortSignal.timeout`: phones in use are older.
    const { timeout, answer } = (method === 'GET' && ahead) || { timeout: new AbortController(), answer: undefined };
    ahead = undefined;
    const timer = setTimeout(() => timeout.abort(), timeouts[method]);
    try {
      const response = await (answer ??
        fetch(path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'accept-language': language,
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
          cache: 'no-store',
          // What was pressed is sent, even if the tab is closed while the phone still connects.
          keepalive: method === 'POST',
          signal: timeout.signal,
        }));
      hearServerTime(response.headers.get('date'));
      if (response.ok) return await read(response);
      const retryAfter = 1_000 * Number(response.headers.get('retry-after'));
      // Not from the API: a gateway, or a network's login page, answered.
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
    getSession: () => call(routes.getSession, readSession),
    openSession: () => call(routes.openSession, readSession),
    extendSession: () => call(routes.extendSession, readSession),
    requestLink: () => call(routes.requestLink, readLinkRequest),
    /** Live only. */
    startBankConnection: async () =>
      builtForMode === 'live' ? call(routes.startBankConnection, readKeys) : unreachable,
    /** Absent sign-in: connects the account that the patient picked. */
    connectBank: (signIn?: TestSignIn) => call(routes.connectBank, readSession, signIn ?? {}),
    namePayer: (payerName: string) => call(routes.namePayer, readSession, { payerName }),
    authorizePayment: (authorizationId: string) =>
      call(routes.authorizePayment, readSession, { authorizationAccepted: true, authorizationId }),
    /** Whether it was mailed. */
    mailCopy: async (email: string) => (await call(routes.mailCopy, async () => ({ ok: true }) as const, { email })).ok,
  };
}

export function mayHaveSucceeded(problem: Problem | undefined): boolean {
  return problem === undefined || problem.code === 'unreachable' || isOurs(problem);
}

function isOurs({ code }: Pick<Problem, 'code'>): boolean {
  return code === 'internal_error' || code === 'temporarily_unavailable';
}

/** Problems that leave the session as it was. After any other, the page asks the server. */
export function isBankRefusal({ code }: Problem): boolean {
  return code === 'bank_connection_failed' || code === 'bank_connection_locked' || code === 'bank_unavailable';
}

export function afterBankRefusal(session: SessionView, { code, attemptsRemaining }: Problem): SessionView {
  const remaining = code === 'bank_connection_locked' ? 0 : attemptsRemaining;
  return remaining === undefined ? session : { ...session, bankConnectionAttemptsRemaining: remaining };
}

export function retryTime({ code, retryAfter }: Problem): Pick<UnreachablePage, 'triesAgainIn'> {
  return code === 'busy' || isOurs({ code }) ? { triesAgainIn: Math.min(retryAfter || 5_000, 60_000) } : {};
}

let serverTime = Date.now();
let heardAt = performance.now();

/** A phone's own clock can be days off. */
function hearServerTime(date: string | null): void {
  const time = Date.parse(date ?? '');
  if (Number.isNaN(time)) return;
  serverTime = time;
  heardAt = performance.now();
}

/** Behind by the network's delay, so that no session looks expired early. */
export function serverNow(): number {
  return serverTime + performance.now() - heardAt;
}
