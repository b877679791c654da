import { QueryCommand, UpdateCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { dueShards, ticketGrace, type DueWork } from '../domain/due.ts';
import { toIso } from '../domain/time.ts';
import { unlessRefused, type Database } from './database.ts';

const dueIndex = 'byDue';

/** Rows of one table that are in its due index for one kind of work. */
export interface DueRows<Key extends z.ZodMiniType> {
  readonly table: string;
  readonly work: DueWork;
  readonly key: Key;
}

/** The keys of the rows whose time has come at `now`, oldest first in each shard, at most `limit` a shard. */
export async function listDue<Key extends z.ZodMiniType>(database: Database, rows: DueRows<Key>, now: number, limit: number): Promise<z.output<Key>[]> {
  return (await queryDue(database, rows, now, limit)).map((item) => z.parse(rows.key, item));
}

export interface TakenRows<Key> {
  readonly keys: Key[];
  /** Milliseconds since the oldest of them was due, 0 where none was. */
  readonly age: number;
}

/**
 * Takes the rows whose time has come: each is put off by two minutes before the caller gets its key, so that a row whose work
 * fails does not hold up those behind it, and two sweeps do not do the same.
 */
export async function takeDue<Key extends z.ZodMiniType>(database: Database, rows: DueRows<Key>, now: number, limit: number): Promise<TakenRows<z.output<Key>>> {
  const items = await queryDue(database, rows, now, limit);
  const taken = await Promise.all(items.map(async (item) => ((await putOff(database, rows, item, now + ticketGrace)) ? [z.parse(rows.key, item)] : [])));
  return { keys: taken.flat(), age: Math.max(0, ...items.map(({ dueAt }) => now - Date.parse(String(dueAt)))) };
}

/**
 * The earliest of a time that the index holds beside its keys, over every row that is in it for this work, due already or not:
 * a row that is tried again and again is never due for long.
 */
export async function earliest(database: Database, { table, work }: Pick<DueRows<z.ZodMiniType>, 'table' | 'work'>, attribute: string): Promise<string | undefined> {
  const found = await Promise.all(dueShards(work).map((shard) => earliestInShard(database, table, shard, attribute)));
  return found.flat().sort()[0];
}

async function earliestInShard(database: Database, table: string, shard: string, attribute: string): Promise<string[]> {
  let first: string[] = [];
  let start: QueryCommandOutput['LastEvaluatedKey'];
  do {
    const page: QueryCommandOutput = await database.client.send(
      new QueryCommand({
        TableName: table,
        IndexName: dueIndex,
        KeyConditionExpression: 'dueShard = :shard',
        ExpressionAttributeValues: { ':shard': shard },
        ProjectionExpression: '#attribute',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExclusiveStartKey: start,
      }),
    );
    const times = (page.Items ?? []).flatMap((item) => (typeof item[attribute] === 'string' ? [item[attribute]] : []));
    first = [...first, ...times].sort().slice(0, 1);
    start = page.LastEvaluatedKey;
  } while (start);
  return first;
}

async function putOff<Key extends z.ZodMiniType>(database: Database, { table, key }: DueRows<Key>, item: Record<string, unknown>, until: number): Promise<boolean> {
  const written = await unlessRefused(
    database.client.send(
      new UpdateCommand({
        TableName: table,
        Key: z.parse(z.record(z.string(), z.string()), z.parse(key, item)),
        UpdateExpression: 'SET dueAt = :until',
        ConditionExpression: 'dueAt = :dueAt',
        ExpressionAttributeValues: { ':until': toIso(until), ':dueAt': item['dueAt'] },
      }),
    ),
  );
  return written !== undefined;
}

async function queryDue<Key extends z.ZodMiniType>(database: Database, { table, work }: DueRows<Key>, now: number, limit: number): Promise<Record<string, unknown>[]> {
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
  return pages.flatMap(({ Items = [] }) => Items);
}
