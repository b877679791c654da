import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { SQSClient } from '@aws-sdk/client-sqs';
import { deliveryTicket, type DeliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { slotOf } from '../../functions/domain/webhooks/endpoint-health.ts';
import type { EventRow } from '../../functions/domain/webhooks/event.ts';
import { day, toEpochSeconds, toIso } from '../../functions/domain/time.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import { ticketSender } from '../../functions/messages/queues.ts';
import type { Database } from '../../functions/store/database.ts';
import { leaseDelivery, recordAttempt } from '../../functions/store/webhooks/deliveries.ts';
import { getEvent, getEvents } from '../../functions/store/webhooks/events.ts';
import { freeSlots, reserveSlot } from '../../functions/store/webhooks/endpoint-health.ts';
import { deliver, type EndpointTools } from '../../functions/webhooks/deliver.ts';
import { dispatchEvents } from '../../functions/webhooks/dispatch.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';
import { aFewAtOnce } from '../support/a-few-at-once.ts';
import { deliverOne, deliveryTools } from '../support/tools.ts';
import { storeDelivery, storeEndpoint, storeEvent } from '../support/webhook-endpoint.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { median, percentile, table } from './report.ts';
import { startBenchTables } from './tables.ts';

const batch = 10;
const [rounds, deliveriesPerRound] = [3, 150];
/** `send-webhook` runs 50 invocations of a batch each at once. */
const workers = 50;
/** A request to a server that hangs times out after 15 s. */
const hangSeconds = 16.5;
const perSecond = 10;
const burst = 500;

async function startReceiver(delay: number): Promise<{ url: string; stop(): Promise<unknown> }> {
  const source = `const { parentPort } = require('node:worker_threads');
    const server = require('node:http').createServer((request, response) => request.resume().on('end', () => setTimeout(() => response.writeHead(204).end(), ${delay})));
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(source, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}/`, stop: () => worker.terminate() };
}

async function startHangingServer(): Promise<{ url: string; stop(): void }> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => void server.close().closeAllConnections(),
  };
}

/** The ticket that a dispatch leaves. */
async function newTicket(database: Database, endpoint: WebhookEndpoint): Promise<DeliveryTicket> {
  const key = await storeDelivery(database, endpoint, Date.now());
  return { ...key, practiceId: endpoint.practiceId, attemptNumber: 1 };
}

const posting = (database: Database, differences: Partial<EndpointTools> = {}) =>
  deliveryTools(database, {
    post: (post, connections) => postWebhook(post, true, { connections }),
    random: Math.random,
    ...differences,
  });

async function rate<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<number> {
  const queue = [...items];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: batch }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
  return (items.length / (performance.now() - startedAt)) * 1000;
}

async function onlyStore(database: Database, ticket: DeliveryTicket): Promise<void> {
  const leased = await leaseDelivery(database, ticket, Date.now());
  if (!leased) throw new Error('not leased');
  const slot = slotOf(ticket.eventId, Date.now());
  const [, { row: endpoint }] = await Promise.all([
    getEvent(database, ticket.eventId),
    reserveSlot(database, leased, slot, Date.now()),
  ]);
  if (!endpoint) throw new Error('no endpoint');
  await recordAttempt(
    database,
    leased,
    {
      url: endpoint.url,
      startedAt: new Date().toISOString(),
      durationMilliseconds: 1,
      statusCode: 204,
      responseTruncated: false,
    },
    { status: 'delivered' },
    Date.now(),
  );
  await freeSlots(database, endpoint, [slot], Date.now());
}

