import { checkedFetch } from './checked-fetch.ts';
import { patientOf, type Answer, type Patient } from './patient.ts';

export interface PracticeRequest {
  /** The practice's own key by default; `''` sends none. */
  readonly apiKey?: string;
  readonly body?: string | Buffer<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

interface Link {
  readonly sessionId: string;
  readonly hostedUrl: string;
}

interface Connected extends Link {
  readonly patient: Patient;
  readonly connection: Answer;
}

export interface Payments {
  sessionsApi(method: string, path: string, request?: PracticeRequest): Promise<Answer>;
  /** `as` is sent as given. */
  simulate(sessionId: string, as: string, request?: PracticeRequest): Promise<Answer>;
  advance(sessionId: string, request?: PracticeRequest): Promise<Answer>;
  createSession(differences?: object, request?: Omit<PracticeRequest, 'body'>): Promise<Link>;
  cancelSession(sessionId: string): Promise<void>;
  connect(username: string, differences?: object): Promise<Connected>;
  pay(username: string, differences?: object): Promise<Connected & { readonly payment: Answer }>;
}

/** `password` is that of the practice's test bank users. */
export function paymentsOf(practice: { apiUrl: string; apiKey: string; password: string }): Payments {
  async function practiceApi(method: string, path: string, request: PracticeRequest = {}): Promise<Answer> {
    const { apiKey = practice.apiKey, body, headers } = request;
    const response = await checkedFetch(`${practice.apiUrl}/api/practice${path}`, {
      method,
      headers: {
        ...(apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  }

  const sessionsApi: Payments['sessionsApi'] = (method, path, request) =>
    practiceApi(method, `/sessions${path}`, request);

  async function createSession(differences: object = {}, request: PracticeRequest = {}): Promise<Link> {
    const session = {
      invoiceId: `INV-${Math.random()}`,
      amountCents: 18_250,
      patient: { firstName: 'Ada', lastName: 'Okafor' },
      ...differences,
    };
    const { status, body } = await sessionsApi('POST', '', { ...request, body: JSON.stringify(session) });
    if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
    return { sessionId: String(body['sessionId']), hostedUrl: String(body['hostedUrl']) };
  }

  async function connect(username: string, differences?: object): Promise<Connected> {
    const link = await createSession(differences);
    const patient = patientOf(link.hostedUrl);
    return { ...link, patient, connection: await patient.connectBank(username, practice.password) };
  }

  return {
    sessionsApi,
    simulate: (sessionId, as, request) =>
      practiceApi('POST', `/sandbox/sessions/${sessionId}/simulate`, { body: JSON.stringify({ as }), ...request }),
    advance: (sessionId, request) =>
      practiceApi('POST', `/sandbox/sessions/${sessionId}/advance`, { body: '{}', ...request }),
    createSession,
    async cancelSession(sessionId) {
      const { status } = await sessionsApi('POST', `/${sessionId}/cancel`);
      if (status !== 200) throw new Error(`cancel answered ${status}`);
    },
    connect,
    async pay(username, differences) {
      const connected = await connect(username, differences);
      return { ...connected, payment: await connected.patient.authorize() };
    },
  };
}
