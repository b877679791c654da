import { describe, expect, it } from 'vitest';
import { changeWebhookEndpoint, turnWebhookOff } from '../../functions/store/webhook-endpoints.ts';
import { startTestTables } from '../support/test-tables.ts';
import { anEndpoint } from './an-endpoint.ts';

const tables = await startTestTables();

const hour = 3_600_000;

describe('an endpoint that fails', () => {
  it('has its owner told at the fourth failed attempt, once, and again when it recovers', async () => {
    const { state, event, endpoint, attempt, attempts } = await anEndpoint(tables);
    const delivery = await event();
    const failingSince = new Date(state.now).toISOString();
    state.answer = { statusCode: 500 };
    await attempts(delivery, 3);
    expect(state.told).toEqual([]);
    await attempts(delivery, 2);
    expect(state.told).toEqual(['webhook.endpoint.failing']);
    expect(await endpoint()).toMatchObject({ failedAttempts: 5, failingSince });

    state.answer = { statusCode: 204 };
    await attempts(delivery, 1);
    expect(state.told).toEqual(['webhook.endpoint.failing', 'webhook.endpoint.recovered']);
    expect(await endpoint()).not.toHaveProperty('failingSince');
    await attempt(await event(), 1);
    expect(state.told).toHaveLength(2);
  });

  // https://github.com/hookdeck/outpost/issues/596: it was turned off only where somebody was to be told; here nobody has to listen to what is told.
  it('is turned off after 120 hours without a success, and its deliveries wait as skipped', async () => {
    const { state, event, endpoint, attempt, row, attempts } = await anEndpoint(tables);
    const delivery = await event();
    state.answer = { statusCode: 500 };
    await attempts(delivery, 10);
    expect(await row(delivery)).toMatchObject({ status: 'failed' });
    expect(await endpoint()).toMatchObject({ status: 'enabled', failedAttempts: 10 });

    state.now += 120 * hour;
    const next = await event();
    await attempt(next, 1);
    expect(await endpoint(), 'after days of silence one fault says little').toMatchObject({ status: 'enabled' });
    await attempts(next, 1);
    expect(await endpoint()).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
      disabledAt: new Date(state.now).toISOString(),
    });
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
    for (const _ of [1, 2]) await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  });

  it('starts its clock anew with every success', async () => {
    const { state, event, endpoint, attempt, attempts } = await anEndpoint(tables);
    const delivery = await event();
    state.answer = { statusCode: 500 };
    await attempts(delivery, 10);
    state.answer = { statusCode: 200 };
    await attempt(await event(), 1);
    state.now += 120 * hour;
    state.answer = { statusCode: 500 };
    await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ status: 'enabled', failedAttempts: 1 });
  });
});

