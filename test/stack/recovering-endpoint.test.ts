import { expect, it, vi } from 'vitest';
import { toIso } from '../../functions/domain/time.ts';
import { recordFailure, recordNotified } from '../../functions/store/webhooks/endpoint-health.ts';
import { getWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';
import { patience } from '../support/until.ts';

let service: TestPractice;
let database: TestDatabase;
onStack.beforeAll(({ own }) => {
  service = own;
  database = databaseOf(own.stack);
});

async function endpoint() {
  const { practiceId, endpointId } = service.practice;
  const found = await getWebhookEndpoint(database, practiceId, endpointId);
  if (!found) throw new Error('the practice has no endpoint');
  return found;
}

it('an endpoint whose owner was told that it fails recovers: it gets every webhook, the owner is told, and no slot stays reserved', async () => {
  const failing = await endpoint();
  const now = Date.now();
  const failure = { lastFailure: { statusCode: 500 }, noResponse: false, deliveryCreatedAt: toIso(now) };
  for (let failed = 0; failed < 4; failed += 1) await recordFailure(database, failing, failure, now);
  await recordNotified(database, failing, now);
  expect(await endpoint()).toMatchObject({ failedAttempts: 4, ownerNotifiedAt: toIso(now) });

  // More than the endpoint has slots.
  const sessions = await Promise.all(Array.from({ length: 12 }, () => service.createSession()));
  for (const { sessionId } of sessions) await service.client.sessions.cancel(sessionId);
  for (const { sessionId } of sessions) await service.receiver.waitFor('session.payment.cancelled', sessionId);

  // Removed only once the bus has accepted the recovery.
  await vi.waitFor(async () => expect(await endpoint()).not.toHaveProperty('ownerNotifiedAt'), patience);
  await vi.waitFor(async () => expect((await endpoint()).inFlight ?? new Set()).toEqual(new Set()), patience);
  expect(await endpoint()).not.toHaveProperty('failingSince');
});
