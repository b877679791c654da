import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { sessionWebhook, type SessionWebhook } from '../../functions/contract/webhooks/webhooks.ts';
import { verifyWebhook } from '../../web/client/index.ts';
import { checkWebhook } from './checked-fetch.ts';
import { patience } from './until.ts';

interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly receivedAt: number;
  readonly event: SessionWebhook;
}

/** Verifies with standardwebhooks and with our client, and refuses anything but session webhooks. */
export interface Receiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  secret: string;
  /** Answers the next webhook, or the next one about this session, with this status, which defaults to 500. */
  failOnce(sessionId?: string, status?: number): void;
  waitFor(type: string, sessionId: string, timeout?: number): Promise<ReceivedWebhook>;
  /** Lists each event once, because a slow answer repeats it, in sequence order and without `session.payment.`. */
  stepsOf(sessionId: string): string[];
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const refused: string[] = [];
  const failing = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    try {
      const event = sessionWebhook.parse(new Webhook(receiver.secret).verify(body, headers));
      verifyWebhook(body, request.headers, receiver.secret);
      checkWebhook(new Headers(headers), body);
      received.push({ headers: request.headers, body, event, receivedAt: Date.now() });
      const about = failing.has(event.data.sessionId) ? event.data.sessionId : 'any';
      response.writeHead(failing.get(about) ?? 204).end();
      failing.delete(about);
    } catch (error) {
      refused.push(String(error));
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    secret: '',
    failOnce: (sessionId = 'any', status = 500) => void failing.set(sessionId, status),
    async waitFor(type, sessionId, timeout = patience) {
      for (const deadline = Date.now() + timeout; Date.now() < deadline; await wait(5)) {
        const found = received.find(({ event }) => event.type === type && event.data.sessionId === sessionId);
        if (found) return found;
      }
      const types = received.map(({ event }) => event.type).join(', ');
      throw new Error(
        `no ${type} within ${timeout} ms; received: ${types || 'nothing'}; refused: ${refused.join('; ') || 'nothing'}`,
      );
    },
    stepsOf(sessionId) {
      const events = new Map(received.map(({ event }) => [event.id, event]));
      return [...events.values()]
        .filter(({ data }) => data.sessionId === sessionId)
        .sort((left, right) => left.data.sequence - right.data.sequence)
        .map(({ type }) => type.replace('session.payment.', ''));
    },
    stop: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
  return receiver;
}
