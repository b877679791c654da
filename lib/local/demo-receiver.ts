import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { SetupError } from './setup-error.ts';
import {
  sessionWebhook,
  testWebhook,
  type SessionWebhook,
  type TestWebhook,
} from '../../functions/contract/webhooks/webhooks.ts';
import * as z from 'zod';

export interface DemoReceiver {
  readonly url: string;
  stop(): Promise<void>;
}

export function startDemoReceiver(
  port: number,
  signingSecret: () => Promise<string>,
  onWebhook: (webhook: SessionWebhook | TestWebhook) => void,
  onRefused: () => void,
): Promise<DemoReceiver> {
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const verified = new Webhook(await signingSecret()).verify(body, headers);
      onWebhook(z.union([sessionWebhook, testWebhook]).parse(verified));
      response.writeHead(204).end();
    } catch {
      onRefused();
      response.writeHead(400).end('the webhook could not be verified');
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', () =>
      reject(new SetupError(`Port ${port} is taken. Free it, or choose other ports with --port N.`)),
    );
    server.listen(port, '127.0.0.1', () => {
      resolve({
        url: `http://127.0.0.1:${port}/webhooks`,
        stop: () =>
          new Promise((done) => {
            server.close(() => done()).closeAllConnections();
          }),
      });
    });
  });
}