async function throughput(database: Database, url: string, receiver: string): Promise<string[][]> {
  const endpoints = await Promise.all(Array.from({ length: batch }, () => storeEndpoint(database, { url })));
  const someTickets = () =>
    Promise.all(
      Array.from({ length: deliveriesPerRound / batch }, () => endpoints)
        .flat()
        .map(async (endpoint) => {
          const ticket = await newTicket(database, endpoint);
          const { body = '' } = (await getEvent(database, ticket.eventId)) ?? {};
          return { ...ticket, body, secret: endpoint.signingSecret };
        }),
    );
  const samples: { full: number; bare: number; store: number }[] = [];
  for (let round = 0; round < rounds + 1; round += 1) {
    const tickets = await someTickets();
    const store = await rate(await someTickets(), (ticket) => onlyStore(database, ticket));
    const full = await rate(tickets, (ticket) => deliverOne(posting(database), ticket));
    const bare = await rate(tickets, ({ eventId, body, secret }) => {
      const headers = signatureHeaders({ eventId, timestamp: toEpochSeconds(Date.now()), body, secrets: [secret] });
      return postWebhook({ url, headers, body }, true);
    });
    // The first round is the warm-up.
    if (round > 0) samples.push({ full, bare, store });
  }
  const [full, bare, store] = [
    median(samples.map((sample) => sample.full)),
    median(samples.map((sample) => sample.bare)),
    median(samples.map((sample) => sample.store)),
  ];
  return [
    [
      `deliveries to a receiver that answers ${receiver}, ${batch} in parallel, median of ${rounds} × ${deliveriesPerRound}`,
      `${full.toFixed(0)} per second`,
    ],
    ['for comparison: only sign and POST', `${bare.toFixed(0)} per second (ratio ${(full / bare).toFixed(2)})`],
    [
      'for comparison: only read and write the same rows',
      `${store.toFixed(0)} per second (ratio ${(full / store).toFixed(2)})`,
    ],
  ];
}

async function requests(uncounted: Database, url: string, failingUrl: string): Promise<string[][]> {
  const counted = { dynamo: 0, sqs: 0 };
  const database = beforeEachCall(uncounted, () => void (counted.dynamo += 1));
  const sqs = new SQSClient({ region: 'us-east-1' });
  // Counted and answered here: the response does not change the count.
  sqs.middlewareStack.add(
    () => async () => ((counted.sqs += 1), { output: { $metadata: {}, Failed: [] }, response: {} }) as never,
    { step: 'initialize' },
  );
  const sendDeliveries = ticketSender('http://127.0.0.1/queue', sqs);
  const cost = (deliveries = 1) => {
    const { dynamo, sqs: sent } = counted;
    Object.assign(counted, { dynamo: 0, sqs: 0 });
    return `${dynamo / deliveries} DynamoDB, ${sent / deliveries} SQS`;
  };
  // Created long before its events, as in production: a new endpoint's first events are read once more.
  const sound = await storeEndpoint(database, { url, createdAt: toIso(Date.now() - day) });
  const { practiceId, endpointId } = sound;
  const stored = async (count: number) =>
    getEvents(
      database,
      await Promise.all(Array.from({ length: count }, () => storeEvent(database, practiceId, Date.now()))),
    );
  const ticketsOf = (events: readonly EventRow[]) =>
    events.map(({ eventId }) => ({ eventId, practiceId, endpointId, attemptNumber: 1 }));
  const [event, ten] = [await stored(1), await stored(batch)];
  const failing = await storeEndpoint(database, { url: failingUrl });
  const failingTicket = await newTicket(database, failing);
  cost();
  await dispatchEvents({ database, sendDeliveries }, event, Date.now());
  const dispatched = cost();
  await deliver(posting(database, { sendDeliveries }), ticketsOf(event));
  const delivered = cost();
  await deliverOne(posting(database, { sendDeliveries }), failingTicket);
  const failed = cost();
  await dispatchEvents({ database, sendDeliveries }, ten, Date.now());
  await deliver(posting(database, { sendDeliveries }), ticketsOf(ten));
  const together = cost(batch);
  return [
    ['requests to dispatch an event to one endpoint', dispatched],
    ['requests for a successful attempt', delivered],
    ['requests for a failed attempt, including the next ticket', failed],
    [`requests per delivery, dispatch included, of ${batch} events at once`, together],
  ];
}

interface Queue {
  send(ticket: DeliveryTicket): void;
  /** After this, no worker takes tickets from it. */
  close(): void;
}

