import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disableWebhook, enableWebhook } from '../../bin/practice/endpoint-commands.ts';
import { testWebhook } from '../../functions/contract/webhooks.ts';
import { replayDeliveries } from '../../functions/webhooks/replay.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { dueDeliveries, leaseDelivery } from '../../functions/store/deliveries.ts';
import {
  createTestDelivery,
  listAttempts,
  listDeliveries,
  reopenDelivery,
} from '../../functions/store/delivery-log.ts';
import { getEvent } from '../../functions/store/events.ts';
import { takeDue } from '../../functions/store/due-index.ts';
import { startTestTables, type TestTables } from '../support/tables.ts';
import { turnWebhookOff, turnWebhookOn } from '../../functions/store/webhook-endpoints.ts';
import { anEndpoint } from './an-endpoint.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

const day = 86_400_000;

/** An endpoint, and what the sweep does: an attempt for each of its deliveries that is due. */
async function aSweptEndpoint() {
  const made = await anEndpoint(tables);
  return {
    ...made,
    async sweep() {
      const { keys } = await takeDue(tables.database, dueDeliveries(tables.database), made.state.now, 1000);
      for (const key of keys.filter((due) => due.endpointId === made.endpointId)) {
        const delivery = await made.row(key);
        if (delivery.status === 'pending') await made.attempt(key, delivery.attempts + 1);
      }
    },
  };
}

describe('a delivery that is sent anew', () => {
  it('gets a whole new schedule after it failed, under the same id, its attempts counted on', async () => {
    const endpoint = await aSweptEndpoint();
    const key = await endpoint.event();
    endpoint.state.answer = { statusCode: 404 };
    await endpoint.attempt(key, 1);
    expect(await endpoint.row(key)).toMatchObject({ status: 'failed', attempts: 1 });

    endpoint.state.answer = { statusCode: 500 };
    expect(await reopenDelivery(tables.database, await endpoint.row(key), endpoint.state.now)).toBe(true);
    await endpoint.sweep();
    const again = await endpoint.row(key);
    expect(again).toMatchObject({ status: 'pending', attempts: 2 });
    expect(Date.parse(again.nextAttemptAt ?? '') - endpoint.state.now, 'the first wait of the schedule').toBe(5000);
    expect(new Set(endpoint.state.posts)).toEqual(new Set([key.eventId]));
    expect(
      (await listAttempts(tables.database, key)).map(({ attemptNumber, statusCode }) => [attemptNumber, statusCode]),
    ).toEqual([
      [1, 404],
      [2, 500],
    ]);
  });

  // https://github.com/hookdeck/outpost/issues/662: a manual retry and the waiting one were both made.
  it('while it waits only has its next attempt sooner, and the ticket that was under way finds it made', async () => {
    const endpoint = await aSweptEndpoint();
    const key = await endpoint.event();
    endpoint.state.answer = { statusCode: 500 };
    await endpoint.attempt(key, 1);
    await endpoint.attempt(key, 2);
    await reopenDelivery(tables.database, await endpoint.row(key), endpoint.state.now);
    await endpoint.sweep();
    await endpoint.attempt(key, 3);
    expect(await endpoint.row(key)).toMatchObject({ attempts: 3, attemptsBefore: 0 });
    expect(endpoint.state.posts).toHaveLength(3);
  });

  it('is refused while an attempt is being made', async () => {
    const endpoint = await aSweptEndpoint();
    const key = await endpoint.event();
    await leaseDelivery(tables.database, key, 1, endpoint.state.now);
    expect(await reopenDelivery(tables.database, await endpoint.row(key), endpoint.state.now)).toBe(false);
  });
});

