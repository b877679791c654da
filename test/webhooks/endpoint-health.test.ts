import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointEventType } from '../../functions/contract/tickets.ts';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { generateSigningSecret } from '../../functions/domain/webhook-signature.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { createDelivery, getDelivery } from '../../functions/store/deliveries.ts';
import { createSession } from '../../functions/store/sessions.ts';
import { expireSession } from '../../functions/store/transitions.ts';
import { createWebhookEndpoint, getWebhookEndpoint } from '../../functions/store/webhook-endpoints.ts';
import { deliver, type DeliveryTools } from '../../functions/webhooks/deliver.ts';
import type { PostResult } from '../../functions/webhooks/post.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables, type TestTables } from '../support/tables.ts';

let tables: TestTables;
beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

const hour = 3_600_000;

async function anEndpoint() {
  const state = { now: Date.now(), answer: { statusCode: 200 } as Partial<PostResult>, posts: 0, told: [] as EndpointEventType[], tickets: [] as Ticket[] };
  const practiceId = `prc_${ulid(state.now, randomBytes)}`;
  const endpointId = `whe_${ulid(state.now, randomBytes)}`;
  await createWebhookEndpoint(tables.database, { practiceId, endpointId, url: 'https://hooks.example.com/', status: 'enabled', signingSecret: generateSigningSecret(randomBytes), createdAt: new Date(state.now).toISOString() });
  const tools: DeliveryTools = {
    database: tables.database,
    clock: () => state.now,
    random: () => 0,
    sendDeliveries: async (sent) => void state.tickets.push(...sent),
    tellOwner: async (type) => void state.told.push(type),
    post: async () => {
      state.posts += 1;
      return { responseTruncated: false, ...state.answer };
    },
  };
  return {
    state,
    endpoint: async () => {
      const found = await getWebhookEndpoint(tables.database, practiceId, endpointId);
      if (!found) throw new Error('missing');
      return found;
    },
    async event() {
      const session = aSession({ sessionId: `ses_${ulid(state.now, randomBytes)}`, practiceId, expiresAt: new Date(state.now).toISOString() });
      await createSession(tables.database, session, undefined, state.now);
      await expireSession(tables.database, session);
      const eventId = sessionEventId(session.sessionId, 1);
      await createDelivery(tables.database, { eventId, practiceId, type: 'session.payment.cancelled' }, { endpointId, enabled: true }, state.now);
      const key = { eventId, endpointId };
      return {
        attempt: (attemptNumber: number) => deliver({ ...key, attemptNumber }, tools),
        row: () => getDelivery(tables.database, key),
      };
    },
  };
}

describe('an endpoint that fails', () => {
  it('has its owner told at the fourth failed attempt, once, and again when it recovers', async () => {
    const { state, event, endpoint } = await anEndpoint();
    const delivery = await event();
    state.answer = { statusCode: 500 };
    for (const attempt of [1, 2, 3]) await delivery.attempt(attempt);
    expect(state.told).toEqual([]);
    for (const attempt of [4, 5]) await delivery.attempt(attempt);
    expect(state.told).toEqual(['webhook.endpoint.failing']);
    expect(await endpoint()).toMatchObject({ failedAttempts: 5, failingSince: new Date(state.now).toISOString() });

    state.answer = { statusCode: 204 };
    await delivery.attempt(6);
    expect(state.told).toEqual(['webhook.endpoint.failing', 'webhook.endpoint.recovered']);
    expect(await endpoint()).not.toHaveProperty('failingSince');
    await (await event()).attempt(1);
    expect(state.told).toHaveLength(2);
  });

  // https://github.com/hookdeck/outpost/issues/596: it was turned off only where somebody was to be told; here nobody has to listen to what is told.
  it('is turned off after 120 hours without a success, and its deliveries wait as skipped', async () => {
    const { state, event, endpoint } = await anEndpoint();
    const delivery = await event();
    state.answer = { statusCode: 500 };
    for (const attempt of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await delivery.attempt(attempt);
    expect(await delivery.row()).toMatchObject({ status: 'failed' });
    expect(await endpoint()).toMatchObject({ status: 'enabled', failedAttempts: 10 });

    state.now += 120 * hour;
    await (await event()).attempt(1);
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'failing', disabledAt: new Date(state.now).toISOString() });
    expect(state.told).toEqual(['webhook.endpoint.failing', 'webhook.endpoint.disabled']);
    const waiting = await event();
    await waiting.attempt(1);
    expect(await waiting.row()).toMatchObject({ status: 'skipped' });
  });

  it('with an answer that ends each delivery at once is told of and turned off like any other', async () => {
    const { state, event, endpoint } = await anEndpoint();
    state.answer = { statusCode: 404 };
    for (let count = 0; count < 10; count += 1) await (await event()).attempt(1);
    expect(state.told).toEqual(['webhook.endpoint.failing']);
    state.now += 120 * hour;
    await (await event()).attempt(1);
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  });

  it('starts its clock anew with every success', async () => {
    const { state, event, endpoint } = await anEndpoint();
    const delivery = await event();
    state.answer = { statusCode: 500 };
    for (const attempt of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) await delivery.attempt(attempt);
    state.answer = { statusCode: 200 };
    await (await event()).attempt(1);
    state.now += 120 * hour;
    state.answer = { statusCode: 500 };
    await (await event()).attempt(1);
    expect(await endpoint()).toMatchObject({ status: 'enabled', failedAttempts: 1 });
  });
});

