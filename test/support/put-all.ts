import type { Table } from '../../functions/contract/environment.ts';
import type { Database } from '../../functions/store/database.ts';
import { put, type Part, type Row } from '../../functions/store/writes.ts';

/** DynamoDB's limit for a transaction. */
const together = 100;

export async function putAll<Name extends Table>(
  database: Database<NoInfer<Name>>,
  table: Name,
  rows: readonly Row[],
): Promise<void> {
  await writeAll(
    database,
    rows.map((row) => put(database, table, row)),
  );
}

export async function writeAll(database: Database, parts: readonly Part[]): Promise<void> {
  for (let from = 0; from < parts.length; from += together)
    await database.call('TransactWriteItems', { TransactItems: parts.slice(from, from + together) });
}
