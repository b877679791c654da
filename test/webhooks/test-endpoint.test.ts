import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { testWebhook } from '../../functions/contract/webhooks/webhooks.ts';
import { disableEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { testEndpoint } from '../../functions/webhooks/test-endpoint.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();

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
