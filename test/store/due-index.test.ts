import { beforeEach, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { due } from '../../functions/domain/due.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { earliest, postponeDue, type DueRows } from '../../functions/store/due-index.ts';
import { aroundEachCall } from '../support/answered-client.ts';
import { putAll } from '../support/put-all.ts';
import { startTestTables, type TestDatabase } from '../support/tables.ts';

const key = z.object({ sessionId: z.string() });
const now = Date.parse('2026-11-20T09:00:00.000Z');
let database: TestDatabase;
let rows: DueRows<typeof key>;
beforeEach(async () => {
  ({ database } = await startTestTables());
  rows = { database, table: 'sessions', duty: 'debit', key };
});

/** Its letters spread over shards. */
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

it('the earliest time is found in any shard, past rows that have none', async () => {
  expect(await earliest(rows, 'processingAt')).toBeUndefined();
  const sessions = names.map((sessionId, index) => ({
    sessionId,
    ...due('debit', sessionId, now),
    processingAt: toIso(now + ((index + 2) % names.length) * minute),
  }));
  await putAll(database, 'sessions', [
    ...sessions,
    { sessionId: 'none', ...due('debit', 'none', now) },
    { sessionId: 'odd', ...due('debit', 'odd', now), processingAt: 1 },
    { sessionId: 'other', ...due('expiry', 'other', now), processingAt: toIso(0) },
  ]);
  expect(await earliest(rows, 'processingAt')).toBe(toIso(now));
});

it('of two sweeps that listed the same row, one gets it', async () => {
  await putAll(database, 'sessions', [{ sessionId: 'a', ...due('debit', 'a', now) }]);
  const takenByAnother = aroundEachCall(database, async ({ operation }, perform) => {
    const answer = await perform();
    if (operation === 'Query') await postponeDue(rows, now, 10);
    return answer;
  });
  const { keys, errors } = await postponeDue({ ...rows, database: takenByAnother }, now, 10);
  expect({ keys, errors }).toEqual({ keys: [], errors: [] });
});

it('a row that was deleted since it was listed is nobody’s, and does not come back', async () => {
  await putAll(database, 'sessions', [{ sessionId: 'a', ...due('debit', 'a', now) }]);
  const deleted = aroundEachCall(database, async ({ operation }, perform) => {
    const answer = await perform();
    if (operation === 'Query')
      await database.call('DeleteItem', { TableName: database.tables.sessions, Key: { sessionId: { S: 'a' } } });
    return answer;
  });
  expect(await postponeDue({ ...rows, database: deleted }, now, 10)).toMatchObject({ keys: [], errors: [] });
  expect((await postponeDue(rows, now + minute, 10)).keys).toEqual([]);
});
