import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Table } from '../../../functions/contract/environment.ts';
import { day, minute, second, toIso } from '../../../functions/domain/time.ts';
import type { Delivery } from '../../../functions/domain/webhooks/delivery.ts';
import {
  createDelivery,
  getDelivery,
  leaseDelivery,
  postponeDelivery,
  recordAttempt,
  rescheduleDelivery,
  skipDelivery,
  updateDelivery,
  type DeliveryKey,
} from '../../../functions/store/webhooks/deliveries.ts';
import { startTestTables } from '../../support/tables.ts';
import { aDelivery } from '../../support/webhook-endpoint.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');

async function find(table: Table, key: object) {
  const { Item } = await database.documents.send(
    new GetCommand({ TableName: database.tables[table], Key: { ...key }, ConsistentRead: true }),
  );
  return Item;
}

const raw = async (table: Table, key: object) => (await find(table, key)) ?? expect.fail('no such row');

const failed = { url: 'https://hooks.example.com/', statusCode: 500, responseTruncated: false } as const;
const made = { ...failed, startedAt: toIso(now), durationMilliseconds: 5 };
const ended = { status: 'failed', gone: false } as const;
const idOf = ({ eventId, endpointId }: DeliveryKey) => `${eventId}#${endpointId}`;

it('a webhook, its delivery and its attempts are kept for 30 days', async () => {
  const { key, asRead } = await aDelivery(database, now);
  await recordAttempt(database, asRead, made, ended, now + second);
  const deletedAt = (now + 30 * day) / second;
  expect(await raw('events', { eventId: key.eventId })).toMatchObject({ timeToLive: deletedAt });
  expect(await raw('deliveries', key)).toMatchObject({ timeToLive: deletedAt });
  const attempt = { deliveryId: idOf(key), attemptNumber: 1 };
  expect(await raw('attempts', attempt)).toMatchObject({ timeToLive: deletedAt + 1 });
});

it("a delivery to a platform's endpoint names the practice that the event is about", async () => {
  const endpoint = { practiceId: 'plt_1', endpointId: 'whe_1', status: 'enabled' } as const;
  const event = { eventId: 'evt_1', practiceId: 'prc_1', type: 'session.payment.succeeded' } as const;
  expect(await createDelivery(database, event, endpoint, now)).toBe(true);
  expect(await createDelivery(database, event, endpoint, now + second), 'a repeated dispatch').toBe(false);
  const created = { practiceId: 'plt_1', eventPracticeId: 'prc_1', attempts: 0, createdAt: toIso(now) };
  expect(await getDelivery(database, { eventId: 'evt_1', endpointId: 'whe_1' })).toMatchObject(created);
  await createDelivery(database, { ...event, practiceId: 'plt_1' }, { ...endpoint, endpointId: 'whe_2' }, now);
  const own = await getDelivery(database, { eventId: 'evt_1', endpointId: 'whe_2' });
  expect(own).not.toHaveProperty('eventPracticeId');
});

it('a delivery is left to its ticket for two minutes, and one to a disabled endpoint is skipped', async () => {
  const { asRead } = await aDelivery(database, now);
  const due = { status: 'pending', nextAttemptAt: toIso(now), dueAt: toIso(now + 2 * minute) };
  expect(asRead).toMatchObject(due);
  const event = { eventId: 'evt_skipped', practiceId: 'prc_1', type: 'session.payment.succeeded' } as const;
  const endpoint = { practiceId: 'prc_1', endpointId: 'whe_disabled', status: 'disabled' } as const;
  expect(await createDelivery(database, event, endpoint, now)).toBe(true);
  const skipped = await getDelivery(database, { eventId: event.eventId, endpointId: endpoint.endpointId });
  expect(skipped).toMatchObject({ status: 'skipped' });
  for (const name of ['nextAttemptAt', 'dueAt', 'dueShard']) expect(skipped).not.toHaveProperty(name);
});

it('a delivery that is put off loses its lease and is due at its next attempt', async () => {
  const { ticket, key, read } = await aDelivery(database, now);
  const [soon, later] = [now + second, now + 2 * second];
  expect(await postponeDelivery(database, ticket, { nextAttemptAt: soon, byTicket: true }, now)).toBe(true);
  expect(await read()).toMatchObject({ nextAttemptAt: toIso(soon), dueAt: toIso(soon + 2 * minute), attempts: 0 });
  const leased = (await leaseDelivery(database, ticket, now)) ?? expect.fail('not leased');
  expect(await rescheduleDelivery(database, leased, { nextAttemptAt: later, byTicket: false })).toBe(true);
  expect(await read()).toMatchObject({ ...key, nextAttemptAt: toIso(later), dueAt: toIso(later), attempts: 0 });
  expect(await read()).not.toHaveProperty('leasedUntil');
});

