import type { Table } from '../../functions/contract/environment.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { awsConfig } from '../support/aws.ts';
import { meterDynamoDb } from './dynamodb-meter.ts';
import { table } from './report.ts';
import { startBenchTables } from './tables.ts';

const sizes = [100, 20_000];

interface List {
  /** Such as `events`. */
  readonly rows: Table;
  readonly fill: (database: Database<Table>, size: number) => Promise<void>;
  readonly pages: readonly {
    readonly name: string;
    /** How many it found. */
    readonly read: (database: Database<Table>, size: number) => Promise<number>;
  }[];
}

/** What a page costs by how many rows there are. */
export async function capacityTable({ rows, fill, pages }: List): Promise<string> {
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
