import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { operatorFileOf } from '../../bin/practice/files.ts';
import { openLocal, type OperatedStack } from '../../bin/practice/stack.ts';
import { createPractice } from '../../functions/practices/settings.ts';
import { startLocalStack, type LocalStack } from '../../lib/local/stack.ts';
import { checkedFetch } from './checked-fetch.ts';
import { patientOf, type Answer, type Patient } from './patient.ts';
import { startReceiver, type Receiver } from './receiver.ts';

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
  /** The answer to the bank sign-in. */
  readonly connection: Answer;
}

export interface TestStack {
  readonly stack: LocalStack;
  readonly operated: OperatedStack;
  readonly apiUrl: string;
  readonly hostedUrl: string;
  readonly receiver: Receiver;
  readonly practice: { practiceId: string; apiKey: string; endpointId: string; password: string };
  /** Calls the practice API, below `/api/practice/sessions`; throws if the answer breaks the OpenAPI document. */
  sessionsApi(method: string, path: string, request?: PracticeRequest): Promise<Answer>;
  createSession(differences?: object, request?: Omit<PracticeRequest, 'body'>): Promise<Link>;
  /** Cancels a session as its practice; throws if it is refused. */
  cancelSession(sessionId: string): Promise<void>;
  /** A new session with a patient who signed in to the bank as this user. */
  connect(username: string, differences?: object): Promise<Connected>;
  /** The same, with a patient who then authorized the payment. */
  pay(username: string, differences?: object): Promise<Connected & { readonly payment: Answer }>;
  stop(): Promise<void>;
}

/** Starts the whole service on free ports, with one practice and its receiver. A `dataDir` that is given is kept; `log` gets the runner's lines. */
export async function startTestStack(
  options: { dataDir?: string; log?: (line: string) => void } = {},
): Promise<TestStack> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'payment-stack-')));
  const receiver = await startReceiver();
  const stack = await startLocalStack({
    ...inject('assembly'),
    dataDir,
    firstPort: 0,
    hostEnvironment: {},
    ...(options.log && { log: options.log }),
  });
  const operated = openLocal(operatorFileOf(stack));
  const settings = { name: 'Lakeside Family Practice', webhookUrl: receiver.url, supportPhone: '+1 555 010 0100' };
  const created = await createPractice(operated, settings, Date.now());
  receiver.secret = created.signingSecret ?? '';
  const practice = {
    practiceId: created.practiceId,
    apiKey: created.apiKey,
    endpointId: created.endpointId ?? '',
    password: created.testBankCredentials?.[0]?.password ?? '',
  };

  async function sessionsApi(method: string, path: string, request: PracticeRequest = {}): Promise<Answer> {
    const { apiKey = practice.apiKey, body, headers } = request;
    const response = await checkedFetch(`${stack.apiUrl}/api/practice/sessions${path}`, {
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
    stack,
    operated,
    apiUrl: stack.apiUrl,
    hostedUrl: stack.hostedUrl ?? '',
    receiver,
    practice,
    sessionsApi,
    createSession,
    connect,
    async cancelSession(sessionId) {
      const { status } = await sessionsApi('POST', `/${sessionId}/cancel`);
      if (status !== 200) throw new Error(`cancel answered ${status}`);
    },
    async pay(username, differences) {
      const connected = await connect(username, differences);
      return { ...connected, payment: await connected.patient.authorize() };
    },
    async stop() {
      await stack.stop();
      await receiver.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
