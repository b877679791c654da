import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { stop as stopEsbuild } from 'esbuild';
import { operatorFileOf } from '../../bin/practice/files.ts';
import { openLocal } from '../../bin/practice/stack.ts';
import type { Database } from '../../functions/store/database.ts';
import { day, minute, toIso } from '../../functions/domain/time.ts';
import { writeCancellation } from '../../functions/store/sessions/transitions.ts';
import { startLocalStack } from '../../lib/local/stack.ts';
import { synthesize } from '../../lib/build/synthesize.ts';
import { author, createPractice, storeSession } from '../support/create-practice.ts';
import { paymentsOf, type Payments } from '../support/payments.ts';
import { storeEndpoint } from '../support/webhook-endpoint.ts';
import { median, percentile, table } from './report.ts';
import { usedCpu } from './npm-start.ts';

const burst = 500;
const rounds = 5;
const writersAtOnce = 20;
/** The first calls let Node compile the functions of the API, which the bursts do not call. */
const gentle = { calls: 150, perSecond: 10, warmUp: 90 };

/** Answers 204 at once, in its own thread, and records the time of each request by its path. */
async function startReceiver() {
  const source = `const { parentPort } = require('node:worker_threads');
    const server = require('node:http').createServer((request, response) => {
      parentPort.postMessage([request.headers['webhook-id'], Date.now()]);
      request.resume().on('end', () => response.writeHead(204).end());
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(source, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const times = new Map<string, number>();
  worker.on('message', ([eventId, at]: [string, number]) => times.set(eventId, at));
  return { url: `http://127.0.0.1:${port}/`, times, stop: () => worker.terminate() };
}

/** Longer than the 60 s and 120 s before Lambda retries a failed invocation, which happens on a busy machine. */
const patience = 240_000;

/** Throws if nothing has arrived for that long. */
async function untilAll(goal: number, count: () => number): Promise<void> {
  let [last, deadline] = [count(), Date.now() + patience];
  for (; count() < goal; await wait(5)) {
    if (count() > last) [last, deadline] = [count(), Date.now() + patience];
    if (Date.now() > deadline) throw new Error(`it stalls after ${last} of ${goal} deliveries`);
  }
}

async function startStack() {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const assembly = await synthesize({ stage: 'sandbox', local: true, outdir: join(directory, 'assembly') });
  await stopEsbuild();
  const stack = await startLocalStack({
    ...assembly,
    dataDir: join(directory, 'data'),
    firstPort: 0,
    log: (line) => console.error(line),
  });
  cleanup.defer(() => stack.stop());
  const operated = openLocal(operatorFileOf(stack));
  const started = cleanup.move();
  const database = operated.database as Database;
  return { apiUrl: stack.apiUrl, operated, database, stop: () => started.disposeAsync() };
}

type Stack = Awaited<ReturnType<typeof startStack>>;
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

async function aPractice({ operated, database, apiUrl }: Stack, { url }: Receiver) {
  const created = await createPractice(operated, { author, name: 'Lakeside Family Practice' }, Date.now());
  const { practiceId, apiKey } = created;
  await storeEndpoint(database, { practiceId, url, createdAt: toIso(Date.now() - day) });
  return { practiceId, payments: paymentsOf({ apiUrl, apiKey, password: '' }) };
}

interface Burst {
  readonly perSecond: number;
  /** Milliseconds per delivery. */
  readonly cpu: number;
}

/** Cancels sessions, whose events go through the outbox, the bus and the queue. */
async function deliverBurst(stack: Stack, receiver: Receiver, practices: number): Promise<Burst> {
  const made = await Promise.all(Array.from({ length: practices }, () => aPractice(stack, receiver)));
  const now = Date.now();
  // Otherwise, the stack's own sweep would cancel some of them.
  const expiresAt = toIso(now + 30 * minute);
  const sessions = [];
  for (let number = 0; number < burst; number += 1) {
    const { practiceId = '' } = made[number % practices] ?? {};
    sessions.push(await storeSession(stack.database, { practiceId, expiresAt }, now));
  }
  receiver.times.clear();
  const [cpuBefore, startedAt] = [await usedCpu(), performance.now()];
  const queue = [...sessions];
  await Promise.all(
    Array.from({ length: writersAtOnce }, async () => {
      for (let next = queue.pop(); next; next = queue.pop()) await writeCancellation(stack.database, next, Date.now());
    }),
  );
  await untilAll(burst, () => receiver.times.size);
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: burst / seconds, cpu: ((await usedCpu()) - cpuBefore) / burst };
}

function rateOf(bursts: readonly Burst[]): string {
  const rates = bursts.map(({ perSecond }) => perSecond);
  return `${median(rates).toFixed(0)} deliveries/s, slowest ${Math.min(...rates).toFixed(0)}`;
}

function cpuOf(bursts: readonly Burst[]): string {
  return median(bursts.map(({ cpu }) => cpu)).toFixed(1);
}

async function deliverGently({ client, createSession }: Payments, receiver: Receiver) {
  const sessions = [];
  for (let number = 0; number < gentle.calls; number += 1) sessions.push(await createSession());
  const sent = new Map<string, number>();
  const calls = [];
  for (const { sessionId } of sessions) {
    sent.set(`evt_${sessionId.slice(4)}_1`, Date.now());
    calls.push(client.sessions.cancel(sessionId));
    await wait(1000 / gentle.perSecond);
  }
  await Promise.all(calls);
  const received = () => [...sent.keys()].filter((eventId) => receiver.times.has(eventId)).length;
  await untilAll(sent.size, received);
  return [...sent].slice(gentle.warmUp).map(([eventId, at]) => (receiver.times.get(eventId) ?? 0) - at);
}

/** Events through the whole running stack to a receiver that answers at once. */
export async function benchDeliveries(): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const stack = await startStack();
  cleanup.defer(stack.stop);
  const receiver = await startReceiver();
  cleanup.defer(async () => void (await receiver.stop()));
  // The first burst loads the functions.
  await deliverBurst(stack, receiver, 1);
  const one: Burst[] = [];
  const ten: Burst[] = [];
  for (let round = 0; round < rounds; round += 1) {
    one.push(await deliverBurst(stack, receiver, 1));
    ten.push(await deliverBurst(stack, receiver, 10));
  }
  const { payments } = await aPractice(stack, receiver);
  const latencies = await deliverGently(payments, receiver);
  const [p50, p95] = [percentile(latencies, 0.5), percentile(latencies, 0.95)];
  return table(
    ['on the local run, to a receiver that answers at once', 'measured', 'Svix 1.100 on the same machine, 2026-11-20'],
    [
      [`${burst} events at once to one endpoint, median of ${rounds}`, rateOf(one), '581/s'],
      [`${burst} events at once to ten endpoints, median of ${rounds}`, rateOf(ten), '490/s'],
      ['CPU per delivery in a burst, median', `${cpuOf(one)} ms, to ten ${cpuOf(ten)} ms`, '2.6–3.0 ms'],
      [
        `${gentle.perSecond} calls a second: call sent → webhook received, p50 / p95`,
        `${p50.toFixed(0)} / ${p95.toFixed(0)} ms`,
        '4.4 / 5.8 ms',
      ],
    ],
  );
}
