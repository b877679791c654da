import * as z from 'zod/mini';
import type { Table } from '../contract/environment.ts';
import { batchesOf } from '../domain/collections.ts';
import { dueShards, stuckAfter, sweepMark, sweepWait, type DutyName, type SweepMark } from '../domain/due.ts';
import { toIso } from '../domain/time.ts';
import type { Database } from './database.ts';
import { allOf, attribute, expression, type Expression } from './expressions.ts';
import { queryPage, queryPages, update, type After } from './rows.ts';

const index = 'byDue';

/** More at once would only delay the requests of other duties. */
const atOnce = 20;

export type KeySchema = z.ZodMiniType<Readonly<Record<string, string>>>;

export interface DueRows<Key extends KeySchema> {
  readonly database: Database;
  readonly table: Table;
  readonly duty: DutyName;
  readonly key: Key;
}

export interface Position {
  readonly shard: string;
  readonly after?: After;
}

interface PostponedRow<Key> {
  readonly key: Key;
  readonly times: number;
  readonly age: number;
}

export interface PostponedRows<Key> {
  readonly keys: Key[];
  readonly age: number;
  readonly stuck: PostponedRow<Key>[];
  readonly rest: Position[];
  /** Errors from shards that could not be read, and rows that could not be postponed. */
  readonly errors: unknown[];
}

/** Postpones due rows and returns them, so that two sweeps never get the same row. */
export async function postponeDue<Key extends KeySchema>(
  rows: DueRows<Key>,
  now: number,
  limit: number,
  from: readonly Position[] = dueShards(rows.duty).map((shard) => ({ shard })),
): Promise<PostponedRows<z.output<Key>>> {
  const pages = await tryAll(from, async (position) => {
    const page = await queryShard(rows, position, now, limit);
    return { rows: page.rows, next: page.after ? [{ shard: position.shard, after: page.after }] : [] };
  });
  const found = await tryAll(
    pages.done.flatMap((page) => page.rows),
    async (row) => {
      const key = z.parse(rows.key, row);
      const mark = await postpone(rows, key, row.dueAt, now);
      if (!mark) return [];
      return [{ key, times: mark.times, age: now - Date.parse(mark.firstDueAt) }];
    },
  );
  const all = found.done.flat();
  return {
    keys: all.map(({ key }) => key),
    age: Math.max(0, ...all.map(({ age }) => age)),
    stuck: all.filter(({ times, age }) => times > 1 && age > stuckAfter),
    rest: pages.done.flatMap(({ next }) => next),
    errors: [...pages.errors, ...found.errors],
  };
}

/** Runs the work for all items, even if some fail. */
async function tryAll<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
): Promise<{ done: Done[]; errors: unknown[] }> {
  const results: PromiseSettledResult<Done>[] = [];
  for (const batch of batchesOf(items, atOnce)) results.push(...(await Promise.allSettled(batch.map(work))));
  return {
    done: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    errors: results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  };
}

export async function earliest(rows: DueRows<KeySchema>, name: string): Promise<string | undefined> {
  const found = await Promise.all(dueShards(rows.duty).map((shard) => earliestInShard(rows, shard, name)));
  return found.flat().sort()[0];
}

async function earliestInShard(
  { database, table }: DueRows<KeySchema>,
  shard: string,
  name: string,
): Promise<string[]> {
  let first: string[] = [];
  const query = { index, key: expression`dueShard = ${shard}`, projection: attribute(name) };
  for await (const rows of queryPages(database, table, query, z.record(z.string(), z.unknown()))) {
    const times = rows.map((row) => row[name]).filter((time) => typeof time === 'string');
    first = [...first, ...times].sort().slice(0, 1);
  }
  return first;
}

const dueRow = z.object({ dueAt: z.optional(z.string()), taken: z.optional(z.unknown()) });

async function postpone(
  { database, table }: DueRows<KeySchema>,
  key: Readonly<Record<string, string>>,
  dueAt: string,
  now: number,
): Promise<SweepMark | undefined> {
  const write = (mark: SweepMark, condition: Expression | undefined) => {
    const change = { set: { dueAt: mark.dueAt, taken: mark }, condition };
    return update(database, table, key, change, dueRow);
  };
  const asListed = expression`dueAt = ${dueAt}`;

  // A row written by hand may have another format.
  const firstDueAt = toIso(Date.parse(dueAt) || now);
  const first = { dueAt: toIso(now + sweepWait(1)), firstDueAt, times: 1 };
  const { written, row } = await write(first, allOf(asListed, expression`attribute_not_exists(taken)`));
  if (written) return first;
  if (row?.dueAt !== dueAt) return undefined;
  // An unreadable mark also counts as none: otherwise the row would block all others.
  const { data: mark } = z.safeParse(sweepMark, row.taken);
  const before = mark?.dueAt === dueAt ? mark : { firstDueAt, times: 0 };
  const times = before.times + 1;
  const again = { dueAt: toIso(now + sweepWait(times)), firstDueAt: before.firstDueAt, times };
  return (await write(again, asListed)).written ? again : undefined;
}

function queryShard({ database, table }: DueRows<KeySchema>, { shard, after }: Position, now: number, limit: number) {
  const key = expression`dueShard = ${shard} AND dueAt <= ${toIso(now)}`;
  return queryPage(database, table, { index, key, limit, after }, z.looseObject({ dueAt: z.string() }));
}
