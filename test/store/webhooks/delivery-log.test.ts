import { describe, expect, it } from 'vitest';
import { minute, toIso } from '../../../functions/domain/time.ts';
import type { Delivery } from '../../../functions/domain/webhooks/delivery.ts';
import { getDelivery, recordAttempt, updateDelivery } from '../../../functions/store/webhooks/deliveries.ts';
import {
  createTestDelivery,
  listAttempts,
  listDeliveriesOfEvent,
  reopenAudited,
  reopenDelivery,
} from '../../../functions/store/webhooks/delivery-log.ts';
import { anEntry } from '../../support/create-practice.ts';
import { startTestTables } from '../../support/tables.ts';
import { aDelivery, storeEndpoint } from '../../support/webhook-endpoint.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');

describe('a delivery is sent again', () => {
  it('at once, with a new schedule if it had ended, and with the rest of its own if not', async () => {
    for (const [status, attemptsBefore] of [
      ['failed', 3],
      ['pending', 1],
    ] as const) {
      const { asRead, read } = await aDelivery(database, now, { status, attempts: 3, attemptsBefore: 1 });
      expect(await reopenDelivery(database, asRead, now + minute)).toBe(true);
      const at = toIso(now + minute);
      expect(await read()).toMatchObject({ status: 'pending', attempts: 3, attemptsBefore, nextAttemptAt: at });
    }
  });

  it('by the sweep, unless the caller sends a ticket: then the sweep leaves it alone for two minutes', async () => {
    const { asRead, read, practiceId } = await aDelivery(database, now, { status: 'skipped' });
    await reopenDelivery(database, asRead, now);
    expect(await read()).toMatchObject({ dueAt: toIso(now) });
    await reopenDelivery(database, await read(), now, true);
    expect(await read()).toMatchObject({ dueAt: toIso(now + 2 * minute) });
    await reopenAudited(database, await read(), now, anEntry(practiceId));
    expect(await read()).toMatchObject({ dueAt: toIso(now) });
  });

  it.each<[string, Partial<Delivery>]>([
    ['ended', { status: 'delivered' }],
    ['was attempted', { attempts: 1 }],
    ['is being sent', { leasedUntil: toIso(now + 1) }],
  ])('but not one that %s since it was read', async (_, set) => {
    const { key, asRead, read } = await aDelivery(database, now);
    await updateDelivery(database, key, { set });
    const before = await read();
    expect(await reopenDelivery(database, asRead, now)).toBe(false);
    expect(await read()).toEqual(before);
  });

  it('from the moment in which its worker loses the lease', async () => {
    const { asRead, read } = await aDelivery(database, now, { leasedUntil: toIso(now) });
    expect(await reopenDelivery(database, asRead, now)).toBe(true);
    expect(await read()).not.toHaveProperty('leasedUntil');
  });
});

it('a test is due at once, and its ID is used once', async () => {
  const { practiceId, endpointId } = await storeEndpoint(database);
  const test = { eventId: 'evt_test_1', practiceId, endpointId, livemode: false };
  await createTestDelivery(database, test, now, anEntry(practiceId));
  const created = { status: 'pending', eventType: 'webhook.test', nextAttemptAt: toIso(now), dueAt: toIso(now) };
  expect(await getDelivery(database, test)).toMatchObject(created);
  const again = createTestDelivery(database, test, now, anEntry(practiceId));
  await expect(again).rejects.toThrow('a new event id was already taken');
});

it('the deliveries of an event are those to endpoints of the owner who asks', async () => {
  const { key, practiceId, asRead } = await aDelivery(database, now);
  expect(await listDeliveriesOfEvent(database, key.eventId, practiceId)).toEqual([asRead]);
  expect(await listDeliveriesOfEvent(database, key.eventId, 'prc_other')).toEqual([]);
});

it('the attempts of a delivery are in their order, also the first one that its own row has', async () => {
  const { asRead, read } = await aDelivery(database, now);
  const url = 'https://hooks.example.com/';
  const attempt = { url, startedAt: toIso(now), durationMilliseconds: 5, responseTruncated: false };
  expect(await listAttempts(database, asRead)).toEqual([]);
  await recordAttempt(database, asRead, { ...attempt, statusCode: 204 }, { status: 'delivered' }, now);
  expect(await listAttempts(database, await read())).toMatchObject([{ attemptNumber: 1, statusCode: 204 }]);
  await reopenDelivery(database, await read(), now);
  const failed = { status: 'failed', gone: false } as const;
  await recordAttempt(database, await read(), { ...attempt, statusCode: 500 }, failed, now);
  expect(await listAttempts(database, await read())).toMatchObject([
    { attemptNumber: 1, statusCode: 204 },
    { attemptNumber: 2, statusCode: 500 },
  ]);
});
