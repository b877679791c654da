import type * as z from 'zod';
import type { Table } from '../../functions/contract/environment.ts';
import type { Database } from '../../functions/store/database.ts';
import { put, type Part, type Row } from '../../functions/store/writes.ts';
import { dueShards } from '../../functions/domain/due.ts';
import { toIso } from '../../functions/domain/time.ts';
import type { DueRows, KeySchema } from '../../functions/store/due-index.ts';
import { expression } from '../../functions/store/expressions.ts';
import { queryPage } from '../../functions/store/rows.ts';

/** DynamoDB's limit for a transaction. */
const together = 100;

export async function putAll(database: Database, table: Table, rows: readonly Row[]): Promise<void> {
  await writeAll(
    database,
    rows.map((row) => put(database, table, row)),
  );
}

export async function writeAll(database: Database, parts: readonly Part[]): Promise<void> {
  for (let from = 0; from < parts.length; from += together)
    await database.call('TransactWriteItems', { TransactItems: parts.slice(from, from + together) });
}

/** Leaves the rows due; `limit` is per shard. */
export async function listDue<Key extends KeySchema>(
  { database, table, duty, key: schema }: DueRows<Key>,
  now: number,
  limit: number,
): Promise<z.output<Key>[]> {
  const pages = await Promise.all(
    dueShards(duty).map((shard) => {
      const key = expression`dueShard = ${shard} AND dueAt <= ${toIso(now)}`;
      return queryPage(database, table, { index: 'byDue', key, limit }, schema);
    }),
  );
  return pages.flatMap(({ rows }) => rows);
}
