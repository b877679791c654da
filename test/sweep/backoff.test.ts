import { randomBytes } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Table } from '../../functions/contract/environment.ts';
import { due, ticketGrace, type DutyName } from '../../functions/domain/due.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { debitWaits } from '../../functions/domain/webhooks/retry-schedule.ts';
import { hour, minute, second, toIso } from '../../functions/domain/time.ts';
import { advancePayment } from '../../functions/payments/submit.ts';
import { createDelivery, dueDeliveries, getDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { reopenDelivery } from '../../functions/store/webhooks/delivery-log.ts';
import { postponeDue } from '../../functions/store/due-index.ts';
import { sweep, type SweepTools } from '../../functions/sweep/sweep.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables, type TestDatabase } from '../support/tables.ts';
import { sweepTools } from '../support/tools.ts';

let database: TestDatabase;
// A sweep takes whatever is due.
beforeEach(async () => {
  ({ database } = await startTestTables());
});

const startedAt = Date.parse('2026-11-20T09:00:00.000Z');

function aSweep(others: Partial<SweepTools> = {}) {
  const state = { now: startedAt };
  return { state, sweep: () => sweep(sweepTools(database, { clock: () => state.now, ...others })) };
}

const newId = (prefix: string) => `${prefix}_${ulid(startedAt, randomBytes)}`;

async function dueAt(table: Table, key: Record<string, string>): Promise<number> {
  const { Item } = await database.documents.send(
    new GetCommand({ TableName: database.tables[table], Key: key, ConsistentRead: true }),
  );
  return Date.parse(String(Item?.['dueAt']));
}

const sessionId = () => ({ sessionId: newId('ses') });
/** Notifications come only in production. */
type SandboxDuty = Exclude<DutyName, 'notification'>;
const duties: Record<SandboxDuty, { table: Table; key: Record<string, string> }> = {
  expiry: { table: 'sessions', key: sessionId() },
  debit: { table: 'sessions', key: sessionId() },
  cancellation: { table: 'sessions', key: sessionId() },
  refund: { table: 'sessions', key: sessionId() },
  outcome: { table: 'sandboxDebits', key: sessionId() },
  dispatch: { table: 'events', key: { eventId: newId('evt') } },
  delivery: { table: 'deliveries', key: { eventId: newId('evt'), endpointId: newId('whe') } },
};

async function aDueDelivery() {
  const key = { eventId: newId('evt'), endpointId: newId('whe') };
  const event = { eventId: key.eventId, practiceId: 'prc_1', type: 'session.payment.succeeded' } as const;
  await createDelivery(
    database,
    event,
    { practiceId: 'prc_1', endpointId: key.endpointId, status: 'enabled' },
    startedAt - ticketGrace,
  );
  return key;
}

describe('a row whose work keeps failing', () => {
  // https://github.com/hookdeck/outpost/issues/663 and /issues/997: retries kept the same interval forever.
  it('is retried with exponential backoff, whatever its duty, and never given up', async () => {
    const all = Object.entries(duties) as [SandboxDuty, (typeof duties)[SandboxDuty]][];
    for (const [duty, { table, key }] of all) {
      await database.documents.send(
        new PutCommand({
          TableName: database.tables[table],
          Item: { ...key, ...due(duty, Object.values(key).join('#'), startedAt) },
        }),
      );
    }
    const { state, sweep } = aSweep();
    const waits: Record<string, number[]> = Object.fromEntries(all.map(([duty]) => [duty, []]));
    for (let round = 0; round < 11; round += 1) {
      const times = await Promise.all(all.map(([, { table, key }]) => dueAt(table, key)));
      expect(new Set(times).size, 'all due at the same time').toBe(1);
      state.now = times[0] ?? 0;
      await sweep().catch(() => undefined);
      for (const [duty, { table, key }] of all) waits[duty]?.push(((await dueAt(table, key)) - state.now) / minute);
    }
    const expected = [2, 4, 8, 16, 32, 64, 128, 256, 360, 360, 360];
    expect(waits).toEqual(Object.fromEntries(all.map(([duty]) => [duty, expected])));
  });

  it('counts its age from its first due time, and is stuck after an hour', async () => {
    const key = await aDueDelivery();
    const ages: number[] = [];
    const stuck: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const now = await dueAt('deliveries', key);
      const due = await postponeDue(dueDeliveries(database), now, 1000);
      expect(due.keys).toContainEqual(key);
      ages.push(due.age / minute);
      if (due.stuck.some((row) => row.key.eventId === key.eventId)) stuck.push(round);
    }
    expect(ages).toEqual([0, 2, 6, 14, 30, 62, 126, 254]);
    expect(stuck).toEqual([5, 6, 7]);
  });

  it('is not stuck if it is only late, as after an hour without sweeps', async () => {
    const key = await aDueDelivery();
    const { keys, age, stuck } = await postponeDue(dueDeliveries(database), startedAt + 2 * hour, 1000);
    expect(keys).toContainEqual(key);
    expect(age).toBeGreaterThanOrEqual(2 * hour);
    expect(stuck.map(({ key: { eventId } }) => eventId)).not.toContain(key.eventId);
  });

  it('starts over once its own work has set its due time', async () => {
    const key = await aDueDelivery();
    const { state, sweep } = aSweep();
    const nextWait = async () => {
      state.now = await dueAt('deliveries', key);
      await sweep().catch(() => undefined);
      return ((await dueAt('deliveries', key)) - state.now) / minute;
    };
    expect([await nextWait(), await nextWait(), await nextWait()]).toEqual([2, 4, 8]);
    const delivery = await getDelivery(database, key);
    expect(delivery && (await reopenDelivery(database, delivery, state.now + second))).toBe(true);
    expect([await nextWait(), await nextWait()]).toEqual([2, 4]);
  });
});