describe('a replay', () => {
  it('sends what failed and what was skipped since a date, and nothing that was delivered or is being tried', async () => {
    const endpoint = await aSweptEndpoint();
    const old = await endpoint.event('disabled');
    endpoint.state.now += 2 * day;
    const since = endpoint.state.now;
    const [delivered, failed, waiting, skipped] = [
      await endpoint.event(),
      await endpoint.event(),
      await endpoint.event(),
      await endpoint.event('disabled'),
    ];
    await endpoint.attempt(delivered, 1);
    endpoint.state.answer = { statusCode: 400 };
    await endpoint.attempt(failed, 1);
    endpoint.state.answer = { statusCode: 503 };
    await endpoint.attempt(waiting, 1);
    endpoint.state.answer = { statusCode: 200 };
    endpoint.state.posts.length = 0;

    expect(await replayDeliveries(tables.database, endpoint.endpointId, since, endpoint.state.now)).toEqual({
      replayed: 2,
      more: false,
    });
    await endpoint.sweep();
    expect(endpoint.state.posts.sort()).toEqual([failed.eventId, skipped.eventId].sort());
    expect(await endpoint.row(old)).toMatchObject({ status: 'skipped' });
    expect(
      await replayDeliveries(tables.database, endpoint.endpointId, since, endpoint.state.now),
      'a second one finds nothing',
    ).toEqual({ replayed: 0, more: false });
  });

  it('reaches back 14 days at most', async () => {
    const endpoint = await aSweptEndpoint();
    await endpoint.event('disabled');
    expect(
      await replayDeliveries(tables.database, endpoint.endpointId, 0, endpoint.state.now + 14 * day + 1000),
    ).toEqual({ replayed: 0, more: false });
    expect(await replayDeliveries(tables.database, endpoint.endpointId, 0, endpoint.state.now + 13 * day)).toEqual({
      replayed: 1,
      more: false,
    });
  });

  it('goes through as many pages as there are', async () => {
    const endpoint = await aSweptEndpoint();
    await Promise.all(Array.from({ length: 230 }, () => endpoint.event('disabled')));
    expect(await replayDeliveries(tables.database, endpoint.endpointId, 0, endpoint.state.now)).toEqual({
      replayed: 230,
      more: false,
    });
    const { deliveries, after } = await listDeliveries(tables.database, endpoint.endpointId, {
      since: 0,
      limit: 100,
      newestFirst: true,
    });
    expect(deliveries).toHaveLength(100);
    expect(after).toBeDefined();
  });
});

describe('an endpoint that is turned on again', () => {
  const practice = async (
    name: 'disable' | 'enable',
    { practiceId, endpointId }: { practiceId: string; endpointId: string },
    now: number,
  ) => {
    const options = { practice: practiceId, endpoint: endpointId };
    return name === 'disable' ? disableWebhook(tables, options, now) : enableWebhook(tables, options);
  };

  it('forgets why it was off, and gets what happens from then on', async () => {
    const endpoint = await aSweptEndpoint();
    endpoint.state.answer = { statusCode: 410 };
    await endpoint.attempt(await endpoint.event(), 1);
    endpoint.state.answer = { statusCode: 200 };
    await practice('enable', endpoint, endpoint.state.now);
    expect(await endpoint.endpoint()).toMatchObject({ status: 'enabled' });
    for (const trouble of ['disabledReason', 'disabledAt', 'failingSince'])
      expect(await endpoint.endpoint()).not.toHaveProperty(trouble);
    await endpoint.attempt(await endpoint.event(), 1);
    expect(endpoint.state.posts).toHaveLength(2);
  });

  it('offers the replay of what it has missed since it was turned off', async () => {
    const endpoint = await aSweptEndpoint();
    const { now } = endpoint.state;
    const since = new Date(now).toISOString();
    expect(await practice('disable', endpoint, now)).toMatchObject({ status: 'disabled', disabledAt: since });
    expect(await practice('disable', endpoint, now + day)).toMatchObject({ disabledAt: since });
    const { practiceId, endpointId } = endpoint;
    expect(await practice('enable', endpoint, now + day)).toEqual({
      endpointId,
      status: 'enabled',
      missedSince: since,
      replay: `npm run -s practice -- replay --practice ${practiceId} --endpoint ${endpointId} --since ${since}`,
    });
    expect(await practice('enable', endpoint, now + day)).toEqual({ endpointId, status: 'enabled' });
  });

  it('offers it since the first delivery that failed, where that is why it was turned off', async () => {
    const endpoint = await aSweptEndpoint();
    const madeAt = new Date(endpoint.state.now).toISOString();
    endpoint.state.answer = { statusCode: 404 };
    const first = await endpoint.event();
    endpoint.state.now += 20_000;
    await endpoint.attempt(first, 1);
    endpoint.state.now += day;
    endpoint.state.answer = { statusCode: 410 };
    await endpoint.attempt(await endpoint.event(), 1);
    expect(await practice('enable', endpoint, endpoint.state.now)).toMatchObject({ missedSince: madeAt });
    expect(
      await replayDeliveries(tables.database, endpoint.endpointId, Date.parse(madeAt), endpoint.state.now),
    ).toEqual({ replayed: 2, more: false });
  });
});

