import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { minute, toIso } from '../../functions/domain/time.ts';
import { connect } from '../../functions/store/database.ts';
import { readSessionPage } from '../../functions/store/session-list.ts';
import { awsConfig } from '../support/aws.ts';
import { meterDynamoDb } from './dynamodb-meter.ts';
import { fillSessions } from './fill-sessions.ts';
import { table } from './report.ts';
import { startBenchTables } from './tables.ts';

const sizes = [100, 20_000];

export async function benchListCapacity(): Promise<string> {
  const tables = await startBenchTables();
  for (const size of sizes) {
    await fillSessions(tables.database, `prc_${size}`, size);
    await fillSessions(tables.database, `prc_one_invoice_${size}`, size, () => 'INV-7');
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
