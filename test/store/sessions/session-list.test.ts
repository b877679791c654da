import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ulid } from '../../../functions/domain/identifier.ts';
import type { Session } from '../../../functions/domain/sessions/session.ts';
import { minute, second, toIso } from '../../../functions/domain/time.ts';
import { listSessions } from '../../../functions/sessions/list.ts';
import { connect } from '../../../functions/store/database.ts';
import { dynamoDb } from '../../../functions/store/dynamodb.ts';
import { getExistingSession } from '../../../functions/store/sessions/sessions.ts';
import { hasSession, listPayments } from '../../../functions/store/sessions/session-list.ts';
import { writeReturn } from '../../../functions/store/sessions/transitions.ts';
import { meterDynamoDb } from '../../bench/dynamodb-meter.ts';
import { fillSessions } from '../../bench/fill-payments.ts';
import { aroundEachCall, awsConfig, beforeEachCall } from '../../support/answered-client.ts';
import { storeSession } from '../../support/create-practice.ts';
import { startTestTables } from '../../support/tables.ts';

const tables = await startTestTables();
const { database } = tables;

const now = Date.parse('2026-11-20T10:00:00.000Z');
const debitReturn = { code: 'insufficient_funds', achReturnCode: 'R01', returnedAt: toIso(now) } as const;
const returned = { status: 'succeeded', return: debitReturn } as const;

const aPracticeId = () => `prc_${randomBytes(8).toString('hex')}`;
const createdAt = (index: number) => now - minute + index * second;
const times = <Value>(length: number, value: (index: number) => Value) => Array.from({ length }, (_, at) => value(at));

/** Stores sessions created one second apart. Returns their IDs, newest first. */
async function store(practiceId: string, differences: readonly Partial<Session>[]): Promise<string[]> {
  const stored = await Promise.all(
    differences.map((difference, index) => {
      const sessionId = `ses_${ulid(createdAt(index), randomBytes)}`;
      return storeSession(database, { sessionId, practiceId, ...difference }, now);
    }),
  );
  return stored.map(({ sessionId }) => sessionId).reverse();
}

async function practiceOfOneInvoice(count: number): Promise<string> {
  const practiceId = aPracticeId();
  await fillSessions(database, practiceId, count, () => 'INV-7');
  return practiceId;
}

type Filter = Omit<Parameters<typeof listSessions>[1], 'practiceId' | 'cursor'>;

async function walk(practiceId: string, filter: Filter, through = database) {
  const pages: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const { sessions, nextCursor } = await listSessions({ database: through }, { practiceId, cursor, ...filter }, now);
    pages.push(sessions.map(({ sessionId }) => sessionId));
    if (nextCursor === null) return pages;
    cursor = nextCursor;
  }
}

describe('a range of creation times', () => {
  it('includes its start and not its end, and joins every other filter', async () => {
    const practiceId = aPracticeId();
    const ids = await store(
      practiceId,
      times(9, (index) => ({ status: index % 2 === 0 ? 'failed' : 'pending', invoiceId: `INV-${index % 3}` })),
    );
    const since = { createdSince: toIso(createdAt(2)), limit: 2 };
    const until = { createdBefore: toIso(createdAt(2)), limit: 2 };
    expect(await walk(practiceId, since)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4, 6), ids.slice(6, 7)]);
    expect(await walk(practiceId, until)).toEqual([ids.slice(7)]);
    const range = { createdSince: toIso(createdAt(3)), createdBefore: toIso(createdAt(6)), limit: 25 };
    expect(await walk(practiceId, range)).toEqual([ids.slice(3, 6)]);
    expect(await walk(practiceId, { ...range, status: ['failed'] })).toEqual([[ids[4]]]);
    expect(await walk(practiceId, { ...range, status: ['failed', 'pending'], limit: 2 })).toEqual([
      ids.slice(3, 5),
      ids.slice(5, 6),
    ]);
    expect(await walk(practiceId, { ...range, invoiceId: 'INV-0' })).toEqual([[ids[5]]]);
  });

  it.each([
    ['that ends before it starts', { createdSince: toIso(now), createdBefore: toIso(now - second) }],
    ['of no length', { createdSince: toIso(now), createdBefore: toIso(now) }],
    ['before 1970', { createdBefore: '0001-01-01T00:00:00.000Z' }],
    ['in the far future', { createdSince: '9999-12-31T23:59:59.999Z' }],
  ])('%s is empty', async (_, range) => {
    const practiceId = aPracticeId();
    await store(practiceId, [{}]);
    expect(await walk(practiceId, { ...range, limit: 25 })).toEqual([[]]);
  });

  it('is part of the cursor', async () => {
    const practiceId = aPracticeId();
    await store(practiceId, [{}, {}]);
    const range = { createdSince: toIso(createdAt(0)), limit: 1 };
    const { nextCursor } = await listSessions({ database }, { practiceId, ...range }, now);
    const other = { practiceId, ...range, createdSince: toIso(createdAt(1)), cursor: nextCursor ?? '' };
    await expect(listSessions({ database }, other, now)).rejects.toMatchObject({ code: 'invalid_cursor' });
  });
});

