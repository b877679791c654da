import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { inject } from 'vitest';
import { createPractice } from '../../functions/practices/settings.ts';
import { openLocal, type OperatedStack } from '../../bin/practice/stack.ts';
import { operatorFileOf } from '../../bin/practice/files.ts';
import { sessionWebhook, type SessionWebhook } from '../../functions/contract/webhooks.ts';
import { startLocalStack, type LocalStack } from '../../lib/local/stack.ts';
import { checkedFetch, checkWebhook } from './checked-fetch.ts';

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly receivedAt: number;
  readonly event: SessionWebhook;
}

/** A practice's webhook server that verifies what it gets with the standardwebhooks package and answers as it is told. */
export interface Receiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** The statuses of the next answers, in order; 204 when there are none left. */
  readonly answers: number[];
  secret: string;
  /** Waits for the webhook of this type about this session; throws after `timeout` milliseconds. */
  waitFor(type: string, sessionId: string, timeout?: number): Promise<ReceivedWebhook>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const refused: string[] = [];
  const answers: number[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    try {
      const event = sessionWebhook.parse(new Webhook(receiver.secret).verify(body, headers));
      checkWebhook(new Headers(headers), body);
      received.push({ headers: request.headers, body, event, receivedAt: Date.now() });
      response.writeHead(answers.shift() ?? 204).end();
    } catch (error) {
      refused.push(String(error));
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    answers,
    secret: '',
    async waitFor(type, sessionId, timeout = 15_000) {
      for (const deadline = Date.now() + timeout; Date.now() < deadline; await wait(5)) {
        const found = received.find(({ event }) => event.type === type && event.data.sessionId === sessionId);
        if (found) return found;
      }
      throw new Error(
        `no ${type} within ${timeout} ms; received: ${received.map(({ event }) => event.type).join(', ') || 'nothing'}; refused: ${refused.join('; ') || 'nothing'}`,
      );
    },
    stop: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
  return receiver;
}

export interface TestStack {
  readonly stack: LocalStack;
  readonly operated: OperatedStack;
  readonly apiUrl: string;
  readonly hostedUrl: string;
  readonly receiver: Receiver;
  readonly practice: { practiceId: string; apiKey: string; endpointId: string; username: string; password: string };
  createSession(
    differences?: object,
    headers?: Record<string, string>,
  ): Promise<{ sessionId: string; hostedUrl: string }>;
  /** The patient API as the page of this link calls it, in this language where one is given. */
  patient(
    hostedUrl: string,
    language?: string,
  ): (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ) => Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>;
  stop(): Promise<void>;
}

/** The whole service on free ports, with a practice and its receiver. `dataDir` is kept where one is given; `log` gets what the runner prints. */
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
  const created = await createPractice(
    operated,
    { name: 'Lakeside Family Practice', webhookUrl: receiver.url, supportPhone: '+1 555 010 0100' },
    Date.now(),
  );
  receiver.secret = created.signingSecret ?? '';
  const { username, password } = created.testBankCredentials?.[0] ?? { username: '', password: '' };
  const practice = {
    practiceId: created.practiceId,
    apiKey: created.apiKey,
    endpointId: created.endpointId ?? '',
    username,
    password,
  };

  return {
    stack,
    operated,
    apiUrl: stack.apiUrl,
    hostedUrl: stack.hostedUrl ?? '',
    receiver,
    practice,
    async createSession(differences = {}, headers = {}) {
      const response = await checkedFetch(`${stack.apiUrl}/api/practice/sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${practice.apiKey}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({
          invoiceId: `INV-${Math.random()}`,
          amountCents: 18_250,
          patient: { firstName: 'Ada', lastName: 'Okafor' },
          ...differences,
        }),
      });
      if (response.status !== 201) throw new Error(`create answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as { sessionId: string; hostedUrl: string };
    },
    patient(hostedUrl, language) {
      const token = hostedUrl.split('/s/')[1] ?? '';
      return async (method, path, body) => {
        const response = await fetch(`${new URL(hostedUrl).origin}/api/patient/session${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(language !== undefined && { 'accept-language': language }),
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        return {
          status: response.status,
          body: (await response.json()) as Record<string, unknown>,
          headers: response.headers,
        };
      };
    },
    async stop() {
      await stack.stop();
      await receiver.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
