import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../functions/contract/environment.ts';
import type { TestDatabase } from './tables.ts';

type Row = Record<string, unknown>;

/** What payments change, except for evidence: nobody can put a row of it back, or take one away. */
const restored = [
  'sessions',
  'events',
  'invoiceClaims',
  'processorDebits',
  'processorEvents',
  'reconciliations',
] as const satisfies readonly Table[];

/** Copies the tables of payments. The answer puts them back to how they are now. */
export async function copyTables({ documents, tables }: TestDatabase): Promise<() => Promise<void>> {
  const rowsOf = async (TableName: string): Promise<Row[]> =>
    (await documents.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];

  async function copy(TableName: string) {
    const rows = await rowsOf(TableName);
    const { Table: description } = await documents.send(new DescribeTableCommand({ TableName }));
    const keyOf = (row: Row): Row =>
      Object.fromEntries(
        (description?.KeySchema ?? []).map(({ AttributeName = '' }) => [AttributeName, row[AttributeName]]),
      );
    return async () => {
      for (const row of await rowsOf(TableName))
        await documents.send(new DeleteCommand({ TableName, Key: keyOf(row) }));
      for (const row of rows) await documents.send(new PutCommand({ TableName, Item: row }));
    };
  }

  const restores = await Promise.all(restored.map((name) => copy(tables[name])));
  return async () => {
    for (const restore of restores) await restore();
  };
}