describe('what an endpoint that was turned off has missed', () => {
  it.each([
    ['a success came between', undefined],
    ['a newer event was answered by 410', 410],
  ])('is all sent by the replay that turning it on offers: a retry that waited, where %s', async (_, answer) => {
    const endpoint = await aSweptEndpoint();
    const { state, practiceId, endpointId } = endpoint;
    state.answer = { statusCode: 500 };
    const waiting = await endpoint.event();
    await endpoint.attempt(waiting, 1);
    state.answer = { statusCode: 200 };
    state.now += 1_000;
    await endpoint.attempt(await endpoint.event(), 1);
    state.now += 1_000;
    if (answer === undefined) await turnWebhookOff(tables.database, { practiceId, endpointId }, state.now);
    else {
      state.answer = { statusCode: answer };
      await endpoint.attempt(await endpoint.event(), 1);
    }
    state.now += 300_000;
    await endpoint.attempt(waiting, 2);
    expect(await endpoint.row(waiting)).toMatchObject({ status: 'skipped' });
    const { missedSince = '' } = await enableWebhook(tables, { practice: practiceId, endpoint: endpointId });
    await replayDeliveries(tables.database, endpointId, Date.parse(missedSince), state.now);
    expect(await endpoint.row(waiting)).toMatchObject({ status: 'pending' });
  });

  it('is nothing that it got before and was to get again', async () => {
    const endpoint = await aSweptEndpoint();
    const { state, practiceId, endpointId } = endpoint;
    const key = await endpoint.event();
    await endpoint.attempt(key, 1);
    expect(await reopenDelivery(tables.database, await endpoint.row(key), state.now)).toBe(true);
    await turnWebhookOff(tables.database, { practiceId, endpointId }, state.now);
    await endpoint.attempt(key, 2);
    expect(await endpoint.row(key)).toMatchObject({ status: 'delivered', attempts: 1 });

    await turnWebhookOn(tables.database, { practiceId, endpointId });
    expect(await reopenDelivery(tables.database, await endpoint.row(key), state.now)).toBe(true);
    state.answer = { statusCode: 404 };
    await endpoint.attempt(key, 2);
    expect(await endpoint.row(key)).toMatchObject({ status: 'failed' });
    expect(await replayDeliveries(tables.database, endpointId, 0, state.now)).toEqual({ replayed: 0, more: false });
  });
});

describe('a test', () => {
  it('goes to the one endpoint, signed like any other webhook, and is no event of a session', async () => {
    const endpoint = await aSweptEndpoint();
    const eventId = `evt_${ulid(endpoint.state.now, randomBytes)}`;
    await createTestDelivery(
      tables.database,
      { eventId, practiceId: endpoint.practiceId, endpointId: endpoint.endpointId, livemode: false },
      endpoint.state.now,
    );
    await endpoint.sweep();
    expect(endpoint.state.posts).toEqual([eventId]);
    const event = await getEvent(tables.database, eventId);
    expect(testWebhook.parse(JSON.parse(event?.body ?? ''))).toMatchObject({
      id: eventId,
      type: 'webhook.test',
      livemode: false,
    });
    expect(await endpoint.row({ eventId, endpointId: endpoint.endpointId })).toMatchObject({ status: 'delivered' });
  });
});
