import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { dueShards, type DueWork } from '../domain/due.ts';
import { toIso } from '../domain/time.ts';
import type { Database } from './database.ts';

export const dueIndex = 'byDue';

/** The keys of the rows whose time for `work` has come at `now`, oldest first in each shard, at most `limit` a shard. */
export async function listDue<Key extends z.ZodMiniType>(
  database: Database,
  table: string,
  work: DueWork,
  key: Key,
  now: number,
  limit: number,
): Promise<z.output<Key>[]> {
  const pages = await Promise.all(
    dueShards(work).map((shard) =>
      database.client.send(
        new QueryCommand({
          TableName: table,
          IndexName: dueIndex,
          KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
          ExpressionAttributeValues: { ':shard': shard, ':now': toIso(now) },
          Limit: limit,
        }),
      ),
    ),
  );
  return pages.flatMap(({ Items = [] }) => Items.map((item) => z.parse(key, item)));
}
