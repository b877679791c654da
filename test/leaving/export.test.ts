import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { writeLines } from '../../bin/practice/files.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { toIso } from '../../functions/domain/time.ts';
import { exportPractice } from '../../functions/leaving/export.ts';
import { insertBooking, putPayout } from '../../functions/store/bookings.ts';
import { insert } from '../../functions/store/rows.ts';
import { aPractice, aSession } from '../support/examples.ts';
import { startLiveTables } from '../support/live-tables.ts';

const tables = await startLiveTables();
const { database } = tables;
const practiceId = 'prc_many000000000000000';
const sessionCount = 3_000;

it('writes every row, a page at a time', async () => {
  await insert(database, 'practices', aPractice({ practiceId }), 'practiceId');
  const start = Date.parse('2026-01-01T00:00:00.000Z');
  const rows = Array.from({ length: sessionCount }, (_, index) =>
    aSession({ practiceId, sessionId: `ses_${ulid(start + index, randomBytes)}`, createdAt: toIso(start + index) }),
  );
  for (let at = 0; at < rows.length; at += 25)
    await database.client.send(
      new BatchWriteCommand({
        RequestItems: {
          [database.tables.sessions]: rows.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } })),
        },
      }),
    );
  const directory = await mkdtemp(join(tmpdir(), 'export-'));
  const { sessions = [] } = (await exportPractice({ database }, { practiceId })) as Record<
    string,
    AsyncIterable<readonly object[]>
  >;
  const largest = { rows: 0 };
  async function* watched() {
    for await (const page of sessions as AsyncIterable<readonly object[]>) {
      largest.rows = Math.max(largest.rows, page.length);
      yield page;
    }
  }
  const path = join(directory, 'sessions.jsonl');
  expect(await writeLines(path, watched())).toBe(sessionCount);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { sessionId: string }).sessionId)).toEqual(
    rows.map(({ sessionId }) => sessionId),
  );
  expect(largest.rows).toBeLessThanOrEqual(100);
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect(await readdir(directory)).toEqual(['sessions.jsonl']);
  await expect(writeLines(path, watched())).rejects.toMatchObject({ code: 'EEXIST' });
  await writeFile(join(directory, 'other'), '');
});

it('has what makes the statements, where money is real', async () => {
  const ours = 'prc_paid000000000000000';
  await insert(database, 'practices', aPractice({ practiceId: ours }), 'practiceId');
  const bookedAt = '2026-11-20T10:00:00.000Z';
  const amounts = { amountCents: 18_250, feeCents: 150, netCents: 18_100 };
  const booking = { bookingId: `${bookedAt}#txn_1`, bookedAt, category: 'payment', ...amounts } as const;
  const payout = {
    payoutKey: `${bookedAt}#po_1`,
    payoutId: 'po_1',
    createdAt: bookedAt,
    arrivesOn: '2026-11-23',
    amountCents: 18_100,
    status: 'paid',
    itemized: true,
  } as const;
  for (const each of [ours, practiceId]) {
    await insertBooking(database, { practiceId: each, ...booking });
    await putPayout(database, { practiceId: each, ...payout });
  }
  const rowsOf = async (pages: AsyncIterable<readonly object[]> | undefined) => {
    const rows: object[] = [];
    for await (const page of pages ?? []) rows.push(...page);
    return rows;
  };
  const { bookings, payouts } = await exportPractice({ database, books: database }, { practiceId: ours });
  expect(await rowsOf(bookings)).toEqual([{ practiceId: ours, ...booking }]);
  expect(await rowsOf(payouts)).toEqual([{ practiceId: ours, ...payout }]);
});

it('knows no other practice', async () => {
  await expect(exportPractice({ database }, { practiceId: 'prc_unknown' })).rejects.toMatchObject({
    code: 'practice_not_found',
  });
});
