import { describe, expect, it } from 'vitest';
import { toIso } from '../../../functions/domain/time.ts';
import type { WebhookEndpoint } from '../../../functions/domain/webhooks/webhook-endpoint.ts';
import {
  recordFailure,
  recordMissed,
  recordNotified,
  recordSuccess,
} from '../../../functions/store/webhooks/endpoint-health.ts';
import { getWebhookEndpoint } from '../../../functions/store/webhooks/webhook-endpoints.ts';
import { startTestTables } from '../../support/tables.ts';
import { storeEndpoint } from '../../support/webhook-endpoint.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const [earlier, at, later] = [toIso(now - 1), toIso(now), toIso(now + 1)];

const stored = async ({ practiceId, endpointId }: WebhookEndpoint) =>
  getWebhookEndpoint(database, practiceId, endpointId);
const fails = (endpoint: WebhookEndpoint, of = database) =>
  recordFailure(of, endpoint, { lastFailure: { error: 'timeout' }, noResponse: true, deliveryCreatedAt: at }, now);

describe('a success', () => {
  it('changes nothing at an endpoint that was disabled or has moved', async () => {
    const disabled = await storeEndpoint(database, { failedAttempts: 3, status: 'disabled' });
    expect(await recordSuccess(database, disabled, now)).toBeUndefined();
    expect(await stored(disabled)).toEqual(disabled);
    const moved = await storeEndpoint(database, { failedAttempts: 3 });
    const asRead = { ...moved, url: 'https://old.example.com/' };
    expect(await recordSuccess(database, asRead, now)).toBeUndefined();
    expect(await stored(moved)).toEqual(moved);
  });
});

describe('the fifth failure without a response', () => {
  const four = { consecutiveNoResponses: 4, failedAttempts: 4 };

  it('opens the circuit for 30 seconds', async () => {
    const opened = { circuitOpenUntil: toIso(now + 30_000), consecutiveNoResponses: 5 };
    expect(await fails(await storeEndpoint(database, four))).toMatchObject(opened);
  });

  it('does not open it if a success came in between', async () => {
    const endpoint = await storeEndpoint(database, four);
    const interrupted: typeof database = {
      ...database,
      call: async (...request) => {
        const answer = await database.call(...request);
        if (request[0] === 'UpdateItem') await recordSuccess(database, endpoint, now);
        return answer;
      },
    };
    expect(await fails(endpoint, interrupted)).toMatchObject({ consecutiveNoResponses: 5 });
    expect(await stored(endpoint)).not.toHaveProperty('circuitOpenUntil');
  });

  it('does not keep it open longer if another request had opened it', async () => {
    const { circuitOpenUntil: _, ...asRead } = await storeEndpoint(database, {
      consecutiveNoResponses: 5,
      circuitOpenUntil: later,
    });
    expect(await fails(asRead)).toMatchObject({ circuitOpenUntil: later, consecutiveNoResponses: 5 });
    expect(await stored(asRead)).toMatchObject({ circuitOpenUntil: later });
  });
});

describe('the time of the first missed delivery', () => {
  it.each([
    ['is recorded', undefined, at],
    ['becomes an earlier one', later, at],
    ['does not become a later one', earlier, earlier],
  ])('%s', async (_, missedSince, expected) => {
    const endpoint = await storeEndpoint(database, { ...(missedSince !== undefined && { missedSince }) });
    await recordMissed(database, { ...endpoint, createdAt: at });
    expect(await stored(endpoint)).toMatchObject({ missedSince: expected });
  });

  it('is not that of a delivery that had arrived before it was resent', async () => {
    const endpoint = await storeEndpoint(database);
    await recordMissed(database, { ...endpoint, createdAt: at, deliveredAt: at });
    expect(await stored(endpoint)).not.toHaveProperty('missedSince');
  });

  it('does not bring a deleted endpoint back', async () => {
    const gone = { practiceId: 'prc_gone', endpointId: 'whe_gone' };
    await recordMissed(database, { ...gone, createdAt: at });
    expect(await getWebhookEndpoint(database, gone.practiceId, gone.endpointId)).toBeUndefined();
  });
});

it('a notice to the owner is recorded only while the endpoint fails, so that the next outage has its own', async () => {
  const [failing, recovered] = [await storeEndpoint(database, { failingSince: at }), await storeEndpoint(database)];
  for (const endpoint of [failing, recovered]) await recordNotified(database, endpoint, now);
  expect(await stored(failing)).toMatchObject({ ownerNotifiedAt: at });
  expect(await stored(recovered)).not.toHaveProperty('ownerNotifiedAt');
});
