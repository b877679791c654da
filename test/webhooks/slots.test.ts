import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { dueDeliveries } from '../../functions/store/deliveries.ts';
import { listDue } from '../../functions/store/due-index.ts';
import type { PostResult } from '../../functions/webhooks/post.ts';
import { startTestTables } from '../support/test-tables.ts';
import type { Tables } from '../support/tables.ts';
import { anEndpoint } from './an-endpoint.ts';

const tables = await startTestTables();

/** The database, and how many requests it was sent for one table. */
function counting(database: Tables['database'], table: keyof Tables['database']['tables']) {
  let requests = 0;
  const client = new Proxy(database.client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (property !== 'send') return value;
      return (command: Parameters<typeof target.send>[0]) => {
        if ('TableName' in command.input && command.input.TableName === database.tables[table]) requests += 1;
        return target.send(command);
      };
    },
  });
  return { database: { ...database, client }, count: () => requests };
}

/** An endpoint whose server does not answer until told to. */
async function aHangingEndpoint() {
  const made = await anEndpoint(tables);
  const { promise, resolve } = Promise.withResolvers<Partial<PostResult>>();
  made.state.answer = promise;
  return { ...made, answer: resolve };
}

describe('the requests of one endpoint that are under way', () => {
  // https://github.com/frain-dev/convoy/issues/676: waiting for one's turn is no attempt.
  it('are five at most: further deliveries come back a little later, without an attempt', async () => {
    const { state, event, attempt, row, endpoint, endpointId, answer } = await aHangingEndpoint();
    const deliveries = await Promise.all(Array.from({ length: 8 }, () => event()));
    const working = deliveries.map((delivery) => attempt(delivery, 1));
    await expect.poll(() => state.tickets.length).toBe(3);
    expect(state.posts).toHaveLength(5);
    expect((await endpoint()).inFlight?.size).toBe(5);
    for (const { body, delay, groupId } of state.tickets) {
      expect({ delay, groupId }).toEqual({ delay: 1_000, groupId: endpointId });
      const waiting = deliveries.find(({ eventId }) => 'eventId' in body && body.eventId === eventId);
      if (!waiting) throw new Error('a ticket of another delivery');
      expect(await row(waiting)).toMatchObject({
        status: 'pending',
        attempts: 0,
        nextAttemptAt: new Date(state.now + 1_000).toISOString(),
      });
      expect(await row(waiting)).not.toHaveProperty('leasedUntil');
      expect((await row(waiting)).dueAt, 'for the sweep, should the ticket be lost').toBe(
        new Date(state.now + 121_000).toISOString(),
      );
    }

    answer({ statusCode: 204 });
    await Promise.all(working);
    expect(await endpoint()).not.toHaveProperty('inFlight');
    state.now += 1_000;
    for (const { eventId } of deliveries) if (!state.posts.includes(eventId)) await attempt({ eventId, endpointId }, 1);
    expect(new Set(state.posts)).toEqual(new Set(deliveries.map(({ eventId }) => eventId)));
    expect(state.posts).toHaveLength(8);
  });

  it.each<[string, Partial<PostResult>]>([
    ['a success', { statusCode: 200 }],
    ['an error', { statusCode: 500 }],
    ['a time-out', { error: 'timeout' }],
    ['410 Gone', { statusCode: 410 }],
  ])('are none after %s', async (_, result) => {
    const { state, event, attempt, endpoint } = await anEndpoint(tables);
    state.answer = result;
    await attempt(await event(), 1);
    expect(await endpoint()).not.toHaveProperty('inFlight');
  });

  it('hold their slots for a minute at most, should their workers die', async () => {
    const { state, event, attempt, endpoint } = await anEndpoint(tables);
    const killed = async () => {
      throw new Error('killed');
    };
    for (let count = 0; count < 5; count += 1)
      await expect(attempt(await event(), 1, { post: killed })).rejects.toThrow('killed');
    const waiting = await event();
    await attempt(waiting, 1);
    expect(state.posts).toEqual([]);
    state.now += 60_000;
    await attempt(waiting, 1);
    expect(state.posts).toEqual([waiting.eventId]);
    expect(await endpoint()).not.toHaveProperty('inFlight');
  });

  it('are not asked about by each of thousands: an endpoint found full is taken to be so for a moment', async () => {
    const { state, event, attempt, answer } = await aHangingEndpoint();
    const working = (await Promise.all(Array.from({ length: 6 }, () => event()))).map((delivery) =>
      attempt(delivery, 1),
    );
    await expect.poll(() => state.tickets.length).toBe(1);
    const { database, count } = counting(tables.database, 'webhookEndpoints');
    const more = await Promise.all(Array.from({ length: 20 }, () => event()));
    await Promise.all(more.map((delivery) => attempt(delivery, 1, { database })));
    expect(state.tickets).toHaveLength(21);
    expect(count()).toBe(0);
    answer({ statusCode: 200 });
    await Promise.all(working);
    state.now += 1_000;
    await attempt(more[0] ?? (await event()), 1);
    expect(state.posts).toHaveLength(6);
  });

  it('are not taken by a ticket that comes long before its time, the double of one that was put off', async () => {
    const { state, event, attempt, row } = await anEndpoint(tables);
    const delivery = await event();
    state.answer = { statusCode: 503, retryAfter: '600' };
    await attempt(delivery, 1);
    await attempt(delivery, 2);
    expect(await row(delivery)).toMatchObject({ attempts: 1 });
    state.now += 595_000;
    await attempt(delivery, 2);
    expect(await row(delivery)).toMatchObject({ attempts: 2 });
  });

  it('are none after a delivery whose event is no longer kept', async () => {
    const { state, event, attempt, row, endpoint } = await anEndpoint(tables);
    const delivery = await event();
    await tables.database.client.send(
      new DeleteCommand({ TableName: tables.database.tables.events, Key: { eventId: delivery.eventId } }),
    );
    await attempt(delivery, 1);
    expect(state.posts).toEqual([]);
    expect(await row(delivery)).toMatchObject({ status: 'skipped' });
    expect(await endpoint()).not.toHaveProperty('inFlight');
  });

  it('do not count against another endpoint', async () => {
    const [hanging, quiet] = [await aHangingEndpoint(), await anEndpoint(tables)];
    const working = (await Promise.all(Array.from({ length: 6 }, () => hanging.event()))).map((delivery) =>
      hanging.attempt(delivery, 1),
    );
    await expect.poll(() => hanging.state.posts.length).toBe(5);
    await quiet.attempt(await quiet.event(), 1);
    expect(quiet.state.posts).toHaveLength(1);
    hanging.answer({ statusCode: 200 });
    await Promise.all(working);
  });
});

describe('a delivery that has waited long for an open circuit', () => {
  it('is left to the sweep, so that it takes up no ticket every few minutes', async () => {
    const { state, event, attempt, row } = await anEndpoint(tables);
    state.answer = { error: 'timeout' };
    const old = await event();
    state.now += 100 * 3_600_000;
    for (let count = 0; count < 5; count += 1) await attempt(await event(), 1);
    state.tickets.length = 0;
    await attempt(old, 1, { random: () => 0.999 });
    expect(state.tickets).toEqual([]);
    const { nextAttemptAt = '' } = await row(old);
    expect(Date.parse(nextAttemptAt) - state.now).toBe(30_000 + 3_596_400);
    expect(
      await listDue(tables.database, dueDeliveries(tables.database), Date.parse(nextAttemptAt) - 1, 1000),
    ).not.toContainEqual(old);
    expect(
      await listDue(tables.database, dueDeliveries(tables.database), Date.parse(nextAttemptAt), 1000),
    ).toContainEqual(old);
  });
});
