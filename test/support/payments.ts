import { setTimeout as wait } from 'node:timers/promises';
import { createPaymentClient, isProblem, type NewSession, type PaymentClient } from '../../web/client/index.ts';
import { checkedFetch } from './checked-fetch.ts';
import { patientOf, type Answer, type Patient } from './patient.ts';

interface PracticeRequest {
  /** Defaults to the practice's own key; `''` sends none. */
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
  /** The practice's client. It does not retry, so that no fault stays hidden. */
  readonly client: PaymentClient;
  clientOf(apiKey: string): PaymentClient;
  /** `accepted`, or the code of the problem. */
  answerTo(apiKey: string): Promise<string>;
  /** Sends requests that the client cannot send, and returns answers that it does not show. */
  sessionsApi(method: string, path: string, request?: PracticeRequest): Promise<Answer>;
  /** Waits if the practice has reached its rate limit, as a fast test can. */
  createSession(
    differences?: Partial<NewSession>,
    request?: { apiKey?: string; idempotencyKey?: string },
  ): Promise<Link>;
  connect(username: string, differences?: Partial<NewSession>): Promise<Connected>;
  pay(username: string, differences?: Partial<NewSession>): Promise<Connected & { readonly payment: Answer }>;
}

/** `password` is the password of the practice's test bank users. */
export function paymentsOf(practice: { apiUrl: string; apiKey: string; password: string }): Payments {
  function clientOf(apiKey: string): PaymentClient {
    return createPaymentClient({ apiUrl: practice.apiUrl, apiKey, fetch: checkedFetch, maximumAttempts: 1 });
  }
  const client = clientOf(practice.apiKey);

  async function sessionsApi(method: string, path: string, request: PracticeRequest = {}): Promise<Answer> {
    const { apiKey = practice.apiKey, body, headers } = request;
    const response = await checkedFetch(`${practice.apiUrl}/api/practice/sessions${path}`, {
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

  async function createSession(
    differences: Partial<NewSession> = {},
    { apiKey = practice.apiKey, ...options }: { apiKey?: string; idempotencyKey?: string } = {},
  ) {
    const session = {
      invoiceId: `INV-${Math.random()}`,
      amountCents: 18_250,
      patient: { firstName: 'Ada', lastName: 'Okafor' },
      ...differences,
    };
    for (;;) {
      try {
        return await clientOf(apiKey).sessions.create(session, options);
      } catch (error) {
        if (!isProblem(error, 'rate_limited') || error.retryAfter === undefined) throw error;
        await wait(error.retryAfter);
      }
    }
  }

  async function connect(username: string, differences?: Partial<NewSession>): Promise<Connected> {
    const link = await createSession(differences);
    const patient = patientOf(link.hostedUrl);
    return { ...link, patient, connection: await patient.connectBank(username, practice.password) };
  }

  return {
    client,
    clientOf,
    async answerTo(apiKey) {
      try {
        await clientOf(apiKey).sessions.listPage({ limit: 1 });
        return 'accepted';
      } catch (error) {
        if (isProblem(error)) return error.code;
        throw error;
      }
    },
    sessionsApi,
    createSession,
    connect,
    async pay(username, differences) {
      const connected = await connect(username, differences);
      return { ...connected, payment: await connected.patient.authorize() };
    },
  };
}
