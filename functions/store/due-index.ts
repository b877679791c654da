import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { dueShards, ticketGrace, type DueWork } from '../domain/due.ts';
import { toIso } from '../domain/time.ts';
import type { Database } from './database.ts';

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

/**
 * Takes the rows whose time has come: each is put off by two minutes before the caller gets its key, so that a row whose work
 * fails does not hold up those behind it, and two sweeps do not do the same.
 */
export async function takeDue<Key extends z.ZodMiniType>(database: Database, rows: DueRows<Key>, now: number, limit: number): Promise<z.output<Key>[]> {
  const items = await queryDue(database, rows, now, limit);
  const taken = await Promise.all(items.map(async (item) => ((await putOff(database, rows, item, now + ticketGrace)) ? [z.parse(rows.key, item)] : [])));
  return taken.flat();
}

async function putOff<Key extends z.ZodMiniType>(database: Database, { table, key }: DueRows<Key>, item: Record<string, unknown>, until: number): Promise<boolean> {
  try {
    await database.client.send(
      new UpdateCommand({
        TableName: table,
        Key: z.parse(z.record(z.string(), z.string()), z.parse(key, item)),
        UpdateExpression: 'SET dueAt = :until',
        ConditionExpression: 'dueAt = :dueAt',
        ExpressionAttributeValues: { ':until': toIso(until), ':dueAt': item['dueAt'] },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
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
