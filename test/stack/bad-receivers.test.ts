import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../functions/store/database.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { startServer } from '../support/server.ts';
import { storeEvent } from '../support/webhook-endpoint.ts';

// Of its own: its bad receivers would slow down the webhooks of other files.
let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(() => service.stop());

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';
const answers = {
  hangs: () => {},
  drips: (socket) => {
    const drop = setInterval(() => void socket.write('x'), 500);
    socket.write(`${head}content-length: 10000\r\n\r\n`);
    socket.on('close', () => clearInterval(drop));
  },
  resets: (socket) => void socket.resetAndDestroy(),
  floods: (socket) => {
    const flood = (): void => {
      while (socket.writable && socket.write('x'.repeat(16_384)));
    };
    socket.write(`${head}\r\n`);
    socket.on('drain', flood);
    flood();
  },
} as const satisfies Record<string, (socket: Socket) => void>;
// Those that hang are asked last, when the others leave the machine time.
const nine = ['resets', 'resets', 'floods', 'floods', 'drips', 'drips', 'hangs', 'hangs', 'hangs'] as const;

async function startBadReceiver(answer: (socket: Socket) => void): Promise<{ url: string; asking: Socket[] }> {
  const asking: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      asking.push(socket);
      answer(socket);
    });
  });
  return { url: `http://127.0.0.1:${await startServer(server, afterAll)}/`, asking };
}

async function badPractice(kind: keyof typeof answers) {
  const receiver = await startBadReceiver(answers[kind]);
  const settings = { author, name: 'Hillside Dental', webhookUrl: receiver.url };
  const { practiceId } = await createPractice(service.operated, settings, Date.now());
  return { kind, receiver, practiceId };
}

/** Whether another practice got its webhooks before a request that hangs timed out. */
async function arriveMeanwhile(): Promise<boolean> {
  const bad: Awaited<ReturnType<typeof badPractice>>[] = [];
  for (const kind of nine) bad.push(await badPractice(kind));
  const quiet: string[] = [];
  for (let count = 0; count < 5; count += 1) quiet.push((await service.createSession()).sessionId);
  const database = service.operated.database as Database;
  for (const { practiceId } of bad)
    await Promise.all(Array.from({ length: 8 }, () => storeEvent(database, practiceId, Date.now())));
  await expect.poll(() => bad.every(({ receiver }) => receiver.asking.length > 0), { timeout: 60_000 }).toBe(true);

  const hanging = bad.flatMap(({ kind, receiver }) => (kind === 'hangs' ? receiver.asking : []));
  const open = hanging.filter(({ closed }) => !closed);
  await Promise.all(quiet.map((sessionId) => service.client.sessions.cancel(sessionId)));
  await Promise.all(quiet.map((sessionId) => service.receiver.waitFor('session.payment.cancelled', sessionId)));
  // Whoever waits for these requests waits until one of them times out.
  return open.length > 0 && open.every(({ closed }) => !closed);
}

it('webhooks arrive while nine receivers hang, drip, reset or flood, with eight events each', async () => {
  // Loads the functions.
  const first = await service.createSession();
  await service.client.sessions.cancel(first.sessionId);
  await service.receiver.waitFor('session.payment.cancelled', first.sessionId);

  // A busy machine can take longer than a request may hang. Webhooks that wait arrive too late in every round.
  let rounds = 1;
  while (!(await arriveMeanwhile()) && rounds < 5) rounds += 1;
  expect(rounds).toBeLessThan(5);
});
