import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../functions/contract/environment.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import type { Session } from '../../functions/domain/session.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { readSessionPage } from '../../functions/store/session-list.ts';
import { listAttributes } from '../../functions/store/sessions.ts';
import { awsConfig } from '../support/aws.ts';
import { aSession } from '../support/examples.ts';
import { meterDynamoDb } from './dynamodb-meter.ts';
import { table } from './report.ts';
import { startBenchTables } from './tables.ts';

const sizes = [100, 20_000];

const debitReturn = { return: { code: 'account_closed', returnedAt: toIso(Date.now()) } } as const;

/** All sessions succeeded except the oldest, which failed. The second was returned. */
async function fill(
  database: Database<Table>,
  practiceId: string,
  count: number,
  invoiceOf = (index: number) => `INV-${index}`,
): Promise<void> {
  const start = Date.now() - count * 1000;
  const rows = Array.from({ length: count }, (_, index): Session => {
    const sessionId = `ses_${ulid(start + index * 1000, randomBytes)}`;
    const created = { practiceId, sessionId, invoiceId: invoiceOf(index) };
    return aSession({ ...created, status: index === 0 ? 'failed' : 'succeeded', ...(index === 1 && debitReturn) });
  });
  for (let from = 0; from < rows.length; from += 25) {
    const puts = rows
      .slice(from, from + 25)
      .map((row) => ({ PutRequest: { Item: { ...row, ...listAttributes(row) } } }));
    await database.client.send(new BatchWriteCommand({ RequestItems: { [database.tables.sessions]: puts } }));
  }
}

export async function benchListCapacity(): Promise<string> {
  const tables = await startBenchTables();
  for (const size of sizes) {
    await fill(tables.database, `prc_${size}`, size);
    await fill(tables.database, `prc_one_invoice_${size}`, size, () => 'INV-7');
  }

  const meter = await meterDynamoDb(tables.endpoint);
  const database = connect(tables.database.tables, new DynamoDBClient(awsConfig(meter.endpoint)));
  const none = {
    practice: 'prc',
    invoiceId: undefined,
    returned: false,
    createdSince: undefined,
    createdBefore: undefined,
    before: undefined,
    limit: 25,
    statuses: [],
  };
  const pages = [
    ['first page, no filter', none],
    ['first page, two states', { ...none, statuses: ['succeeded', 'failed'] as const }],
    ['the only match of a state', { ...none, statuses: ['failed'] as const }],
    ['one invoice', { ...none, invoiceId: 'INV-7' }],
    ['returned', { ...none, returned: true }],
    ['created before a minute ago', { ...none, createdBefore: toIso(Date.now() - minute) }],
    [
      'all of one invoice, in a state that one has',
      { ...none, practice: 'prc_one_invoice', invoiceId: 'INV-7', statuses: ['failed'] as const },
    ],
  ] as const;
  const rows: string[][] = [];
  for (const [name, query] of pages) {
    const costs: string[] = [];
    for (const size of sizes) {
      meter.reset();
      const practiceId = `${query.practice}_${size}`;
      const { sessions } = await readSessionPage(database, { ...query, practiceId }, Date.now());
      const units = meter.readUnits.get(database.tables.sessions) ?? 0;
      costs.push(`${units} RRU, ${meter.requests} requests, ${sessions.length} sessions`);
    }
    rows.push([name, ...costs]);
  }
  await meter.stop();
  await tables.stop();
  return table(
    ['list of sessions, 25 per page', ...sizes.map((size) => `${size.toLocaleString('en-US')} sessions in all`)],
    rows,
  );
}
