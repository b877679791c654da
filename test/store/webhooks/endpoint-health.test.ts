import { describe, expect, it } from 'vitest';
import { toIso } from '../../../functions/domain/time.ts';
import type { WebhookEndpoint } from '../../../functions/domain/webhooks/webhook-endpoint.ts';
import {
  disableBrokenEndpoint,
  forgetNotified,
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

describe('a failure', () => {
  const closed = { consecutiveNoResponses: 3, failedAttempts: 3 };
  const open = { consecutiveNoResponses: 5, circuitOpenUntil: earlier, failedAttempts: 5 };
  const answered = { lastFailure: { statusCode: 500 }, noResponse: false, deliveryCreatedAt: at };

  it('of the server that an endpoint was moved away from is not recorded', async () => {
    const moved = await storeEndpoint(database, closed);
    const asRead = { ...moved, url: 'https://old.example.com/' };
    expect(await fails(asRead)).toBeUndefined();
    expect(await recordFailure(database, asRead, answered, now)).toBeUndefined();
    expect(await stored(moved)).toEqual(moved);
  });

  it('with a response closes the circuit and ends the count of those without one', async () => {
    const endpoint = await storeEndpoint(database, open);
    await recordFailure(database, endpoint, answered, now);
    const failed = await stored(endpoint);
    expect(failed).toMatchObject({ failedAttempts: 6, failingSince: at, missedSince: at });
    for (const name of ['consecutiveNoResponses', 'circuitOpenUntil']) expect(failed).not.toHaveProperty(name);
  });

  it('without a response, the fourth of them, does not open the circuit', async () => {
    const endpoint = await storeEndpoint(database, closed);
    expect(await fails(endpoint)).toMatchObject({ consecutiveNoResponses: 4, failedAttempts: 4 });
    expect(await stored(endpoint)).not.toHaveProperty('circuitOpenUntil');
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

it('a notice to the owner is forgotten, but not a later one', async () => {
  const endpoint = await storeEndpoint(database, { ownerNotifiedAt: at });
  await forgetNotified(database, { ...endpoint, ownerNotifiedAt: earlier });
  expect(await stored(endpoint)).toEqual(endpoint);
  await forgetNotified(database, endpoint);
  expect(await stored(endpoint)).not.toHaveProperty('ownerNotifiedAt');
});

describe('a broken endpoint', () => {
  it.each(['gone', 'failing'] as const)('is disabled as %s', async (disabledReason) => {
    const endpoint = await storeEndpoint(database, { failingSince: at });
    await disableBrokenEndpoint(database, endpoint, disabledReason, now);
    expect(await stored(endpoint)).toMatchObject({ status: 'disabled', disabledReason, disabledAt: at });
  });

  it.each([
    ['gone', 'has moved since', { url: 'https://old.example.com/' }],
    ['failing', 'has recovered since', { failingSince: earlier }],
  ] as const)('is not disabled as %s if it %s', async (reason, _, differences) => {
    const endpoint = await storeEndpoint(database, { failingSince: at });
    await disableBrokenEndpoint(database, { ...endpoint, ...differences }, reason, now);
    expect(await stored(endpoint)).toEqual(endpoint);
  });

  it('is disabled as gone even if another outage began in the meantime', async () => {
    const endpoint = await storeEndpoint(database, { failingSince: at });
    await disableBrokenEndpoint(database, { ...endpoint, failingSince: earlier }, 'gone', now);
    expect(await stored(endpoint)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  });

  it('keeps the reason with which it was disabled first', async () => {
    const disabled = { status: 'disabled', disabledAt: earlier, failingSince: at } as const;
    const endpoint = await storeEndpoint(database, disabled);
    for (const reason of ['gone', 'failing'] as const) await disableBrokenEndpoint(database, endpoint, reason, now);
    expect(await stored(endpoint)).toEqual(endpoint);
  });
});