describe('a row written by hand', () => {
  it.each([
    ['a time in another format', { dueAt: '2026-11-20T08:00Z' }],
    ['a malformed mark of the sweep', { taken: [toIso(startedAt)] }],
    ['a mark that is a string', { taken: 'yesterday' }],
  ])('with %s is retried like any other, and delays none', async (_, written) => {
    const wrong = { eventId: newId('evt'), endpointId: newId('whe') };
    const sound = { eventId: newId('evt'), endpointId: newId('whe') };
    for (const [key, differences] of [
      [wrong, written],
      [sound, {}],
    ] as const) {
      const shard = due('delivery', 'the same for both', startedAt);
      await database.documents.send(
        new PutCommand({ TableName: database.tables.deliveries, Item: { ...key, ...shard, ...differences } }),
      );
    }
    const { keys } = await postponeDue(dueDeliveries(database), startedAt, 100);
    expect(keys).toEqual(expect.arrayContaining([wrong, sound]));
    expect([await dueAt('deliveries', wrong), await dueAt('deliveries', sound)]).toEqual([
      startedAt + 2 * minute,
      startedAt + 2 * minute,
    ]);
  });
});

describe('a debit without an answer from the processor', () => {
  it('is retried on its own schedule, however often the sweep has postponed it', async () => {
    const { sessionId } = aSession({ sessionId: newId('ses') });
    const at = toIso(startedAt);
    await database.documents.send(
      new PutCommand({
        TableName: database.tables.sessions,
        Item: aSession({
          sessionId,
          status: 'processing',
          sequence: 1,
          processingAt: at,
          processorAccount: 'user_good',
          ...due('debit', sessionId, startedAt),
        }),
      }),
    );
    const silent = {
      submitDebit: async () => ({ result: 'unknown' as const }),
      findDebit: async () => undefined,
      refundDebit: async () => ({ result: 'unknown' as const }),
      voidDebit: async () => ({ result: 'unknown' }) as const,
      acknowledge: async () => undefined,
    };
    const tickets: string[] = [];
    const { state, sweep } = aSweep({
      sendDebits: async (sent) =>
        void tickets.push(...sent.map(({ body }) => (body as { sessionId: string }).sessionId)),
    });
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      state.now = await dueAt('sessions', { sessionId });
      await sweep().catch(() => undefined);
      expect(tickets.filter((ticket) => ticket === sessionId)).toHaveLength(attempt + 1);
      expect((await dueAt('sessions', { sessionId })) - state.now, 'until another ticket, if that one is lost').toBe(
        2 * minute,
      );
      state.now += second;
      await advancePayment({ database, processor: silent }, { sessionId }, state.now);
      waits.push((await dueAt('sessions', { sessionId })) - state.now);
    }
    expect(waits).toEqual([...debitWaits, ...Array.from({ length: 4 }, () => debitWaits.at(-1))]);
  });
});