/** First come, first served, in batches, as in Lambda. */
function startWorkers(database: Database, onPost: (eventId: string) => void): Queue {
  const queue: DeliveryTicket[] = [];
  const idle: (() => void)[] = [];
  let isClosed = false;
  const send = (ticket: DeliveryTicket) => {
    queue.push(ticket);
    idle.shift()?.();
  };
  async function work(): Promise<void> {
    const tools = posting(database, {
      pause: (milliseconds) => wait(milliseconds),
      async post(sent, connections) {
        const result = await postWebhook(sent, true, { connections });
        onPost(sent.headers['webhook-id'] ?? '');
        return result;
      },
      async sendDeliveries(tickets) {
        for (const { body, delay = 0 } of tickets)
          void wait(Math.max(delay, 0), undefined, { ref: false }).then(() => send(deliveryTicket.parse(body)));
      },
    });
    while (!isClosed) {
      const tickets = queue.splice(0, batch);
      if (tickets.length > 0) await deliver(tools, tickets);
      else await new Promise<void>((resolve) => idle.push(resolve));
    }
  }
  for (let worker = 0; worker < workers; worker += 1) void work();
  return {
    send,
    close() {
      isClosed = true;
      for (const wake of idle.splice(0)) wake();
    },
  };
}

async function drain(database: Database, url: string, count: number): Promise<string> {
  const endpoint = await storeEndpoint(database, { url });
  const tickets = await aFewAtOnce(count, () => newTicket(database, endpoint));
  const startedAt = performance.now();
  const delivered = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const queue = startWorkers(database, (eventId) => {
    if (delivered.add(eventId).size === count) resolve();
  });
  tickets.forEach(queue.send);
  await promise;
  queue.close();
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

/** Sends `atOnce` deliveries first, then `each` with every quiet one. */
async function quietTimes(
  database: Database,
  url: string,
  { seconds, atOnce = 0, each = 0 }: { seconds: number; atOnce?: number; each?: number },
): Promise<string> {
  const hanging = await startHangingServer();
  const [quiet, busy] = [await storeEndpoint(database, { url }), await storeEndpoint(database, { url: hanging.url })];
  const busyTickets = (count: number) => aFewAtOnce(count, () => newTicket(database, busy));
  const first = await busyTickets(atOnce);
  const sent = new Map<string, number>();
  const posted = new Map<string, number>();
  const queue = startWorkers(database, (eventId) => posted.set(eventId, performance.now()));
  const end = performance.now() + seconds * 1000;
  first.forEach(queue.send);
  while (performance.now() < end) {
    (await busyTickets(each)).forEach(queue.send);
    const ticket = await newTicket(database, quiet);
    sent.set(ticket.eventId, performance.now());
    queue.send(ticket);
    await wait(1000 / perSecond);
  }
  while ([...sent.keys()].some((eventId) => !posted.has(eventId))) await wait(10);
  hanging.stop();
  queue.close();
  const p99 = percentile(
    [...sent].map(([eventId, at]) => (posted.get(eventId) ?? 0) - at),
    0.99,
  );
  return p99 < 1000 ? `${p99.toFixed(0)} ms` : `${(p99 / 1000).toFixed(1)} s`;
}

async function fairness(database: Database, url: string): Promise<string[][]> {
  return [
    [
      `p99 of a quiet practice at about ${perSecond} deliveries per second, alone`,
      await quietTimes(database, url, { seconds: 4 }),
    ],
    [
      'the same, next to as many deliveries to a server that hangs',
      await quietTimes(database, url, { seconds: hangSeconds, each: 1 }),
    ],
    [
      `the same, behind ${2 * workers * batch} at once to a server that hangs (twice the concurrency, first come first served, without SQS fairness)`,
      await quietTimes(database, url, { seconds: hangSeconds, atOnce: 2 * workers * batch }),
    ],
  ];
}

/** Measures the sender's core, without Lambda and SQS. */
export async function benchSender(): Promise<string> {
  const { database, stop } = await startBenchTables();
  const [instant, usual] = [await startReceiver(0), await startReceiver(100)];
  const rows = [
    ...(await throughput(database, instant.url, 'at once')),
    ...(await throughput(database, usual.url, 'after 100 ms')),
    ...(await requests(database, instant.url, 'http://127.0.0.1:1/')),
    [
      `${burst} deliveries at once to one endpoint that answers after 100 ms, five in parallel (at best ${(burst / 5 / 10).toFixed(0)} s)`,
      await drain(database, usual.url, burst),
    ],
    ...(await fairness(database, instant.url)),
  ];
  await Promise.all([instant.stop(), usual.stop()]);
  await stop();
  return table(['sender core', 'measured'], rows);
}
