import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Table } from '../../functions/contract/environment.ts';
import type { Database } from '../../functions/store/database.ts';
import { createPractice } from '../support/create-practice.ts';
import { author } from '../support/author.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { startServer } from '../support/server.ts';
import { storeEvent } from '../support/webhook-endpoint.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(() => service.stop());

async function startHangingReceiver(): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const port = await startServer(
    createServer((socket) => void socket.on('error', () => {}).once('data', () => (requests += 1))),
  );
  return { url: `http://127.0.0.1:${port}/`, requests: () => requests };
}

it('a webhook comes soon beside nine receivers that hang, with eight events each', { timeout: 120_000 }, async () => {
  // Loads the functions.
  const first = await service.createSession();
  await service.client.sessions.cancel(first.sessionId);
  await service.receiver.waitFor('session.payment.cancelled', first.sessionId);

  const database = service.operated.database as Database<Table>;
  const hanging = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const receiver = await startHangingReceiver();
      const settings = { author, name: 'Hillside Dental', webhookUrl: receiver.url };
      const { practiceId } = await createPractice(service.operated, settings, Date.now());
      return {
        receiver,
        sendEvents: () => Promise.all(Array.from({ length: 8 }, () => storeEvent(database, practiceId, Date.now()))),
      };
    }),
  );
  const quiet = await Promise.all(Array.from({ length: 5 }, () => service.createSession()));
  await Promise.all(hanging.map(({ sendEvents }) => sendEvents()));
  await expect.poll(() => hanging.every(({ receiver }) => receiver.requests() > 0), { timeout: 30_000 }).toBe(true);

  const times: number[] = [];
  for (const { sessionId } of quiet) {
    const sentAt = Date.now();
    await service.client.sessions.cancel(sessionId);
    const { receivedAt } = await service.receiver.waitFor('session.payment.cancelled', sessionId);
    times.push(receivedAt - sentAt);
  }
  console.log(`quiet practice beside nine that hang: ${times.join(', ')} ms`);
  // A request that hangs takes 15 s.
  expect(Math.max(...times)).toBeLessThan(10_000);
});
