import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ulid } from '../../functions/domain/identifier.ts';
import { minute, second, toIso } from '../../functions/domain/time.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { readMemberships } from '../../functions/store/practices/platforms.ts';
import { put } from '../../functions/store/writes.ts';
import { transact } from '../../functions/store/transact.ts';
import { putPracticeEvent } from '../../functions/store/webhooks/events.ts';
import { listDeliveriesOfEvent } from '../../functions/store/webhooks/delivery-log.ts';
import { getDeliveryDetail, listDeliveries } from '../../functions/webhooks/list-deliveries.ts';
import { listEvents } from '../../functions/webhooks/list-events.ts';
import { reachable } from '../../functions/webhooks/reachable.ts';
import { replayDeliveries, resendEvent } from '../../functions/webhooks/resend.ts';
import { updateEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import { aPractice } from '../support/examples.ts';
import { author } from '../support/create-practice.ts';
import { beforeEachCall, countRequests } from '../support/answered-client.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint, storeEndpoint, storeEvent } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();
const { database } = tables;

/** A platform's endpoint, and what happens at its practices. */
async function aPlatform(differences: Partial<WebhookEndpoint> = {}) {
  const owned = await anEndpoint(tables, { practiceId: `plt_${ulid(Date.now(), randomBytes)}`, ...differences });
  const { state, tools, practiceId: platformId, endpointId, dispatch } = owned;
  const move = async (practiceId: string, joined: string | undefined) => {
    const membership = joined === undefined ? {} : { platformId: joined, platformSince: toIso(state.now) };
    await transact(database, { practice: put(database, 'practices', { practiceId, ...membership }) });
  };
  return {
    ...owned,
    platformId,
    move,
    async aPractice() {
      const practiceId = `prc_${ulid(Date.now(), randomBytes)}`;
      await move(practiceId, platformId);
      return practiceId;
    },
    eventOf: (practiceId: string) => storeEvent(database, practiceId, state.now),
    async dispatchedEventOf(practiceId: string) {
      const eventId = await storeEvent(database, practiceId, state.now);
      await dispatch(eventId);
      return { eventId, endpointId };
    },
    /** What the platform sees through every list. */
    async seen() {
      const { deliveries } = await listDeliveries(tools, { practiceId: platformId });
      const { events } = await listEvents(tools, { practiceId: platformId, limit: 10 }, state.now);
      return { deliveries: deliveries.map(({ eventId }) => eventId), events: events.map(({ eventId }) => eventId) };
    },
  };
}

const nothing = { deliveries: [], events: [] };

describe('an event of a practice that belongs to a platform', () => {
  it('goes to the endpoints of both, and each owner lists only its own delivery', async () => {
    const { state, tools, platformId, endpointId, aPractice, dispatchedEventOf, drain, seen } = await aPlatform();
    const [practiceId, other] = [await aPractice(), await aPractice()];
    const own = await storeEndpoint(database, { practiceId, createdAt: toIso(state.now) });
    const { eventId } = await dispatchedEventOf(practiceId);
    state.now += second;
    const { eventId: otherId } = await dispatchedEventOf(other);
    await drain();
    expect(state.posts.map((post) => [post.eventId, post.endpointId]).sort()).toEqual(
      [
        [eventId, own.endpointId],
        [eventId, endpointId],
        [otherId, endpointId],
      ].sort(),
    );
    expect(await seen()).toEqual({ deliveries: [otherId, eventId], events: [otherId, eventId] });
    const ofPractice = await listDeliveriesOfEvent(database, eventId, practiceId);
    expect(ofPractice.map((delivery) => delivery.endpointId)).toEqual([own.endpointId]);
    const sessionId = `ses_${eventId.slice('evt_'.length, -'_1'.length)}`;
    for (const ownerId of [platformId, practiceId]) {
      const { events } = await listEvents(tools, { practiceId: ownerId, sessionId, limit: 10 }, state.now);
      expect(events).toMatchObject([{ eventId }]);
      const { deliveries } = await listDeliveries(tools, { practiceId: ownerId, sessionId });
      expect(deliveries).toMatchObject([{ eventId, practiceId: ownerId, status: 'delivered' }]);
    }
  });

  it('goes only to the endpoints that name the practice, if they name any', async () => {
    const { state, platformId, endpointId, aPractice, dispatchedEventOf, drain } = await aPlatform();
    const [named, other] = [await aPractice(), await aPractice()];
    const only = { practiceId: platformId, practiceIds: [named], createdAt: toIso(state.now) };
    const filtered = await storeEndpoint(database, only);
    const events = [await dispatchedEventOf(named), await dispatchedEventOf(other)];
    await drain();
    expect(state.posts.filter((post) => post.endpointId === filtered.endpointId)).toMatchObject([
      { eventId: events[0]?.eventId },
    ]);
    expect(state.posts.filter((post) => post.endpointId === endpointId)).toHaveLength(2);
  });

  it('is not for the platform if it is older than the membership', async () => {
    const { state, platformId, aPractice, move, eventOf, dispatch, seen } = await aPlatform();
    const practiceId = await aPractice();
    const eventId = await eventOf(practiceId);
    state.now += second;
    await move(practiceId, platformId);
    await dispatch(eventId);
    expect(state.tickets).toEqual([]);
    expect(await seen()).toEqual(nothing);
  });
});

describe('that a practice joined or left its platform', () => {
  const types = ['practice.joined', 'practice.left'];

  /** The platform's first endpoint names no types. */
  async function aMove(differences: Partial<WebhookEndpoint> = {}) {
    const owned = await aPlatform(differences);
    const { platformId, state } = owned;
    const named = await storeEndpoint(database, {
      practiceId: platformId,
      eventTypes: types,
      createdAt: toIso(state.now),
    });
    return {
      ...owned,
      named,
      async moved(practiceId: string, leftAt?: string) {
        const eventId = `evt_${ulid(state.now, randomBytes)}`;
        const joinedAt = toIso(state.now);
        const move = { eventId, platformId, practiceId, livemode: false, joinedAt, ...(leftAt && { leftAt }) };
        await transact(database, { event: putPracticeEvent(database, move) });
        return eventId;
      },
    };
  }

  it("is told to the platform's endpoints that name it, and to no other", async () => {
    const { state, dispatch, drain, aPractice, moved, named } = await aMove();
    const practiceId = await aPractice();
    await storeEndpoint(database, { practiceId, eventTypes: types, createdAt: toIso(state.now) });
    const eventId = await moved(practiceId);
    await dispatch(eventId);
    await drain();
    expect(state.posts.map((post) => [post.eventId, post.endpointId])).toEqual([[eventId, named.endpointId]]);
  });

  it('is told to an endpoint that names practices only about those', async () => {
    const { state, dispatch, drain, aPractice, moved, platformId } = await aMove();
    const [chosen, other] = [await aPractice(), await aPractice()];
    const filter = { practiceIds: [chosen], eventTypes: types, createdAt: toIso(state.now) };
    const { endpointId } = await storeEndpoint(database, { practiceId: platformId, ...filter });
    const events = [await moved(chosen), await moved(other)];
    for (const eventId of events) await dispatch(eventId);
    await drain();
    expect(state.posts.filter((post) => post.endpointId === endpointId)).toMatchObject([{ eventId: events[0] }]);
  });

  it('is sent, listed and resent although the practice has left', async () => {
    const { state, tools, dispatch, drain, aPractice, move, moved, named, seen, platformId } = await aMove();
    const practiceId = await aPractice();
    await move(practiceId, undefined);
    const eventId = await moved(practiceId, toIso(state.now));
    expect((await seen()).events).toEqual([eventId]);
    await dispatch(eventId);
    await drain();
    expect(await seen()).toEqual({ deliveries: [eventId], events: [eventId] });
    const { endpointId } = named;
    await resendEvent(tools, { practiceId: platformId, endpointId, eventId, author }, state.now);
    await drain();
    expect(state.posts.map((post) => post.eventId)).toEqual([eventId, eventId]);
  });

  it('is listed with the name of the practice, as its payments are, until it has left', async () => {
    const { state, tools, dispatch, drain, moved, platformId } = await aMove();
    const practiceId = `prc_${ulid(Date.now(), randomBytes)}`;
    const row = aPractice({ practiceId, name: 'Maple Street Clinic' });
    const membership = { platformId, platformSince: toIso(state.now) };
    const write = (written: Practice) => transact(database, { practice: put(database, 'practices', written) });
    const shown = async () => {
      const { deliveries } = await listDeliveries(tools, { practiceId: platformId });
      return deliveries.map(({ eventType, movedPracticeId, eventPracticeId, practiceName }) => ({
        eventType,
        about: movedPracticeId ?? eventPracticeId,
        practiceName,
      }));
    };
    await write({ ...row, ...membership });
    await dispatch(await moved(practiceId));
    state.now += second;
    await dispatch(await storeEvent(database, practiceId, state.now));
    await drain();
    const calls: string[] = [];
    const counted = beforeEachCall(database, ({ operation }) => void calls.push(operation));
    await listDeliveries({ database: counted }, { practiceId: platformId });
    expect(
      calls.filter((operation) => operation === 'BatchGetItem'),
      'reads its practices once',
    ).toHaveLength(1);
    const joined = { eventType: 'practice.joined', about: practiceId, practiceName: row.name };
    const cancelled = { eventType: 'session.payment.cancelled', about: practiceId, practiceName: row.name };
    expect(await shown()).toEqual([cancelled, joined]);
    const damaged: Partial<Practice> = { practiceId, name: row.name, ...membership };
    await transact(database, { practice: put(database, 'practices', damaged) });
    expect(await shown(), 'although the rest of the row is damaged').toEqual([cancelled, joined]);
    await write(row);
    expect(await shown()).toEqual([{ ...joined, practiceName: undefined }]);
  });

  it('is sent by the sweep if its dispatch was lost', async () => {
    const { state, sweep, drain, aPractice, moved } = await aMove({ eventTypes: types });
    const eventId = await moved(await aPractice());
    state.now += 5 * minute;
    await sweep();
    await drain();
    expect(state.posts).toMatchObject([{ eventId }]);
  });
});

describe('once a practice has left its platform', () => {
  it('what waits for the platform ends as skipped, and nothing shows or sends it again, even if it comes back', async () => {
    const { state, tools, platformId, endpointId, aPractice, move, dispatchedEventOf, row, sweep, drain, seen } =
      await aPlatform();
    const practiceId = await aPractice();
    state.answer = { statusCode: 503 };
    const key = await dispatchedEventOf(practiceId);
    await drain();
    expect(await seen()).toEqual({ deliveries: [key.eventId], events: [key.eventId] });
    await move(practiceId, undefined);
    state.now += minute;
    await sweep();
    await drain();
    expect(state.posts).toHaveLength(1);
    expect(await row(key)).toMatchObject({ status: 'skipped', attempts: 1 });
    for (const joined of [undefined, 'plt_other', platformId]) {
      state.now += minute;
      await move(practiceId, joined);
      expect(await seen()).toEqual(nothing);
      const owned = { practiceId: platformId, ...key };
      await expect(getDeliveryDetail(tools, owned)).rejects.toMatchObject({ code: 'delivery_not_found' });
      await expect(resendEvent(tools, { ...owned, author }, state.now)).rejects.toMatchObject({
        code: 'delivery_not_found',
      });
      const replay = { practiceId: platformId, endpointId, author, since: 0 };
      expect(await replayDeliveries(tools, replay, state.now)).toMatchObject({ replayed: 0 });
    }
    const again = await dispatchedEventOf(practiceId);
    expect(await seen()).toEqual({ deliveries: [again.eventId], events: [again.eventId] });
  });

  it('its ID in the filter of an endpoint can be sent back, but not named anew', async () => {
    const { state, tools, platformId, endpointId, move } = await aPlatform();
    const practiceIds = [0, 1].map(() => `prc_${randomBytes(10).toString('hex')}`);
    for (const practiceId of practiceIds) await move(practiceId, platformId);
    const change = (given: string[]) =>
      updateEndpoint(
        { ...tools, allowLoopbackWebhooks: true },
        { practiceId: platformId, endpointId, author, practiceIds: given },
        state.now,
      );
    await change(practiceIds);
    await move(practiceIds[0] ?? '', undefined);
    expect(await change(practiceIds)).toMatchObject({ practiceIds });
    await change(practiceIds.slice(1));
    await expect(change(practiceIds)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('its session is unknown to the platform', async () => {
    const { state, tools, platformId, aPractice, move, dispatchedEventOf } = await aPlatform();
    const practiceId = await aPractice();
    const { eventId } = await dispatchedEventOf(practiceId);
    await move(practiceId, undefined);
    const ofSession = { practiceId: platformId, sessionId: `ses_${eventId.slice('evt_'.length, -'_1'.length)}` };
    await expect(listDeliveries(tools, ofSession)).rejects.toMatchObject({ code: 'session_not_found' });
    await expect(listEvents(tools, { ...ofSession, limit: 10 }, state.now)).rejects.toMatchObject({
      code: 'session_not_found',
    });
  });

  it('a paused endpoint is not probed with its events', async () => {
    const { state, endpointId, endpoint, aPractice, move, dispatchedEventOf, batch } = await aPlatform();
    const [left, stays] = [await aPractice(), await aPractice()];
    state.answer = { error: 'timeout' };
    for (let failed = 0; failed < 5; failed += 1) await batch([await dispatchedEventOf(stays)]);
    const { circuitOpenUntil = '' } = await endpoint(endpointId);
    const waiting = [await dispatchedEventOf(left), await dispatchedEventOf(stays)];
    await move(left, undefined);
    state.now = Date.parse(circuitOpenUntil) + second;
    state.answer = { statusCode: 204 };
    state.posts.length = 0;
    await batch(waiting);
    expect(state.posts).toMatchObject([{ eventId: waiting[1]?.eventId }]);
    expect(await endpoint(endpointId)).not.toHaveProperty('circuitOpenUntil');
  });
});

it('a practice whose row is unreadable still has a membership', async () => {
  const practiceId = `prc_${ulid(Date.now(), randomBytes)}`;
  const row = { practiceId, name: 7, platformId: 'plt_1', platformSince: toIso(0) };
  await transact(database, { practice: put(database, 'practices', row) });
  expect((await readMemberships(database, [practiceId, practiceId])).get(practiceId)).toMatchObject({
    platformId: 'plt_1',
  });
});

it("a practice's own rows are its to see without a read", async () => {
  const { database: counted, requests } = countRequests(database);
  const rows = [{ practiceId: 'prc_own', createdAt: toIso(Date.now()) }];
  expect(await reachable(counted, 'prc_own', rows)).toEqual(rows);
  expect(requests()).toEqual({});
});
