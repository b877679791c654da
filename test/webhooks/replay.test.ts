import { describe, expect, it } from 'vitest';
import { disableEndpoint, enableEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { reopenDelivery } from '../../functions/store/webhooks/delivery-log.ts';
import { replayDeliveries, resendEvent, testEndpoint } from '../../functions/webhooks/resend.ts';
import { aFewAtOnce } from '../support/a-few-at-once.ts';
import { author } from '../support/create-practice.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { dispatchOne } from '../support/tools.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();

const day = 86_400_000;

describe('a replay', () => {
  it('sends what failed or was skipped since a date, and nothing that was delivered or is pending', async () => {
    const endpoint = await anEndpoint(tables);
    const { state } = endpoint;
    const old = await endpoint.event('disabled');
    state.now += 2 * day;
    const since = state.now;
    const [delivered, failed, waiting, skipped] = [
      await endpoint.event(),
      await endpoint.event(),
      await endpoint.event(),
      await endpoint.event('disabled'),
    ];
    await endpoint.attempt(delivered, 1);
    state.answer = { statusCode: 400 };
    await endpoint.attempt(failed, 1);
    state.answer = { statusCode: 503 };
    await endpoint.attempt(waiting, 1);
    state.answer = { statusCode: 200 };
    state.posts.length = 0;

    const start = new Date(since).toISOString();
    expect(await replayDeliveries(endpoint.tools, { author, ...endpoint, since }, state.now)).toEqual({
      since: start,
      replayed: 2,
      more: false,
    });
    await endpoint.sweep();
    await endpoint.drain();
    expect(endpoint.posted().sort()).toEqual([failed.eventId, skipped.eventId].sort());
    expect(await endpoint.row(old)).toMatchObject({ status: 'skipped' });
    expect(await replayDeliveries(endpoint.tools, { author, ...endpoint, since }, state.now), 'a second one').toEqual({
      since: start,
      replayed: 0,
      more: false,
    });
  });

  it('starts at once with the first hundred, and leaves the others to the sweep', async () => {
    const endpoint = await anEndpoint(tables);
    await aFewAtOnce(101, () => endpoint.event('disabled'));
    await replayDeliveries(endpoint.tools, { ...endpoint, author, since: 0 }, endpoint.state.now);
    expect(endpoint.state.tickets).toHaveLength(100);
    await endpoint.drain();
    expect(endpoint.posted()).toHaveLength(100);
    await endpoint.sweep();
    await endpoint.drain();
    expect(new Set(endpoint.posted()).size).toBe(101);
    expect(endpoint.posted()).toHaveLength(101);
  });

  it('has an entry in the audit log, as have a resend and a test', async () => {
    const endpoint = await anEndpoint(tables);
    const { state, practiceId, endpointId } = endpoint;
    const key = { practiceId, endpointId, author };
    const { eventId } = await endpoint.event('disabled');
    await replayDeliveries(endpoint.tools, { ...key, since: 0 }, (state.now += 60_000));
    await resendEvent(endpoint.tools, { ...key, eventId }, (state.now += 1));
    const { eventId: test } = await testEndpoint({ ...endpoint.tools, mode: 'sandbox' }, key, (state.now += 1));
    const { entries } = await listAuditLog(tables.database, practiceId, { limit: 5 });
    const of = { author, target: endpointId };
    expect(entries.slice(0, 3)).toMatchObject([
      { ...of, action: 'webhook_endpoint.tested', details: { eventId: test } },
      { ...of, action: 'delivery.resent', details: { eventId } },
      { ...of, action: 'deliveries.replayed', details: { since: expect.any(String) } },
    ]);
  });

  it('goes back at most 14 days, and says so', async () => {
    const endpoint = await anEndpoint(tables);
    const { now } = endpoint.state;
    await endpoint.event('disabled');
    expect(await replayDeliveries(endpoint.tools, { author, ...endpoint, since: 0 }, now + 14 * day + 1000)).toEqual({
      since: new Date(now + 1000).toISOString(),
      replayed: 0,
      more: false,
    });
    expect(await replayDeliveries(endpoint.tools, { author, ...endpoint, since: 0 }, now + 13 * day)).toMatchObject({
      replayed: 1,
    });
  });

  it('reads every page, up to its limit over all of them', async () => {
    const endpoint = await anEndpoint(tables);
    await aFewAtOnce(102, () => endpoint.event('disabled'));
    const replay = (limit: number) =>
      replayDeliveries(endpoint.tools, { author, ...endpoint, since: 0, limit }, endpoint.state.now);
    expect(await replay(101)).toMatchObject({ replayed: 101, more: true });
    expect(await replay(1), 'with room for just what is left').toMatchObject({ replayed: 1, more: false });
  });

  // https://github.com/svix/svix-webhooks: recovery.rs mixes two orders and may skip rows.
  it('stops at its limit and says so; the next replay continues', async () => {
    const endpoint = await anEndpoint(tables);
    for (let count = 0; count < 5; count += 1) await endpoint.event('disabled');
    const replay = () =>
      replayDeliveries(endpoint.tools, { author, ...endpoint, since: 0, limit: 3 }, endpoint.state.now);
    expect(await replay()).toMatchObject({ replayed: 3, more: true });
    expect(await replay()).toMatchObject({ replayed: 2, more: false });
  });

  it('needs an enabled endpoint and a date in the past', async () => {
    const endpoint = await anEndpoint(tables);
    const { now } = endpoint.state;
    const key = await endpoint.event('disabled');
    expect(
      await problemOf(replayDeliveries(endpoint.tools, { author, ...endpoint, since: now + 1 }, now)),
    ).toMatchObject({
      code: 'since_in_future',
    });
    await disableEndpoint(endpoint.tools, { ...endpoint, author }, now);
    expect(await problemOf(replayDeliveries(endpoint.tools, { author, ...endpoint, since: 0 }, now))).toMatchObject({
      code: 'webhook_endpoint_disabled',
    });
    expect(
      await problemOf(replayDeliveries(endpoint.tools, { author, ...endpoint, endpointId: 'whe_none', since: 0 }, now)),
    ).toMatchObject({ code: 'webhook_endpoint_not_found' });
    expect(await endpoint.row(key)).toMatchObject({ status: 'skipped' });
  });
});

describe('the replay offered when an endpoint is enabled', () => {
  it('starts when it was disabled, and is offered once', async () => {
    const endpoint = await anEndpoint(tables);
    const { endpointId } = endpoint;
    const { now } = endpoint.state;
    const since = new Date(now).toISOString();
    const disabled = { endpointId, status: 'disabled', disabledAt: since };
    expect(await disableEndpoint(endpoint.tools, { ...endpoint, author }, now)).toMatchObject(disabled);
    expect(await disableEndpoint(endpoint.tools, { ...endpoint, author }, now + day)).toMatchObject(disabled);
    expect(await enableEndpoint(endpoint.tools, { ...endpoint, author }, now)).toMatchObject({
      endpointId,
      status: 'enabled',
      missedSince: since,
    });
    expect((await enableEndpoint(endpoint.tools, { ...endpoint, author }, now)).missedSince).toBeUndefined();
  });

  it('starts at the first delivery that failed, if failures led to it', async () => {
    const endpoint = await anEndpoint(tables);
    const { state } = endpoint;
    const createdAt = new Date(state.now).toISOString();
    state.answer = { statusCode: 404 };
    const first = await endpoint.event();
    state.now += 20_000;
    await endpoint.attempt(first, 1);
    state.now += day;
    state.answer = { statusCode: 410 };
    await endpoint.attempt(await endpoint.event(), 1);
    expect(await enableEndpoint(endpoint.tools, { ...endpoint, author }, state.now)).toMatchObject({
      missedSince: createdAt,
    });
    const since = Date.parse(createdAt);
    expect(await replayDeliveries(endpoint.tools, { author, ...endpoint, since }, state.now)).toMatchObject({
      replayed: 2,
    });
  });

  it('starts at the oldest delivery that failed for good, even if a newer one failed before it', async () => {
    const endpoint = await anEndpoint(tables);
    const { state } = endpoint;
    const createdAt = new Date(state.now).toISOString();
    const oldest = await endpoint.event();
    for (const statusCode of [500, 200, 404]) {
      state.answer = { statusCode };
      await endpoint.attempt(statusCode === 500 ? oldest : await endpoint.event(), 1);
      state.now += 1_000;
    }
    state.now += 300_000;
    await endpoint.attempt(oldest, 2);
    expect(await endpoint.row(oldest)).toMatchObject({ status: 'failed' });
    await disableEndpoint(endpoint.tools, { ...endpoint, author }, state.now);
    expect(await enableEndpoint(endpoint.tools, { ...endpoint, author }, state.now)).toMatchObject({
      missedSince: createdAt,
    });
  });

  it.each([
    ['fails for good', { statusCode: 404 }],
    ['is skipped', 'disabled'],
  ] as const)('includes a delivery that %s, even if the function dies between its writes', async (_, answer) => {
    const endpoint = await anEndpoint(tables);
    const { state, tools } = endpoint;
    const createdAt = new Date(state.now).toISOString();
    const key = await endpoint.event();
    state.now += 1_000;
    if (answer === 'disabled') await disableEndpoint(tools, { ...endpoint, author }, state.now);
    else state.answer = answer;
    const watched = beforeEachCall(tables.database, async () => {
      const { status } = await endpoint.row(key);
      if (status !== 'pending') throw new Error('the function died');
    });
    await Promise.allSettled([endpoint.attempt(key, 1, { database: watched })]);
    expect((await endpoint.row(key)).status).not.toBe('pending');
    expect((await endpoint.endpoint()).missedSince).toBe(createdAt);
  });

  it.each([
    ['it was disabled after a success', undefined],
    ['a newer event was answered with 410', 410],
  ])('includes a waiting retry if %s', async (_, answer) => {
    const endpoint = await anEndpoint(tables);
    const { state } = endpoint;
    state.answer = { statusCode: 500 };
    const waiting = await endpoint.event();
    await endpoint.attempt(waiting, 1);
    state.answer = { statusCode: 200 };
    state.now += 1_000;
    await endpoint.attempt(await endpoint.event(), 1);
    state.now += 1_000;
    if (answer === undefined) await disableEndpoint(endpoint.tools, { ...endpoint, author }, state.now);
    else {
      state.answer = { statusCode: answer };
      await endpoint.attempt(await endpoint.event(), 1);
    }
    state.now += 300_000;
    await endpoint.attempt(waiting, 2);
    expect(await endpoint.row(waiting)).toMatchObject({ status: 'skipped' });
    const { missedSince = '' } = await enableEndpoint(endpoint.tools, { ...endpoint, author }, state.now);
    await replayDeliveries(endpoint.tools, { author, ...endpoint, since: Date.parse(missedSince) }, state.now);
    expect(await endpoint.row(waiting)).toMatchObject({ status: 'pending' });
  });

  it('leaves out what was delivered before and only resent', async () => {
    const endpoint = await anEndpoint(tables);
    const { state } = endpoint;
    const key = await endpoint.event();
    await endpoint.attempt(key, 1);
    await resendEvent(endpoint.tools, { author, ...endpoint, ...key }, state.now);
    state.now += 1_000;
    await disableEndpoint(endpoint.tools, { ...endpoint, author }, state.now);
    await endpoint.attempt(key, 2);
    expect(await endpoint.row(key)).toMatchObject({ status: 'delivered', attempts: 1 });

    const missedSince = new Date(state.now).toISOString();
    expect(await enableEndpoint(endpoint.tools, { ...endpoint, author }, state.now)).toMatchObject({ missedSince });
    expect(await reopenDelivery(tables.database, await endpoint.row(key), state.now)).toBe(true);
    state.answer = { statusCode: 404 };
    await endpoint.attempt(key, 2);
    expect(await endpoint.row(key)).toMatchObject({ status: 'failed' });
    expect(await replayDeliveries(endpoint.tools, { author, ...endpoint, since: 0 }, state.now)).toMatchObject({
      replayed: 0,
    });
  });

  it('sends an event whose dispatch had begun before the endpoint was disabled, and was slow to read it', async () => {
    const endpoint = await anEndpoint(tables);
    const { state, tools } = endpoint;
    const eventId = await endpoint.outboxEvent();
    const begunAt = state.now;
    state.now += 2_000;
    await disableEndpoint(tools, { ...endpoint, author }, state.now);
    await dispatchOne(tools, eventId, begunAt);
    expect(await endpoint.row({ eventId, endpointId: endpoint.endpointId })).toMatchObject({ status: 'skipped' });

    state.now += day;
    const { missedSince = '' } = await enableEndpoint(tools, { ...endpoint, author }, state.now);
    await replayDeliveries(tools, { author, ...endpoint, since: Date.parse(missedSince) }, state.now);
    await endpoint.drain();
    expect(endpoint.posted()).toEqual([eventId]);
  });
});
