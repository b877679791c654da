import { minute, toIso, day } from '../../functions/domain/time.ts';
import { readSessionPage } from '../../functions/store/sessions/session-list.ts';
import { fillSessions, fillEvents } from './fill-payments.ts';
import type { Table } from '../../functions/contract/environment.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { awsConfig } from '../support/answered-client.ts';
import { meterDynamoDb } from './dynamodb-meter.ts';
import { table } from './report.ts';
import { startBenchTables } from './tables.ts';
import { listEvents } from '../../functions/webhooks/list-events.ts';

const sizes = [100, 20_000];

interface List {
  /** For example, `events`. */
  readonly rows: Table;
  readonly fill: (database: Database, size: number) => Promise<void>;
  readonly pages: readonly {
    readonly name: string;
    /** Returns how many it found. */
    readonly read: (database: Database, size: number) => Promise<number>;
  }[];
}

/** What a page costs, depending on how many rows there are. */
async function capacityTable({ rows, fill, pages }: List): Promise<string> {
  const tables = await startBenchTables();
  for (const size of sizes) await fill(tables.database, size);
  const meter = await meterDynamoDb(tables.endpoint);
  const database = connect(tables.database.tables, dynamoDb(awsConfig(meter.endpoint)));
  const lines: string[][] = [];
  for (const { name, read } of pages) {
    const costs: string[] = [];
    for (const size of sizes) {
      meter.reset();
      const found = await read(database, size);
      const units = [...meter.readUnits.values()].reduce((sum, each) => sum + each, 0);
      costs.push(`${units} RRU, ${meter.requests} requests, ${found} ${rows}`);
    }
    lines.push([name, ...costs]);
  }
  await meter.stop();
  await tables.stop();
  return table(
    [`list of ${rows}, 25 per page`, ...sizes.map((size) => `${size.toLocaleString('en-US')} ${rows} in all`)],
    lines,
  );
}

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

const oneInvoice = { ...none, practice: 'prc_one_invoice', invoiceId: 'INV-7' };

const pages = [
  ['first page, no filter', none],
  ['first page, two states', { ...none, statuses: ['succeeded', 'failed'] as const }],
  ['the only match of a state', { ...none, statuses: ['failed'] as const }],
  ['one invoice', { ...none, invoiceId: 'INV-7' }],
  ['returned', { ...none, returned: true }],
  ['created before a minute ago', { ...none, createdBefore: toIso(Date.now() - minute) }],
  ['all of one invoice, in a state that one has', { ...oneInvoice, statuses: ['failed'] as const }],
] as const;

export async function benchListCapacity(): Promise<string> {
  return capacityTable({
    rows: 'sessions',
    async fill(database, size) {
      await fillSessions(database, `prc_${size}`, size);
      await fillSessions(database, `prc_one_invoice_${size}`, size, () => 'INV-7');
    },
    pages: pages.map(([name, query]) => ({
      name,
      async read(database, size) {
        const practiceId = `${query.practice}_${size}`;
        return (await readSessionPage(database, { ...query, practiceId }, Date.now())).sessions.length;
      },
    })),
  });
}

const now = Date.now();

const eventPages = [
  ['first page, no filter', {}],
  ['created in the last 20 days', { since: toIso(now - 20 * day) }],
  ['a type that all have', { type: ['session.payment.succeeded'] }],
  ['a type that only the oldest has', { type: ['session.payment.returned'] }],
  ['none since the last poll', { since: toIso(now) }],
] as const;

export async function benchEventCapacity(): Promise<string> {
  return capacityTable({
    rows: 'events',
    fill: (database, size) => fillEvents(database, `prc_${size}`, size, now),
    pages: eventPages.map(([name, filter]) => ({
      name,
      async read(database, size) {
        const query = { practiceId: `prc_${size}`, ...filter, limit: 25 };
        return (await listEvents({ database }, query, now)).events.length;
      },
    })),
  });
}