describe('returned payments', () => {
  it('are listed as soon as the return is written', async () => {
    const practiceId = aPracticeId();
    const [sessionId = ''] = await store(practiceId, [{ status: 'succeeded' }]);
    expect(await walk(practiceId, { returned: true, limit: 25 })).toEqual([[]]);
    const { returnedAt: _, ...reason } = debitReturn;
    await writeReturn(database, await getExistingSession(database, sessionId), reason, now);
    expect(await walk(practiceId, { returned: true, limit: 25 })).toEqual([[sessionId]]);
  });

  it('combine with a state, an invoice and a range', async () => {
    const practiceId = aPracticeId();
    const ids = await store(practiceId, [returned, {}, { ...returned, invoiceId: 'INV-2' }, { invoiceId: 'INV-2' }]);
    const [, later, , earlier] = ids;
    expect(await walk(practiceId, { returned: true, limit: 1 })).toEqual([[later], [earlier]]);
    expect(await walk(practiceId, { returned: true, status: ['succeeded'], limit: 25 })).toEqual([[later, earlier]]);
    expect(await walk(practiceId, { returned: true, status: ['failed'], limit: 25 })).toEqual([[]]);
    expect(await walk(practiceId, { returned: true, invoiceId: 'INV-2', limit: 25 })).toEqual([[later]]);
    expect(await walk(practiceId, { returned: true, createdBefore: toIso(createdAt(2)), limit: 25 })).toEqual([
      [earlier],
    ]);
  });

  it('of another practice are not listed', async () => {
    await store(aPracticeId(), [returned]);
    expect(await walk(aPracticeId(), { returned: true, limit: 25 })).toEqual([[]]);
  });
});

it('the payments in a state are read page by page, newest first, and not all of very many', async () => {
  const practiceId = aPracticeId();
  const ids = await store(practiceId, [...times(3, () => ({ status: 'processing' as const })), {}]);
  let pages = 0;
  const shortPages = aroundEachCall(database, async ({ operation, input }, perform) => {
    if (operation !== 'Query') return perform();
    pages += 1;
    return database.call('Query', { ...input, Limit: 1 });
  });
  const list = (through = shortPages) =>
    listPayments(through, practiceId, { status: 'processing', since: ids[2] ?? '' });
  const found = await list();
  expect(found.payments.map(({ sessionId }) => sessionId)).toEqual(ids.slice(1, 3));
  expect([found.complete, pages]).toEqual([true, 3]);

  const endless = aroundEachCall(database, async () => ({
    Items: [],
    LastEvaluatedKey: { sessionId: { S: 'ses_1' } },
  }));
  expect(await list(endless)).toEqual({ payments: [], complete: false });
});

it('whether a practice has a session, and a paid one, is known', async () => {
  const practiceId = aPracticeId();
  const has = () => Promise.all([false, true].map((paid) => hasSession(database, practiceId, paid)));
  expect(await has()).toEqual([false, false]);
  await store(practiceId, [{}]);
  expect(await has()).toEqual([true, false]);
  await store(practiceId, [{ status: 'succeeded' }]);
  expect(await has()).toEqual([true, true]);
});

describe('a page of combined filters', () => {
  it('reads a bounded number of sessions, and the pages together find every match once', async () => {
    const practiceId = aPracticeId();
    const ids = await store(
      practiceId,
      times(60, (index) => ({ status: [0, 1, 2, 50].includes(index) ? 'failed' : 'succeeded' })),
    );
    const read: number[] = [];
    const through = beforeEachCall(database, ({ operation, input }) => {
      if (operation === 'BatchGetItem')
        read.push(...Object.values(input.RequestItems ?? {}).map(({ Keys = [] }) => Keys.length));
    });
    const filter = { invoiceId: 'INV-1043', status: ['failed'], limit: 2 } as const;

    await listSessions({ database: through }, { practiceId, ...filter }, now);
    expect(read).toEqual([3, 3, 3, 3]);

    const pages = await walk(practiceId, filter, through);
    expect(pages.flat()).toEqual([9, 57, 58, 59].map((index) => ids[index]));
    expect(pages.map(({ length }) => length)).toContain(0);
    expect(pages.every(({ length }) => length <= 2)).toBe(true);
  });
});

describe('the cost of a page', () => {
  let practiceIds: string[] = [];
  beforeAll(async () => {
    practiceIds = await Promise.all([300, 3000].map(practiceOfOneInvoice));
  });

  it.each([
    ['of an invoice, in a state that only the oldest has', { invoiceId: 'INV-7', status: ['failed'] }],
    ['of an invoice, returned', { invoiceId: 'INV-7', returned: true }],
    ['in two states', { status: ['succeeded', 'failed'] }],
  ] as const)('%s, is the same with 300 and 3,000 sessions', async (_, filter) => {
    const costs: number[] = [];
    const meter = await meterDynamoDb(tables.endpoint);
    const through = connect(database.tables, dynamoDb(awsConfig(meter.endpoint)));
    for (const practiceId of practiceIds) {
      meter.reset();
      await listSessions({ database: through }, { practiceId, ...filter, limit: 25 }, Date.now());
      costs.push(meter.readUnits.get(database.tables.sessions) ?? 0);
    }
    await meter.stop();
    expect(costs[0]).toBe(costs[1]);
    expect(costs[0]).toBeLessThan(150);
  });
});