it('a delivery that succeeds at once keeps its attempt in its own row, unless another worker has recorded one', async () => {
  const delivered = { status: 'delivered' } as const;
  const { asRead, key, read } = await aDelivery(database, now, { leasedUntil: toIso(now) });
  const succeeded = { ...made, statusCode: 200 };
  expect(await recordAttempt(database, asRead, succeeded, delivered, now + second)).toBe(true);
  expect(await read()).toMatchObject({
    ...delivered,
    attempts: 1,
    deliveredAt: toIso(now + second),
    firstAttempt: succeeded,
  });
  for (const name of ['nextAttemptAt', 'dueAt', 'dueShard', 'leasedUntil'])
    expect(await read()).not.toHaveProperty(name);
  expect(await find('attempts', { deliveryId: idOf(key), attemptNumber: 1 })).toBeUndefined();
  const before = await read();
  expect(await recordAttempt(database, asRead, succeeded, delivered, now + minute), 'a late worker').toBe(false);
  expect(await read()).toEqual(before);
});

describe('a delivery is leased', () => {
  it('for a minute, to the first of those with its ticket', async () => {
    const { ticket, read } = await aDelivery(database, now);
    expect(await leaseDelivery(database, ticket, now)).toMatchObject({ leasedUntil: toIso(now + minute) });
    expect(await leaseDelivery(database, ticket, now + minute - 1)).toBeUndefined();
    expect(await postponeDelivery(database, ticket, { nextAttemptAt: now, byTicket: true }, now)).toBe(false);
    expect(await read()).toMatchObject({ leasedUntil: toIso(now + minute), attempts: 0 });
    expect(await leaseDelivery(database, ticket, now + minute)).toMatchObject({ leasedUntil: toIso(now + 2 * minute) });
  });

  it('at most five seconds before it is due', async () => {
    const { ticket } = await aDelivery(database, now, { nextAttemptAt: toIso(now) });
    expect(await leaseDelivery(database, ticket, now - 5 * second - 1)).toBeUndefined();
    expect(await leaseDelivery(database, ticket, now - 5 * second)).toBeDefined();
  });

  it.each<[string, Partial<Delivery>, number]>([
    ['that has ended', { status: 'failed' }, 1],
    ['whose next attempt has another number', { attempts: 1 }, 1],
    ['of an attempt that was not made', {}, 2],
  ])('but not one %s', async (_, differences, attemptNumber) => {
    const { ticket, asRead, read } = await aDelivery(database, now, differences);
    expect(await leaseDelivery(database, { ...ticket, attemptNumber }, now)).toBeUndefined();
    expect(await read()).toEqual(asRead);
  });

  it('but not one without a row', async () => {
    const ticket = { practiceId: 'prc_1', eventId: 'evt_none', endpointId: 'whe_none', attemptNumber: 1 };
    expect(await leaseDelivery(database, ticket, now)).toBeUndefined();
    expect(await getDelivery(database, ticket)).toBeUndefined();
  });
});

describe('a worker that was too slow', () => {
  const later = { attempts: 1, leasedUntil: toIso(now + minute) };

  it.each<[string, (asRead: Delivery) => Promise<unknown>]>([
    ['puts off', async (asRead) => rescheduleDelivery(database, asRead, { nextAttemptAt: now, byTicket: true })],
    ['skips', async (asRead) => skipDelivery(database, asRead)],
    ['ends', async (asRead) => recordAttempt(database, asRead, made, ended, now)],
  ])('%s nothing that another has sent since', async (_, write) => {
    const { key, asRead, read } = await aDelivery(database, now);
    await updateDelivery(database, key, { set: later });
    expect([false, undefined]).toContain(await write(asRead));
    expect(await read()).toMatchObject({ ...later, status: 'pending', nextAttemptAt: asRead.nextAttemptAt });
  });
});

it('a delivery that is skipped is no longer due, and one that had arrived before stays delivered', async () => {
  for (const [status, differences] of [
    ['skipped', {}],
    ['delivered', { deliveredAt: toIso(now) }],
  ] as const) {
    const { asRead, read } = await aDelivery(database, now, { ...differences, leasedUntil: toIso(now) });
    await skipDelivery(database, asRead);
    expect(await read()).toMatchObject({ status });
    for (const name of ['dueAt', 'dueShard', 'nextAttemptAt', 'leasedUntil'])
      expect(await read()).not.toHaveProperty(name);
  }
});