describe('the owner of an endpoint', () => {
  const busDown = async () => {
    throw new Error('the bus is down');
  };

  it('is told of a recovery in the end, also where the bus was down at first', async () => {
    const { state, event, attempt, endpoint } = await anEndpoint(tables);
    state.answer = { statusCode: 404 };
    for (const _ of [1, 2, 3, 4]) await attempt(await event(), 1);
    state.answer = { statusCode: 200 };
    await expect(attempt(await event(), 1, { tellOwner: busDown })).rejects.toThrow('the bus is down');
    expect(await endpoint()).toHaveProperty('failingToldAt');
    await attempt(await event(), 1);
    expect(state.told).toEqual(['webhook.endpoint.failing', 'webhook.endpoint.recovered']);
    expect(await endpoint()).not.toHaveProperty('failingToldAt');
  });

  it('costs no attempt its time where the bus is down', async () => {
    const { state, event, attempt } = await anEndpoint(tables);
    state.answer = { statusCode: 500 };
    for (const _ of [1, 2, 3]) await attempt(await event(), 1);
    state.tickets.length = 0;
    await expect(attempt(await event(), 1, { tellOwner: busDown })).rejects.toThrow('the bus is down');
    expect(state.tickets).toMatchObject([{ body: { attemptNumber: 2 }, delay: 5_000 }]);
  });

  it.each<[string, (endpoint: { practiceId: string; endpointId: string }) => Promise<unknown>]>([
    [
      'has another URL',
      ({ practiceId, endpointId }) =>
        changeWebhookEndpoint(tables.database, { practiceId, endpointId }, { url: 'https://new.example.com/' }),
    ],
    ['is turned off', (key) => turnWebhookOff(tables.database, key, Date.now())],
  ])('is not told that it is gone where it %s by then', async (_, meanwhile) => {
    const { state, event, attempt, practiceId, endpointId } = await anEndpoint(tables);
    const { promise, resolve } = Promise.withResolvers<{ statusCode: number }>();
    state.answer = promise;
    const working = attempt(await event(), 1);
    await expect.poll(() => state.posts.length).toBe(1);
    await meanwhile({ practiceId, endpointId });
    resolve({ statusCode: 410 });
    await working;
    expect(state.told).toEqual([]);
  });

  it('is spared what the old server of a moved endpoint did: it counts for nothing, and its slots are free', async () => {
    const { state, event, attempt, endpoint, practiceId, endpointId } = await anEndpoint(tables);
    const { promise, resolve } = Promise.withResolvers<{ error: 'timeout' }>();
    state.answer = promise;
    const working = (await Promise.all(Array.from({ length: 5 }, () => event()))).map((delivery) =>
      attempt(delivery, 1),
    );
    await expect.poll(() => state.posts.length).toBe(5);
    await changeWebhookEndpoint(tables.database, { practiceId, endpointId }, { url: 'https://new.example.com/' });
    resolve({ error: 'timeout' });
    await Promise.all(working);
    for (const trouble of ['failedAttempts', 'failingSince', 'circuitFaults', 'circuitOpenUntil', 'inFlight'])
      expect(await endpoint()).not.toHaveProperty(trouble);
  });

  it('keeps an endpoint that works again while it is about to be turned off', async () => {
    const { state, event, attempt, endpoint } = await anEndpoint(tables);
    state.answer = { statusCode: 404 };
    for (let count = 0; count < 10; count += 1) await attempt(await event(), 1);
    state.now += 120 * hour;
    await attempt(await event(), 1);
    const works = async () => {
      state.answer = { statusCode: 200 };
      await attempt(await event(), 1);
    };
    await attempt(await event(), 1, { tellOwner: works });
    expect(await endpoint()).toMatchObject({ status: 'enabled' });
  });
});

describe('an endpoint that does not answer', () => {
  async function open() {
    const made = await anEndpoint(tables);
    made.state.answer = { error: 'timeout' };
    const delivery = await made.event();
    await made.attempts(delivery, 5);
    return made;
  }

  it('gets no POST while its circuit is open, and no attempt is counted', async () => {
    const { state, event, attempt, row } = await open();
    expect(state.posts.length).toBe(5);
    const waiting = await event();
    state.tickets.length = 0;
    await attempt(waiting, 1);
    expect(state.posts.length).toBe(5);
    expect(await row(waiting)).toMatchObject({
      status: 'pending',
      attempts: 0,
      nextAttemptAt: new Date(state.now + 30_000).toISOString(),
    });
    expect(await row(waiting)).not.toHaveProperty('leasedUntil');
    expect(state.tickets).toMatchObject([{ body: { attemptNumber: 1 }, delay: 30_000 }]);
  });

  it('is probed by one delivery when the pause is over; a success lets all pass', async () => {
    const { state, event, endpoint, attempt } = await open();
    const waiting = await Promise.all([event(), event(), event()]);
    state.now += 30_000;
    await Promise.all(waiting.map((delivery) => attempt(delivery, 1)));
    expect(state.posts.length, 'one probe').toBe(6);
    expect(await endpoint()).toMatchObject({
      circuitFaults: 6,
      circuitOpenUntil: new Date(state.now + 60_000).toISOString(),
    });

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
