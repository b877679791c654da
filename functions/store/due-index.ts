import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { dueShards, stuckAfter, sweepWait, type DueWork } from '../domain/due.ts';
import { isoTime, toIso } from '../domain/time.ts';
import { updateUnlessRefused, type Database } from './database.ts';

const dueIndex = 'byDue';

/** Rows of one table that are in its due index for one kind of work. */
export interface DueRows<Key extends z.ZodMiniType> {
  readonly table: string;
  readonly work: DueWork;
  readonly key: Key;
}

/** The keys of the rows whose time has come at `now`, oldest first in each shard, at most `limit` a shard. */
export async function listDue<Key extends z.ZodMiniType>(
  database: Database,
  rows: DueRows<Key>,
  now: number,
  limit: number,
): Promise<z.output<Key>[]> {
  const pages = await Promise.all(
    dueShards(rows.work).map((shard) => queryShard(database, rows.table, { shard }, now, limit)),
  );
  return pages.flatMap(({ Items = [] }) => Items).map((item) => z.parse(rows.key, item));
}

/** Where in the index the reading of a shard goes on. */
export interface Position {
  readonly shard: string;
  readonly after?: QueryCommandOutput['LastEvaluatedKey'];
}

/**
 * What the sweep writes on a row that it takes. While `dueAt` is the row's own, nothing has come of it: whoever works on a row sets its due time anew or
 * removes it. Work that happens to set the same millisecond counts as none, once: should its ticket be lost too, the next comes some minutes later.
 */
const takenShape = z.object({
  dueAt: z.string(),
  /** When the row was due before the first of these takings. */
  firstDueAt: isoTime,
  /** How often it was taken since. */
  times: z.int(),
});
type Taken = z.infer<typeof takenShape>;

interface TakenRow<Key> {
  readonly key: Key;
  /** 1, or more where nothing came of the times before. */
  readonly times: number;
  /** Milliseconds since it was first due. */
  readonly age: number;
}

export interface TakenRows<Key> {
  readonly keys: Key[];
  /** Milliseconds since the oldest of them was first due, 0 where there is none. */
  readonly age: number;
  /** Those of them that were taken before, and of which nothing has come for an hour. */
  readonly stuck: TakenRow<Key>[];
  /** Where there may be more. */
  readonly rest: Position[];
}

/**
 * Takes the next rows of each shard whose time has come: each is put off before the caller gets its key, so that a row whose work fails does not
 * hold up those behind it, and two sweeps do not do the same. An index lags and still shows what was just taken: read on behind it, from `rest`.
 */
export async function takeDue<Key extends z.ZodMiniType>(
  database: Database,
  rows: DueRows<Key>,
  now: number,
  limit: number,
  from: readonly Position[] = dueShards(rows.work).map((shard) => ({ shard })),
): Promise<TakenRows<z.output<Key>>> {
  const pages = await Promise.all(from.map((position) => queryShard(database, rows.table, position, now, limit)));
  const items = pages.flatMap(({ Items = [] }) => Items);
  const found = await Promise.all(
    items.map(async (item): Promise<TakenRow<z.output<Key>>[]> => {
      const taken = await take(database, rows, item, now);
      return taken
        ? [{ key: z.parse(rows.key, item), times: taken.times, age: now - Date.parse(taken.firstDueAt) }]
        : [];
    }),
  );
  const rest = from.flatMap(({ shard }, index) =>
    pages[index]?.LastEvaluatedKey ? [{ shard, after: pages[index].LastEvaluatedKey }] : [],
  );
  const taken = found.flat();
  return {
    keys: taken.map(({ key }) => key),
    age: Math.max(0, ...taken.map(({ age }) => age)),
    stuck: taken.filter(({ times, age }) => times > 1 && age > stuckAfter),
    rest,
  };
}

/**
 * The earliest of a time that the index holds beside its keys, over every row that is in it for this work, due already or not:
 * a row that is tried again and again is never due for long.
 */
export async function earliest(
  database: Database,
  { table, work }: Pick<DueRows<z.ZodMiniType>, 'table' | 'work'>,
  attribute: string,
): Promise<string | undefined> {
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

const dueRow = z.object({ dueAt: z.string(), taken: z.optional(z.unknown()) });

/** Puts a row off by the time that befits what came of it before. Undefined where it is no longer due as the index has it. */
async function take<Key extends z.ZodMiniType>(
  database: Database,
  { table, key }: DueRows<Key>,
  item: Record<string, unknown>,
  now: number,
): Promise<Taken | undefined> {
  const dueAt = z.parse(z.string(), item['dueAt']);
  const write = (taken: Taken, condition = '') =>
    updateUnlessRefused(database, {
      TableName: table,
      Key: z.parse(z.record(z.string(), z.string()), z.parse(key, item)),
      UpdateExpression: 'SET dueAt = :until, taken = :taken',
      ConditionExpression: `dueAt = :dueAt${condition}`,
      ExpressionAttributeValues: { ':until': taken.dueAt, ':taken': taken, ':dueAt': dueAt },
      ReturnValues: 'NONE',
    });

  const first: Taken = { dueAt: toIso(now + sweepWait(1)), firstDueAt: dueAt, times: 1 };
  const { written, row } = await write(first, ' AND (attribute_not_exists(taken) OR taken.dueAt <> :dueAt)');
  if (written) return first;
  const { data: current } = z.safeParse(dueRow, row);
  if (current?.dueAt !== dueAt) return undefined;
  // Whatever stands there is read: a row that cannot be taken would hold up all the others.
  const { data: before = { firstDueAt: dueAt, times: 0 } } = z.safeParse(takenShape, current.taken);
  const { firstDueAt, times } = before;
  const again: Taken = { dueAt: toIso(now + sweepWait(times + 1)), firstDueAt, times: times + 1 };
  return (await write(again)).written ? again : undefined;
}

async function queryShard(
  database: Database,
  table: string,
  { shard, after }: Position,
  now: number,
  limit: number,
): Promise<QueryCommandOutput> {
  return database.client.send(
    new QueryCommand({
      TableName: table,
      IndexName: dueIndex,
      KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
      ExpressionAttributeValues: { ':shard': shard, ':now': toIso(now) },
      ExclusiveStartKey: after,
      Limit: limit,
    }),
  );
}
