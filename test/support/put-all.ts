import type { Table } from '../../functions/contract/environment.ts';
import type { Database } from '../../functions/store/database.ts';
import { put, type Row } from '../../functions/store/writes.ts';

/** DynamoDB's limit for a transaction. */
const together = 100;

export async function putAll<Name extends Table>(
  database: Database<NoInfer<Name>>,
  table: Name,
  rows: readonly Row[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += together) {
    const TransactItems = rows.slice(from, from + together).map((row) => put(database, table, row));
    await database.call('TransactWriteItems', { TransactItems });
  }
}