describe('an endpoint that does not answer', () => {
  async function open() {
    const made = await anEndpoint();
    made.state.answer = { error: 'timeout' };
    const delivery = await made.event();
    for (const attempt of [1, 2, 3, 4, 5]) await delivery.attempt(attempt);
    return made;
  }

  it('gets no POST while its circuit is open, and no attempt is counted', async () => {
    const { state, event } = await open();
    expect(state.posts).toBe(5);
    const waiting = await event();
    state.tickets.length = 0;
    await waiting.attempt(1);
    expect(state.posts).toBe(5);
    expect(await waiting.row()).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt: new Date(state.now + 30_000).toISOString() });
    expect(await waiting.row()).not.toHaveProperty('leasedUntil');
    expect(state.tickets).toMatchObject([{ body: { attemptNumber: 1 }, delay: 30_000 }]);
  });

  it('is probed by one delivery when the pause is over; a success lets all pass', async () => {
    const { state, event, endpoint } = await open();
    const waiting = await Promise.all([event(), event(), event()]);
    state.now += 30_000;
    await Promise.all(waiting.map((delivery) => delivery.attempt(1)));
    expect(state.posts, 'one probe').toBe(6);
    expect(await endpoint()).toMatchObject({ circuitFaults: 6, circuitOpenUntil: new Date(state.now + 60_000).toISOString() });

    state.now += 60_000;
    state.answer = { statusCode: 200 };
    const [first, ...others] = await Promise.all([event(), event()]);
    await first?.attempt(1);
    for (const delivery of others) await delivery.attempt(1);
    expect(state.posts).toBe(8);
    expect(await endpoint()).not.toHaveProperty('circuitFaults');
  });

  it('has its circuit opened by many that time out at once', async () => {
    const { state, event, endpoint } = await anEndpoint();
    state.answer = { error: 'timeout' };
    const deliveries = await Promise.all(Array.from({ length: 12 }, () => event()));
    await Promise.all(deliveries.map((delivery) => delivery.attempt(1)));
    expect((await endpoint()).circuitFaults).toBe(12);
    expect(Date.parse((await endpoint()).circuitOpenUntil ?? '')).toBeGreaterThan(state.now);
    await (await event()).attempt(1);
    expect(state.posts).toBe(12);
  });

  it('closes its circuit with any answer, even an error', async () => {
    const { state, event, endpoint } = await open();
    state.now += 30_000;
    state.answer = { statusCode: 500 };
    await (await event()).attempt(1);
    expect(await endpoint()).not.toHaveProperty('circuitOpenUntil');
    await (await event()).attempt(1);
    expect(state.posts).toBe(7);
  });
});
