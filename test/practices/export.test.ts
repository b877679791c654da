import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { writeLines } from '../../bin/practice/files.ts';
import type { Attempt } from '../../functions/domain/webhooks/delivery.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { pick } from '../../functions/domain/collections.ts';
import { toIso } from '../../functions/domain/time.ts';
import { exportPractice } from '../../functions/practices/export.ts';
import { insertBooking, putPayout } from '../../functions/store/payments/bookings.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { deliveryId } from '../../functions/store/webhooks/deliveries.ts';
import { reserveSlot } from '../../functions/store/webhooks/endpoint-health.ts';
import { insert } from '../../functions/store/rows.ts';
import { author } from '../support/create-practice.ts';
import { aPractice, aSession } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables('live');
const { database } = tables;
const practiceId = 'prc_many000000000000000';
const sessionCount = 3_000;
const tools = { database, randomBytes };
const now = Date.parse('2026-11-20T10:00:00.000Z');

async function rowsOf(pages: AsyncIterable<readonly object[]> | undefined): Promise<object[]> {
  const rows: object[] = [];
  for await (const page of pages ?? []) rows.push(...page);
  return rows;
}

it('writes every row, a page at a time', async () => {
  await insert(database, 'practices', aPractice({ practiceId }), 'practiceId');
  const start = Date.parse('2026-01-01T00:00:00.000Z');
  const rows = Array.from({ length: sessionCount }, (_, index) =>
    aSession({ practiceId, sessionId: `ses_${ulid(start + index, randomBytes)}`, createdAt: toIso(start + index) }),
  );
  for (let at = 0; at < rows.length; at += 25)
    await database.documents.send(
      new BatchWriteCommand({
        RequestItems: {
          [database.tables.sessions]: rows.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } })),
        },
      }),
    );
  const directory = await mkdtemp(join(tmpdir(), 'export-'));
  const { sessions = [] } = (await exportPractice(tools, { practiceId, author }, now)) as Record<
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

it('has the bookings and payouts in live mode', async () => {
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
  const { bookings, payouts } = await exportPractice(tools, { practiceId: ours, author }, now);
  expect(await rowsOf(bookings)).toEqual([{ practiceId: ours, ...booking }]);
  expect(await rowsOf(payouts)).toEqual([{ practiceId: ours, ...payout }]);
});

it('has every attempt, wherever it is stored', async () => {
  const endpoint = await anEndpoint(tables);
  await insert(database, 'practices', aPractice({ practiceId: endpoint.practiceId }), 'practiceId');
  const { state } = endpoint;
  const atOnce = await endpoint.event();
  await endpoint.attempt(atOnce, 1);
  const later = await endpoint.event();
  state.answer = { statusCode: 500 };
  await endpoint.attempt(later, 1);
  state.now += 5_000;
  state.answer = { statusCode: 200 };
  await endpoint.attempt(later, 2);
  await endpoint.event();

  await endpoint.dispatchedEvent();
  await reserveSlot(database, endpoint, 'slot', state.now);

  const { events, deliveries, attempts, webhookEndpoints } = await exportPractice(
    tools,
    { practiceId: endpoint.practiceId, author },
    now,
  );
  const rows = await rowsOf(deliveries);
  expect(rows).toHaveLength(4);
  for (const row of rows) expect(row).not.toHaveProperty('firstAttempt');
  const internal = ['inFlight', 'dueShard', 'dueAt', 'taken', 'leasedUntil'];
  for (const row of [...rows, ...(await rowsOf(events)), ...(await rowsOf(webhookEndpoints))])
    expect(Object.keys(row).filter((name) => internal.includes(name))).toEqual([]);
  const made = (await rowsOf(attempts)).map((row) =>
    pick(row as Attempt, ['deliveryId', 'attemptNumber', 'statusCode']),
  );
  expect(made).toHaveLength(3);
  expect(made).toEqual(
    expect.arrayContaining([
      { deliveryId: deliveryId(atOnce), attemptNumber: 1, statusCode: 204 },
      { deliveryId: deliveryId(later), attemptNumber: 1, statusCode: 500 },
      { deliveryId: deliveryId(later), attemptNumber: 2, statusCode: 200 },
    ]),
  );
});

it('is recorded in the audit log, even in the exported one', async () => {
  const ours = 'prc_audited0000000000000';
  await insert(database, 'practices', aPractice({ practiceId: ours }), 'practiceId');
  const operator = { kind: 'operator' } as const;
  const { auditLog } = await exportPractice(tools, { practiceId: ours, author: operator }, now);
  const entry = { action: 'practice.exported', target: ours, author: operator, at: toIso(now) };
  expect((await listAuditLog(database, ours, { limit: 10 })).entries).toMatchObject([entry]);
  expect(await rowsOf(auditLog)).toMatchObject([entry]);
});

it('does not find an unknown practice', async () => {
  await expect(exportPractice(tools, { practiceId: 'prc_unknown', author }, now)).rejects.toMatchObject({
    code: 'practice_not_found',
  });
});
