import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestTables, type TestTables } from '../support/tables.ts';
import { anEndpoint } from './an-endpoint.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

const hour = 3_600_000;

describe('an endpoint that fails', () => {
  it('has its owner told at the fourth failed attempt, once, and again when it recovers', async () => {
    const { state, event, endpoint, attempt } = await anEndpoint(tables);
    const delivery = await event();
    state.answer = { statusCode: 500 };
    for (const number of [1, 2, 3]) await attempt(delivery, number);
    expect(state.told).toEqual([]);
    for (const number of [4, 5]) await attempt(delivery, number);
    expect(state.told).toEqual(['webhook.endpoint.failing']);
    expect(await endpoint()).toMatchObject({ failedAttempts: 5, failingSince: new Date(state.now).toISOString() });

    state.answer = { statusCode: 204 };
    await attempt(delivery, 6);
    expect(state.told).toEqual(['webhook.endpoint.failing', 'webhook.endpoint.recovered']);
    expect(await endpoint()).not.toHaveProperty('failingSince');
    await attempt(await event(), 1);
    expect(state.told).toHaveLength(2);
  });

  // https://github.com/hookdeck/outpost/issues/596: it was turned off only where somebody was to be told; here nobody has to listen to what is told.
  it('is turned off after 120 hours without a success, and its deliveries wait as skipped', async () => {
    const { state, event, endpoint, attempt, row } = await anEndpoint(tables);
    const delivery = await event();
    state.answer = { statusCode: 500 };
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await attempt(delivery, number);
    expect(await row(delivery)).toMatchObject({ status: 'failed' });
    expect(await endpoint()).toMatchObject({ status: 'enabled', failedAttempts: 10 });

    state.now += 120 * hour;
    await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'failing', disabledAt: new Date(state.now).toISOString() });
    expect(state.told).toEqual(['webhook.endpoint.failing', 'webhook.endpoint.disabled']);
    const waiting = await event();
    await attempt(waiting, 1);
    expect(await row(waiting)).toMatchObject({ status: 'skipped' });
  });

  it('with an answer that ends each delivery at once is told of and turned off like any other', async () => {
    const { state, event, endpoint, attempt } = await anEndpoint(tables);
    state.answer = { statusCode: 404 };
    for (let count = 0; count < 10; count += 1) await attempt(await event(), 1);
    expect(state.told).toEqual(['webhook.endpoint.failing']);
    state.now += 120 * hour;
    await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  });

  it('starts its clock anew with every success', async () => {
    const { state, event, endpoint, attempt } = await anEndpoint(tables);
    const delivery = await event();
    state.answer = { statusCode: 500 };
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await attempt(delivery, number);
    state.answer = { statusCode: 200 };
    await attempt(await event(), 1);
    state.now += 120 * hour;
    state.answer = { statusCode: 500 };
    await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ status: 'enabled', failedAttempts: 1 });
  });
});

describe('an endpoint that does not answer', () => {
  async function open() {
    const made = await anEndpoint(tables);
    made.state.answer = { error: 'timeout' };
    const delivery = await made.event();
    for (const number of [1, 2, 3, 4, 5]) await made.attempt(delivery, number);
    return made;
  }

  it('gets no POST while its circuit is open, and no attempt is counted', async () => {
    const { state, event, attempt, row } = await open();
    expect(state.posts.length).toBe(5);
    const waiting = await event();
    state.tickets.length = 0;
    await attempt(waiting, 1);
    expect(state.posts.length).toBe(5);
    expect(await row(waiting)).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt: new Date(state.now + 30_000).toISOString() });
    expect(await row(waiting)).not.toHaveProperty('leasedUntil');
    expect(state.tickets).toMatchObject([{ body: { attemptNumber: 1 }, delay: 30_000 }]);
  });

  it('is probed by one delivery when the pause is over; a success lets all pass', async () => {
    const { state, event, endpoint, attempt } = await open();
    const waiting = await Promise.all([event(), event(), event()]);
    state.now += 30_000;
    await Promise.all(waiting.map((delivery) => attempt(delivery, 1)));
    expect(state.posts.length, 'one probe').toBe(6);
    expect(await endpoint()).toMatchObject({ circuitFaults: 6, circuitOpenUntil: new Date(state.now + 60_000).toISOString() });

    state.now += 60_000;
    state.answer = { statusCode: 200 };
    const both = await Promise.all([event(), event()]);
    for (const delivery of both) await attempt(delivery, 1);
    expect(state.posts.length).toBe(8);
    expect(await endpoint()).not.toHaveProperty('circuitFaults');
  });

  it('has its circuit opened by as many as may be under way, all timing out at once', async () => {
    const { state, event, endpoint, attempt } = await anEndpoint(tables);
    const { promise, resolve } = Promise.withResolvers<{ error: 'timeout' }>();
    state.answer = promise;
    const deliveries = await Promise.all(Array.from({ length: 12 }, () => event()));
    const working = deliveries.map((delivery) => attempt(delivery, 1));
    await expect.poll(() => state.tickets.length).toBe(7);
    resolve({ error: 'timeout' });
    await Promise.all(working);
    expect((await endpoint()).circuitFaults).toBe(5);
    expect(Date.parse((await endpoint()).circuitOpenUntil ?? '')).toBeGreaterThan(state.now);
    await attempt(await event(), 1);
    expect(state.posts.length).toBe(5);
  });

  it('closes its circuit with any answer, even an error', async () => {
    const { state, event, endpoint, attempt } = await open();
    state.now += 30_000;
    state.answer = { statusCode: 500 };
    await attempt(await event(), 1);
    expect(await endpoint()).not.toHaveProperty('circuitOpenUntil');
    await attempt(await event(), 1);
    expect(state.posts.length).toBe(7);
  });
});
