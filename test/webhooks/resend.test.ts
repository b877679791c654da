import { describe, expect, it } from 'vitest';
import { disableEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { leaseDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { listAttempts } from '../../functions/store/webhooks/delivery-log.ts';
import { resendEvent, testEndpoint } from '../../functions/webhooks/resend.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';
import { randomBytes } from 'node:crypto';
import { testWebhook } from '../../functions/contract/webhooks/webhooks.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';

const tables = await startTestTables();

describe('an event that is resent', () => {
  it('gets a ticket at once, under the same id', async () => {
    const endpoint = await anEndpoint(tables);
    const { state, practiceId, endpointId } = endpoint;
    const key = await endpoint.event();
    await endpoint.attempt(key, 1);
    expect(await resendEvent(endpoint.tools, { author, ...endpoint, ...key }, state.now)).toEqual({
      ...key,
      status: 'pending',
    });
    const body = { ...key, practiceId, attemptNumber: 2 };
    expect(state.tickets).toEqual([{ body, groupId: endpointId }]);
    await endpoint.attempt(key, 2);
    expect(endpoint.posted()).toEqual([key.eventId, key.eventId]);
  });

  it('after a failure starts a new retry schedule, and keeps counting its attempts', async () => {
    const endpoint = await anEndpoint(tables);
    const { state } = endpoint;
    const key = await endpoint.event();
    state.answer = { statusCode: 404 };
    await endpoint.attempt(key, 1);
    expect(await endpoint.row(key)).toMatchObject({ status: 'failed', attempts: 1 });

    state.answer = { statusCode: 500 };
    await resendEvent(endpoint.tools, { author, ...endpoint, ...key }, state.now);
    await endpoint.drain();
    const again = await endpoint.row(key);
    expect(again).toMatchObject({ status: 'pending', attempts: 2 });
    expect(Date.parse(again.nextAttemptAt ?? '') - state.now, 'the first wait of the schedule').toBe(5000);
    expect(
      (await listAttempts(tables.database, await endpoint.row(key))).map(({ attemptNumber, statusCode }) => [
        attemptNumber,
        statusCode,
      ]),
    ).toEqual([
      [1, 404],
      [2, 500],
    ]);
  });

  // https://github.com/hookdeck/outpost/issues/662: the manual retry and the waiting one both ran.
  it('while it waits for a retry is sent once, sooner', async () => {
    const endpoint = await anEndpoint(tables);
    const { state } = endpoint;
    const key = await endpoint.event();
    state.answer = { statusCode: 500 };
    await endpoint.attempt(key, 1);
    await endpoint.attempt(key, 2);
    await resendEvent(endpoint.tools, { author, ...endpoint, ...key }, state.now);
    await endpoint.drain();
    await endpoint.attempt(key, 3);
    expect(await endpoint.row(key)).toMatchObject({ attempts: 3, attemptsBefore: 0 });
    expect(state.posts).toHaveLength(3);
  });
});

describe('resending is refused', () => {
  it('during an attempt', async () => {
    const endpoint = await anEndpoint(tables);
    const key = await endpoint.event();
    await leaseDelivery(
      tables.database,
      { ...key, practiceId: endpoint.practiceId, attemptNumber: 1 },
      endpoint.state.now,
    );
    const again = resendEvent(endpoint.tools, { author, ...endpoint, ...key }, endpoint.state.now);
    expect(await problemOf(again)).toMatchObject({ code: 'delivery_in_progress' });
    expect(endpoint.state.tickets).toEqual([]);
  });

  it('for a disabled endpoint, and changes nothing', async () => {
    const endpoint = await anEndpoint(tables);
    const key = await endpoint.event();
    await endpoint.attempt(key, 1);
    const before = await endpoint.row(key);
    await disableEndpoint(endpoint.tools, { ...endpoint, author }, endpoint.state.now);
    const again = resendEvent(endpoint.tools, { author, ...endpoint, ...key }, endpoint.state.now);
    expect(await problemOf(again)).toMatchObject({ code: 'webhook_endpoint_disabled' });
    expect(await endpoint.row(key)).toEqual(before);
  });

  it('for an event, an endpoint or a practice that does not match', async () => {
    const [endpoint, other] = [await anEndpoint(tables), await anEndpoint(tables)];
    const { practiceId, endpointId, state, tools } = endpoint;
    const { eventId } = await endpoint.event();
    const refusals = [
      [{ practiceId, endpointId, eventId: 'evt_none' }, 'delivery_not_found'],
      [{ practiceId, endpointId, eventId: 'x'.repeat(3000) }, 'delivery_not_found'],
      [{ practiceId, endpointId: 'whe_none', eventId }, 'webhook_endpoint_not_found'],
      [{ practiceId: other.practiceId, endpointId, eventId }, 'webhook_endpoint_not_found'],
      [{ practiceId: other.practiceId, endpointId: other.endpointId, eventId }, 'delivery_not_found'],
    ] as const;
    for (const [input, code] of refusals)
      expect(await problemOf(resendEvent(tools, { ...input, author }, state.now))).toMatchObject({ code });
  });
});

it.each([
  ['sandbox', false],
  ['live', true],
] as const)('a test of a %s endpoint sends it one webhook that is about no session', async (mode, livemode) => {
  const endpoint = await anEndpoint(tables);
  const { state, practiceId, endpointId } = endpoint;
  const { eventId, status } = await testEndpoint(
    { ...endpoint.tools, mode, randomBytes },
    { ...endpoint, author },
    state.now,
  );
  expect(status).toBe('pending');
  const body = { practiceId, endpointId, eventId, attemptNumber: 1 };
  expect(state.tickets).toEqual([{ body, groupId: endpointId }]);
  await endpoint.drain();
  expect(endpoint.posted()).toEqual([eventId]);
  const event = await getEvent(tables.database, eventId);
  expect(testWebhook.parse(JSON.parse(event?.body ?? ''))).toMatchObject({
    id: eventId,
    type: 'webhook.test',
    livemode,
    practiceId: endpoint.practiceId,
  });
  expect(await endpoint.row({ eventId, endpointId })).toMatchObject({ status: 'delivered' });
});

it('a disabled or unknown endpoint cannot be tested', async () => {
  const endpoint = await anEndpoint(tables);
  const { now } = endpoint.state;
  const tools = { ...endpoint.tools, mode: 'sandbox', randomBytes } as const;
  expect(await problemOf(testEndpoint(tools, { author, ...endpoint, endpointId: 'whe_none' }, now))).toMatchObject({
    code: 'webhook_endpoint_not_found',
  });
  await disableEndpoint(endpoint.tools, { ...endpoint, author }, now);
  expect(await problemOf(testEndpoint(tools, { ...endpoint, author }, now))).toMatchObject({
    code: 'webhook_endpoint_disabled',
  });
  expect(endpoint.state.tickets).toEqual([]);
});
