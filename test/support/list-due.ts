import type * as z from 'zod';
import type { Table } from '../../functions/contract/environment.ts';
import { dueShards } from '../../functions/domain/due.ts';
import { toIso } from '../../functions/domain/time.ts';
import type { DueRows, KeySchema } from '../../functions/store/due-index.ts';
import { expression } from '../../functions/store/expressions.ts';
import { queryPage } from '../../functions/store/rows.ts';

/** Leaves the rows due; `limit` is per shard. */
export async function listDue<Name extends Table, Key extends KeySchema>(
  { database, table, duty, key: schema }: DueRows<Name, Key>,
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
