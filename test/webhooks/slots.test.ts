import { describe, expect, it } from 'vitest';
import { deliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { slotOf } from '../../functions/domain/webhooks/endpoint-health.ts';
import { reserveSlot } from '../../functions/store/webhooks/endpoint-health.ts';
import { hour, toIso } from '../../functions/domain/time.ts';
import { dueDeliveries } from '../../functions/store/webhooks/deliveries.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { remove } from '../../functions/store/rows.ts';
import { deliver } from '../../functions/webhooks/deliver.ts';
import { aFewAtOnce } from '../support/a-few-at-once.ts';
import { countRequests } from '../support/answered-client.ts';
import { listDue } from '../support/put-all.ts';
import type { PostResult } from '../../functions/webhooks/post.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const { database } = await startTestTables();

async function aHangingEndpoint(count: number) {
  const made = await anEndpoint({ database });
  const { promise, resolve } = Promise.withResolvers<Partial<PostResult>>();
  made.state.answer = () => promise;
  const deliveries = await aFewAtOnce(count, () => made.event());
  const working = made.batch(deliveries);
  await expect.poll(() => [made.state.posts.length, made.state.tickets.length]).toEqual([5, count - 5]);
  return {
    ...made,
    deliveries,
    async answer(result: Partial<PostResult>) {
      resolve(result);
      await working;
    },
  };
}

describe('the requests in flight to one endpoint', () => {
  // https://github.com/frain-dev/convoy/issues/676: waiting in line counted as an attempt.
  it('are at most five; other deliveries come back a second later, without an attempt', async () => {
    const { state, row, endpoint, endpointId, deliveries, answer, posted, drain } = await aHangingEndpoint(8);
    expect((await endpoint()).inFlight?.size).toBe(5);
    for (const { body, delay, groupId } of state.tickets) {
      expect({ delay, groupId }).toEqual({ delay: 1_000, groupId: endpointId });
      const waiting = deliveries.find(({ eventId }) => 'eventId' in body && body.eventId === eventId);
      if (!waiting) throw new Error('a ticket of another delivery');
      const delivery = await row(waiting);
      expect(delivery).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt: toIso(state.now + 1_000) });
      expect(delivery).not.toHaveProperty('leasedUntil');
      expect(delivery.dueAt, 'for the sweep, if the ticket is lost').toBe(toIso(state.now + 121_000));
    }

    await answer({ statusCode: 204 });
    expect(await endpoint()).not.toHaveProperty('inFlight');
    state.now += 1_000;
    await drain();
    expect(posted().sort()).toEqual(deliveries.map(({ eventId }) => eventId).sort());
  });

  it.each<[string, Partial<PostResult>]>([
    ['a success', { statusCode: 200 }],
    ['an error', { statusCode: 500 }],
    ['a timeout', { error: 'timeout' }],
    ['410 Gone', { statusCode: 410 }],
  ])('free their slots after %s', async (_, result) => {
    const { state, event, attempt, endpoint } = await anEndpoint({ database });
    state.answer = result;
    await attempt(await event(), 1);
    expect(await endpoint()).not.toHaveProperty('inFlight');
  });

  it('hold their slots for 25 seconds if their workers die: the last request began after 5 and ended after 20', async () => {
    const { state, practiceId, event, attempt, endpoint, endpointId, posted } = await anEndpoint({ database });
    let held: string | undefined;
    for (const eventId of ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5']) {
      const slot = slotOf(eventId, state.now);
      await reserveSlot(database, { practiceId, endpointId }, slot, state.now, { slot: held });
      held = slot;
    }
    expect((await endpoint()).inFlight?.size).toBe(5);
    const waiting = await event();
    await attempt(waiting, 1);
    expect(posted()).toEqual([]);
    state.now += 24_999;
    await attempt(waiting, 1);
    expect(posted(), 'its workers may still live').toEqual([]);
    state.now += 1;
    await attempt(waiting, 1);
    expect(posted()).toEqual([waiting.eventId]);
    expect(await endpoint()).not.toHaveProperty('inFlight');
  });

  it('are waited for up to two seconds, but not if one has been unanswered for half a second', async () => {
    const { state, practiceId, endpointId, event, attempt, posted } = await anEndpoint({ database });
    const slot = slotOf('evt_other', state.now);
    await reserveSlot(database, { practiceId, endpointId }, slot, state.now);
    const pauses: number[] = [];
    const pause = async (milliseconds: number) => void pauses.push(milliseconds);
    await attempt(await event(), 1, { pause });
    expect(pauses).toEqual(Array(20).fill(100));
    state.now += 500;
    await attempt(await event(), 1, { pause });
    expect(pauses).toHaveLength(20);
    expect(posted()).toEqual([]);
    expect(state.tickets).toHaveLength(2);
  });

  it('free their slots if we fail, not the receiver', async () => {
    const { event, attempt, endpoint } = await anEndpoint({ database });
    const killed = async () => {
      throw new Error('killed');
    };
    await expect(attempt(await event(), 1, { post: killed })).rejects.toThrow('killed');
    expect(await endpoint()).not.toHaveProperty('inFlight');
  });

  it('are asked about before a delivery is leased, so that one that is refused is put off in one write', async () => {
    const { state, tools, endpointId, outboxEvent, dispatch, row, posted, drain, answer } = await aHangingEndpoint(6);
    const eventIds = await Promise.all([1, 2, 3].map(() => outboxEvent()));
    for (const eventId of eventIds) await dispatch(eventId);
    const refusedBefore = 1;
    const tickets = state.tickets.splice(0).map(({ body }) => deliveryTicket.parse(body));
    expect(tickets).toHaveLength(refusedBefore + eventIds.length);
    state.now += 1_000;
    const { database: counted, requests } = countRequests(database);
    await deliver({ ...tools, database: counted }, tickets);
    expect(requests()).toMatchObject({ deliveries: tickets.length, events: 1 });
    for (const { eventId } of tickets) {
      const waiting = await row({ eventId, endpointId });
      expect(waiting).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt: toIso(state.now + 1_000) });
      expect(waiting).not.toHaveProperty('leasedUntil');
      expect(waiting.dueAt, 'for the sweep, if the ticket is lost').toBe(toIso(state.now + 121_000));
      expect(await getEvent(database, eventId)).not.toHaveProperty('dueAt');
    }

    await answer({ statusCode: 204 });
    state.now += 1_000;
    await drain();
    expect(posted()).toHaveLength(5 + tickets.length);
    expect(posted()).toEqual(expect.arrayContaining(eventIds));
  });

  it('leave out a duplicate ticket that comes long before its time', async () => {
    const { state, event, attempt, row } = await anEndpoint({ database });
    const delivery = await event();
    state.answer = { statusCode: 503, retryAfter: '600' };
    await attempt(delivery, 1);
    await attempt(delivery, 2);
    expect(await row(delivery)).toMatchObject({ attempts: 1 });
    state.now += 595_000;
    await attempt(delivery, 2);
    expect(await row(delivery)).toMatchObject({ attempts: 2 });
  });

  it('leave out a delivery whose event is no longer stored', async () => {
    const { state, event, attempt, row, endpoint } = await anEndpoint({ database });
    const delivery = await event();
    const { eventId } = delivery;
    await remove(database, 'events', { eventId });
    await attempt(delivery, 1);
    expect(state.posts).toEqual([]);
    expect(await row(delivery)).toMatchObject({ status: 'skipped' });
    expect(await endpoint()).not.toHaveProperty('inFlight');
  });

  it('are those of one worker until the endpoint has answered, and of several for ten seconds after', async () => {
    const { state, event, attempt, posted } = await anEndpoint({ database });
    const { promise, resolve } = Promise.withResolvers<Partial<PostResult>>();
    state.answer = () => promise;
    const [first, second, third, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => event()));
    const working = [attempt(first!, 1)];
    await expect.poll(posted).toEqual([first!.eventId]);
    await attempt(second!, 1);
    expect(posted()).toHaveLength(1);
    resolve({ statusCode: 204 });
    await Promise.all(working);

    const again = Promise.withResolvers<Partial<PostResult>>();
    state.answer = () => again.promise;
    state.now += 1_000;
    working.push(attempt(third!, 1));
    await expect.poll(() => posted().length).toBe(2);
    working.push(attempt(second!, 1));
    await expect.poll(() => posted().length).toBe(3);
    state.now += 10_000;
    for (const other of others) await attempt(other, 1);
    expect(posted()).toHaveLength(3);
    again.resolve({ statusCode: 204 });
    await Promise.all(working);
  });

  it('do not count against another endpoint', async () => {
    const hanging = await aHangingEndpoint(6);
    const quiet = await anEndpoint({ database });
    await quiet.attempt(await quiet.event(), 1);
    expect(quiet.state.posts).toHaveLength(1);
    await hanging.answer({ statusCode: 200 });
  });
});

it('a delivery that has waited long for an open circuit is left to the sweep and uses no tickets', async () => {
  const { state, event, attempt, row } = await anEndpoint({ database });
  state.answer = { error: 'timeout' };
  const old = await event();
  state.now += 100 * hour;
  for (let count = 0; count < 5; count += 1) await attempt(await event(), 1);
  state.tickets.length = 0;
  await attempt(old, 1, { random: () => 0.999 });
  expect(state.tickets).toEqual([]);
  const nextAttemptAt = Date.parse((await row(old)).nextAttemptAt ?? '');
  expect(nextAttemptAt - state.now).toBe(30_000 + 3_596_400);
  expect(await listDue(dueDeliveries(database), nextAttemptAt - 1, 1000)).not.toContainEqual(old);
  expect(await listDue(dueDeliveries(database), nextAttemptAt, 1000)).toContainEqual(old);
});
