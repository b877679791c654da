import { describe, expect, it } from 'vitest';
import { deliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { hour, toIso } from '../../functions/domain/time.ts';
import { remove } from '../../functions/store/rows.ts';
import { disableWebhookEndpoint, updateWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { deliver } from '../../functions/webhooks/deliver.ts';
import { anEntry } from '../support/create-practice.ts';
import { countRequests } from '../support/answered-client.ts';
import { measuredBy } from '../support/logged.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();

describe('an endpoint that fails', () => {
  it('has its owner notified once, at the fourth failed attempt, and again when it recovers', async () => {
    const { state, event, endpoint, attempt, attempts } = await anEndpoint(tables);
    const delivery = await event();
    const failingSince = toIso(state.now);
    state.answer = { statusCode: 500 };
    await attempts(delivery, 3);
    expect(state.notified).toEqual([]);
    await attempts(delivery, 2);
    expect(state.notified).toEqual(['webhook.endpoint.failing']);
    expect(await endpoint()).toMatchObject({ failedAttempts: 5, failingSince });

    state.answer = { statusCode: 204 };
    await attempts(delivery, 1);
    expect(state.notified).toEqual(['webhook.endpoint.failing', 'webhook.endpoint.recovered']);
    expect(await endpoint()).not.toHaveProperty('failingSince');
    await attempt(await event(), 1);
    expect(state.notified).toHaveLength(2);
  });

  // https://github.com/hookdeck/outpost/issues/596: endpoints with nobody to notify stayed enabled.
  it('is disabled after 120 hours without a success; its deliveries are skipped', async () => {
    const { state, event, endpoint, attempt, row, attempts } = await anEndpoint(tables);
    const delivery = await event();
    state.answer = { statusCode: 500 };
    await attempts(delivery, 10);
    expect(await row(delivery)).toMatchObject({ status: 'failed' });
    expect(await endpoint()).toMatchObject({ status: 'enabled', failedAttempts: 10 });

    state.now += 120 * hour;
    const next = await event();
    await attempt(next, 1);
    expect(await endpoint(), 'one failure after days of silence').toMatchObject({ status: 'enabled' });
    await attempts(next, 1);
    expect(await endpoint()).toMatchObject({
      status: 'disabled',
      disabledReason: 'failing',
      disabledAt: toIso(state.now),
    });
    expect(state.notified).toEqual(['webhook.endpoint.failing', 'webhook.endpoint.disabled']);
    const waiting = await event();
    await attempt(waiting, 1);
    expect(await row(waiting)).toMatchObject({ status: 'skipped' });
  });

  it('is also disabled if its answers end each delivery at once', async () => {
    const { state, event, endpoint, attempt } = await anEndpoint(tables);
    state.answer = { statusCode: 404 };
    for (let count = 0; count < 10; count += 1) await attempt(await event(), 1);
    expect(state.notified).toEqual(['webhook.endpoint.failing']);
    state.now += 120 * hour;
    for (const _ of [1, 2]) await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  });

  it('gets another 120 hours after every success', async () => {
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

describe('an outage of an endpoint', () => {
  async function anEndpointThatAnswers() {
    const { state, event, endpoint, attempt } = await anEndpoint(tables);
    const outagesAfter = async (answer: typeof state.answer) => {
      state.answer = answer;
      const key = await event();
      return (await measuredBy(['EndpointOutages'], () => attempt(key, 1))).length;
    };
    return { endpoint, outagesAfter };
  }

  it('begins with the first failure after a success, and is counted once', async () => {
    const { outagesAfter } = await anEndpointThatAnswers();
    const counted: number[] = [];
    for (const statusCode of [204, 503, 503, 204, 503]) counted.push(await outagesAfter({ statusCode }));
    expect(counted).toEqual([0, 1, 0, 0, 1]);
  });

  it('is not counted if no webhook was ever delivered', async () => {
    const { endpoint, outagesAfter } = await anEndpointThatAnswers();
    expect(await outagesAfter({ error: 'network_error' })).toBe(0);
    expect(await endpoint()).toMatchObject({ failedAttempts: 1 });
  });

  it('has missed what is oldest of all that failed, even if it failed last', async () => {
    const { state, event, endpoint, attempt } = await anEndpoint(tables);
    const oldest = { key: await event(), createdAt: toIso(state.now) };
    state.now += 1000;
    state.answer = { statusCode: 404 };
    await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ missedSince: toIso(state.now) });
    await attempt(oldest.key, 1);
    expect(await endpoint()).toMatchObject({ missedSince: oldest.createdAt });
  });
});

describe('the owner of an endpoint', () => {
  const busDown = async () => {
    throw new Error('the bus is down');
  };

  it('hears of a recovery even if the bus was down at first', async () => {
    const { state, event, attempt, endpoint } = await anEndpoint(tables);
    state.answer = { statusCode: 404 };
    for (const _ of [1, 2, 3, 4]) await attempt(await event(), 1);
    state.answer = { statusCode: 200 };
    await expect(attempt(await event(), 1, { notifyOwner: busDown })).rejects.toThrow('the bus is down');
    expect(await endpoint()).toHaveProperty('ownerNotifiedAt');
    expect(await endpoint(), 'its slot is free').not.toHaveProperty('inFlight');
    await attempt(await event(), 1);
    expect(state.notified).toEqual(['webhook.endpoint.failing', 'webhook.endpoint.recovered']);
    expect(await endpoint()).not.toHaveProperty('ownerNotifiedAt');
  });

  it('does not delay a retry while the bus is down', async () => {
    const { state, event, attempt } = await anEndpoint(tables);
    state.answer = { statusCode: 500 };
    for (const _ of [1, 2, 3]) await attempt(await event(), 1);
    state.tickets.length = 0;
    await expect(attempt(await event(), 1, { notifyOwner: busDown })).rejects.toThrow('the bus is down');
    expect(state.tickets).toMatchObject([{ body: { attemptNumber: 2 }, delay: 5_000 }]);
  });

  it.each<[string, (endpoint: { practiceId: string; endpointId: string }) => Promise<unknown>]>([
    [
      'moved',
      (key) =>
        updateWebhookEndpoint(tables.database, key, { url: 'https://new.example.com/' }, anEntry(key.practiceId)),
    ],
    ['was disabled', (key) => disableWebhookEndpoint(tables.database, key, Date.now(), anEntry(key.practiceId))],
  ])('is not notified that an endpoint is gone if it %s during the attempt', async (_, meanwhile) => {
    const { state, event, attempt, practiceId, endpointId } = await anEndpoint(tables);
    state.answer = async () => {
      await meanwhile({ practiceId, endpointId });
      return { statusCode: 410 };
    };
    await attempt(await event(), 1);
    expect(state.posts).toHaveLength(1);
    expect(state.notified).toEqual([]);
  });

  it('is not notified of a recovery of the server that an endpoint was moved away from', async () => {
    const { state, event, attempt, practiceId, endpointId } = await anEndpoint(tables);
    state.answer = { statusCode: 404 };
    for (const _ of [1, 2, 3, 4]) await attempt(await event(), 1);
    state.answer = async () => {
      const url = 'https://new.example.com/';
      await updateWebhookEndpoint(tables.database, { practiceId, endpointId }, { url }, anEntry(practiceId));
      return { statusCode: 204 };
    };
    await attempt(await event(), 1);
    expect(state.notified).toEqual(['webhook.endpoint.failing']);
  });

  it("starts over with a moved endpoint: the old server's timeouts do not count, and its slots are free", async () => {
    const { state, event, batch, endpoint, practiceId, endpointId } = await anEndpoint(tables);
    const { promise, resolve } = Promise.withResolvers<{ error: 'timeout' }>();
    state.answer = () => promise;
    const working = batch(await Promise.all(Array.from({ length: 5 }, () => event())));
    await expect.poll(() => state.posts.length).toBe(5);
    await updateWebhookEndpoint(
      tables.database,
      { practiceId, endpointId },
      { url: 'https://new.example.com/' },
      anEntry(practiceId),
    );
    resolve({ error: 'timeout' });
    await working;
    for (const trouble of ['failedAttempts', 'failingSince', 'lastFailure', 'consecutiveNoResponses', 'inFlight'])
      expect(await endpoint()).not.toHaveProperty(trouble);
    expect(await endpoint()).not.toHaveProperty('circuitOpenUntil');
  });

  it('keeps an endpoint that works again just before it would be disabled', async () => {
    const { state, event, attempt, endpoint } = await anEndpoint(tables);
    state.answer = { statusCode: 404 };
    for (let count = 0; count < 10; count += 1) await attempt(await event(), 1);
    state.now += 120 * hour;
    await attempt(await event(), 1);
    const works = async () => {
      state.answer = { statusCode: 200 };
      await attempt(await event(), 1);
    };
    await attempt(await event(), 1, { notifyOwner: works });
    expect(await endpoint()).toMatchObject({ status: 'enabled' });
  });
});

describe('an endpoint that does not answer', () => {
  async function anOpenCircuit() {
    const made = await anEndpoint(tables);
    made.state.answer = { error: 'timeout' };
    await made.attempts(await made.event(), 5);
    expect(made.state.posts).toHaveLength(5);
    return made;
  }

  it('gets no POST while its circuit is open, and no attempt is counted', async () => {
    const { state, event, attempt, row } = await anOpenCircuit();
    const waiting = await event();
    state.tickets.length = 0;
    await attempt(waiting, 1);
    expect(state.posts).toHaveLength(5);
    const delivery = await row(waiting);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt: toIso(state.now + 30_000) });
    expect(delivery).not.toHaveProperty('leasedUntil');
    expect(state.tickets).toMatchObject([{ body: { attemptNumber: 1 }, delay: 30_000 }]);
  });

  it('is probed by one delivery when the circuit half-opens, and gets the rest after a success', async () => {
    const { state, event, endpoint, attempt } = await anOpenCircuit();
    const waiting = await Promise.all([event(), event(), event()]);
    state.now += 30_000;
    await Promise.all(waiting.map((delivery) => attempt(delivery, 1)));
    expect(state.posts, 'one probe').toHaveLength(6);
    expect(await endpoint()).toMatchObject({ consecutiveNoResponses: 6, circuitOpenUntil: toIso(state.now + 60_000) });

    state.now += 60_000;
    state.answer = { statusCode: 200 };
    const both = await Promise.all([event(), event()]);
    for (const delivery of both) await attempt(delivery, 1);
    expect(state.posts).toHaveLength(8);
    expect(await endpoint()).not.toHaveProperty('consecutiveNoResponses');
  });

  it('is not probed by a stale ticket, which would cost the others minutes', async () => {
    const { state, event, attempt, posted } = await anOpenCircuit();
    const sent = await event();
    state.now += 30_000;
    state.answer = { statusCode: 200 };
    await attempt(sent, 2);
    await attempt(sent, 1);
    expect(posted()).toContain(sent.eventId);
  });

  it('refuses a worker again in one write a delivery, and gets all of them after the pause', async () => {
    const { state, tools, dispatchedEvent, drain, row, posted } = await anOpenCircuit();
    state.tickets.length = 0;
    const refused = [await dispatchedEvent()];
    await drain();
    refused.push(await dispatchedEvent(), await dispatchedEvent());
    const { database, requests } = countRequests(tables.database);
    const tickets = state.tickets.splice(1).map(({ body }) => deliveryTicket.parse(body));
    await deliver({ ...tools, database }, tickets);
    expect(requests()).toEqual({ webhookEndpoints: 1, deliveries: 2, events: 1 });
    for (const key of refused) {
      const nextAttemptAt = toIso(state.now + 30_000);
      expect(await row(key)).toMatchObject({ status: 'pending', attempts: 0, nextAttemptAt });
      expect(await row(key)).not.toHaveProperty('leasedUntil');
    }
    expect(state.tickets.map(({ delay }) => delay)).toEqual(refused.map(() => 30_000));
    // A batch postpones its deliveries at the same time, so in any order.
    const ofTickets = state.tickets.map(({ body }) => deliveryTicket.parse(body).eventId);
    expect(ofTickets.sort()).toEqual(refused.map(({ eventId }) => eventId).sort());

    state.now += 30_000;
    state.answer = { statusCode: 204 };
    await drain();
    expect(posted().slice(-3).sort()).toEqual(refused.map(({ eventId }) => eventId).sort());
  });

  it('is not asked again and again about a delivery whose event is no longer stored', async () => {
    const { state, event, attempt, row } = await anOpenCircuit();
    const { eventId, endpointId } = await event();
    await remove(tables.database, 'events', { eventId });
    state.tickets.length = 0;
    state.now += 30_000;
    await attempt({ eventId, endpointId }, 1);
    expect(state.tickets).toEqual([]);
    expect(await row({ eventId, endpointId })).toMatchObject({ status: 'skipped' });
  });

  it('has its circuit opened by five requests in flight that all time out', async () => {
    const { state, event, endpoint, attempt, batch } = await anEndpoint(tables);
    const { promise, resolve } = Promise.withResolvers<{ error: 'timeout' }>();
    state.answer = () => promise;
    const working = batch(await Promise.all(Array.from({ length: 12 }, () => event())));
    await expect.poll(() => state.tickets.length).toBe(7);
    resolve({ error: 'timeout' });
    await working;
    expect((await endpoint()).consecutiveNoResponses).toBe(5);
    expect(Date.parse((await endpoint()).circuitOpenUntil ?? '')).toBeGreaterThan(state.now);
    await attempt(await event(), 1);
    expect(state.posts).toHaveLength(5);
  });

  it('does not pause longer after a failed probe because more requests were in flight when the circuit opened', async () => {
    const { state, event, endpoint, attempt, attempts, batch } = await anEndpoint(tables);
    state.answer = { error: 'network_error' };
    await attempts(await event(), 4);
    const { promise, resolve } = Promise.withResolvers<{ error: 'network_error' }>();
    state.answer = () => promise;
    const working = batch(await Promise.all(Array.from({ length: 5 }, () => event())));
    await expect.poll(() => state.posts.length).toBe(9);
    resolve({ error: 'network_error' });
    await working;
    expect(await endpoint()).toMatchObject({ failedAttempts: 9, consecutiveNoResponses: 5 });
    state.now += 30_000;
    await attempt(await event(), 1);
    expect(await endpoint()).toMatchObject({ circuitOpenUntil: toIso(state.now + 60_000) });
  });

  it('closes its circuit with any answer, even an error', async () => {
    const { state, event, endpoint, attempt } = await anOpenCircuit();
    state.now += 30_000;
    state.answer = { statusCode: 500 };
    await attempt(await event(), 1);
    expect(await endpoint()).not.toHaveProperty('circuitOpenUntil');
    await attempt(await event(), 1);
    expect(state.posts).toHaveLength(7);
  });
});
