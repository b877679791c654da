import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as realPause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { deliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { slotDuration, slotOf } from '../../functions/domain/webhooks/endpoint-health.ts';
import { toIso } from '../../functions/domain/time.ts';
import type { DeliveryKey } from '../../functions/store/webhooks/deliveries.ts';
import { reserveSlot } from '../../functions/store/webhooks/endpoint-health.ts';
import { postWebhook } from '../../functions/webhooks/post.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { startServer } from '../support/server.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const { database } = await startTestTables();

/** Every answer comes before a pause is over, so a batch has a single lane. */
const oneLane = { pause: () => new Promise<never>(() => {}) };

async function aBatch(size: number, differences: Parameters<typeof anEndpoint>[1] = {}) {
  const made = await anEndpoint({ database }, differences);
  const keys: DeliveryKey[] = [];
  for (let stored = 0; stored < size; stored += 1) keys.push(await made.event());
  return { ...made, keys, rows: () => Promise.all(keys.map(made.row)) };
}

/** Wraps a database so that updates of one table fail if the test says so. */
const failing = (table: 'deliveries' | 'webhookEndpoints', isFailing: (input: string) => boolean) =>
  beforeEachCall(database, ({ operation, input }) => {
    const isUpdate = operation === 'UpdateItem' && input.TableName === database.tables[table];
    if (isUpdate && isFailing(JSON.stringify(input))) throw new Error('the table is down');
  });

it('the connections of a batch are closed when it ends: they would be dead when a frozen function goes on', async () => {
  const answer: RequestListener = (request, response) => {
    request.resume();
    response.writeHead(204).end();
  };
  const server = createServer(answer);
  server.keepAliveTimeout = 0;
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  const { keys, batch } = await aBatch(2, { url: `http://127.0.0.1:${await startServer(server)}/` });
  await batch(keys, { post: (post, connections) => postWebhook(post, true, { connections }) });
  const open = sockets.filter((socket) => !socket.destroyed);
  await Promise.all(open.map((socket) => once(socket, 'close')));
  expect(sockets.length).toBeGreaterThan(0);
});

it('the pauses of a batch end with its requests', async () => {
  const { keys, batch } = await aBatch(2);
  const signals: AbortSignal[] = [];
  await batch(keys, {
    pause: (_, signal) => {
      signals.push(signal);
      return oneLane.pause();
    },
  });
  expect(signals.map(({ aborted }) => aborted)).toEqual(signals.map(() => true));
  expect(signals.length).toBeGreaterThan(0);
});

it('a batch without a slot asks for one again only after a pause', async () => {
  const { state, keys, batch, practiceId, endpointId, posted } = await aBatch(1);
  await reserveSlot(database, { practiceId, endpointId }, slotOf('evt_other', state.now), state.now);
  const order: string[] = [];
  await batch(keys, {
    database: failing('webhookEndpoints', () => {
      order.push('asks');
      return false;
    }),
    pause: async () => {
      await realPause(20);
      order.push('waited');
    },
  });
  expect(posted()).toEqual([]);
  expect(order).toEqual([...Array(20).fill(['asks', 'waited']).flat(), 'asks']);
});

it('an endpoint that let a request time out has not answered', async () => {
  const { state, keys, batch, endpoint } = await aBatch(1);
  state.answer = { error: 'timeout' };
  await batch(keys);
  expect(await endpoint()).not.toHaveProperty('answeredAt');
});

it('all tickets of a batch come back if no slot can be asked for', async () => {
  const { state, keys, batch, rows } = await aBatch(2);
  const results = await batch(keys, { database: failing('webhookEndpoints', () => true) });
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(state.posts).toEqual([]);
  for (const row of await rows()) expect(row).not.toHaveProperty('leasedUntil');
});

it('only the ticket of a delivery that cannot be leased comes back', async () => {
  const { keys, batch, rows, posted } = await aBatch(3);
  const [, second] = keys;
  const results = await batch(keys, { database: failing('deliveries', (input) => input.includes(second!.eventId)) });
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(posted()).not.toContain(second!.eventId);
  expect(await rows()).toMatchObject([{ status: 'delivered' }, { status: 'pending' }, { status: 'delivered' }]);
});

it('only the ticket of a delivery that cannot be put off comes back', async () => {
  const { state, keys, batch } = await aBatch(2, { circuitOpenUntil: toIso(Date.now() + 60_000) });
  const [first, second] = keys;
  const results = await batch(keys, { database: failing('deliveries', (input) => input.includes(first!.eventId)) });
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(state.tickets.map(({ body }) => deliveryTicket.parse(body).eventId)).toEqual([second!.eventId]);
});

it('the rest of a batch waits until a failure is recorded, which may disable the endpoint', async () => {
  const { state, keys, batch, rows, endpoint } = await aBatch(3);
  state.answer = { statusCode: 410 };
  const slow = beforeEachCall(database, async ({ operation }) => {
    // The failed attempt has its own row. Long enough to reserve another slot.
    if (operation === 'TransactWriteItems') await realPause(300);
  });
  await batch(keys, { ...oneLane, database: slow });
  expect(state.posts).toHaveLength(1);
  expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  expect((await rows()).map(({ status }) => status)).toEqual(['failed', 'skipped', 'skipped']);
});

it('a batch whose slot cannot be freed still ends, and the slot is free once its lease is over', async () => {
  const { state, keys, batch, rows, event, attempt, row, endpoint } = await aBatch(1);
  const results = await batch(keys, { database: failing('webhookEndpoints', (input) => input.includes('DELETE ')) });
  expect(results).toMatchObject([{ status: 'fulfilled' }]);
  expect(await rows()).toMatchObject([{ status: 'delivered' }]);
  expect((await endpoint()).inFlight?.size).toBe(1);
  state.now += slotDuration;
  const later = await event();
  await attempt(later, 1);
  expect(await row(later)).toMatchObject({ status: 'delivered' });
  expect(await endpoint()).not.toHaveProperty('inFlight');
});
