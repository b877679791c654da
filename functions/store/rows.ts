import { setTimeout as pause } from 'node:timers/promises';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Table } from '../contract/environment.ts';
import { pagesOf } from '../domain/collections.ts';
import { Unavailable } from '../domain/fault.ts';
import type { Database } from './database.ts';
import { render, type Expression } from './expressions.ts';
import { itemOf, rowOf } from './dynamodb.ts';
import { change, deleteRow, nameOf, put, putNew, type Change, type Key, type Row } from './writes.ts';

export async function get<Schema extends z.ZodMiniType>(
  { call, tables }: Database,
  table: Table,
  key: Key,
  schema: Schema,
  { consistent = true } = {},
): Promise<z.output<Schema> | undefined> {
  const { Item } = await call('GetItem', {
    TableName: nameOf(table, tables),
    Key: itemOf(key),
    ConsistentRead: consistent,
  });
  return Item && z.parse(schema, Item);
}

const batchSize = 100;
const maximumRetries = 6;

export async function getAll<Schema extends z.ZodMiniType>(
  { call, tables }: Database,
  table: Table,
  keys: readonly Key[],
  schema: Schema,
  { consistent = true } = {},
): Promise<z.output<Schema>[]> {
  const name = nameOf(table, tables);
  const found: z.output<Schema>[] = [];
  let rest = keys.map((key) => itemOf(key));
  for (let throttled = 0; rest.length > 0;) {
    const { Responses, UnprocessedKeys } = await call('BatchGetItem', {
      RequestItems: { [name]: { Keys: rest.slice(0, batchSize), ConsistentRead: consistent } },
    });
    found.push(...(Responses?.[name] ?? []).map((item) => z.parse(schema, item)));
    const left = UnprocessedKeys?.[name]?.Keys ?? [];
    rest = [...left, ...rest.slice(batchSize)];
    if (left.length === 0) continue;
    if (throttled === maximumRetries) throw new Unavailable('a batch of reads was throttled until it gave up');
    await pause(Math.random() * 20 * 2 ** throttled);
    throttled += 1;
  }
  return found;
}

export type After = Readonly<Record<string, unknown>> | undefined;

export interface Query {
  readonly index?: string;
  readonly key: Expression;
  readonly newestFirst?: boolean;
  readonly projection?: Expression;
  /** Needed under a policy that allows only some attributes. */
  readonly select?: 'SPECIFIC_ATTRIBUTES';
}

/** Reads of a table are strongly consistent, reads of an index eventually consistent. */
export async function queryPage<Schema extends z.ZodMiniType>(
  { call, tables }: Database,
  table: Table,
  { index, key, projection, select, newestFirst = false, limit, after }: Query & { limit?: number; after?: After },
  schema: Schema,
): Promise<{ rows: z.output<Schema>[]; after: After }> {
  const { Items = [], LastEvaluatedKey } = await call('Query', {
    TableName: nameOf(table, tables),
    IndexName: index,
    ...render({ key, projection }),
    Select: select,
    ConsistentRead: index === undefined,
    ScanIndexForward: !newestFirst,
    Limit: limit,
    ExclusiveStartKey: after && itemOf(after),
  });
  return { rows: Items.map((item) => z.parse(schema, item)), after: LastEvaluatedKey };
}

export async function* queryPages<Schema extends z.ZodMiniType>(
  database: Database,
  table: Table,
  query: Query,
  schema: Schema,
): AsyncGenerator<z.output<Schema>[]> {
  const pages = pagesOf((after: After) => queryPage(database, table, { ...query, after }, schema));
  for await (const { rows } of pages) yield rows;
}

export async function queryAll<Schema extends z.ZodMiniType>(
  database: Database,
  table: Table,
  query: Query,
  schema: Schema,
): Promise<z.output<Schema>[]> {
  const found: z.output<Schema>[] = [];
  for await (const rows of queryPages(database, table, query, schema)) found.push(...rows);
  return found;
}

export async function scanAll<Schema extends z.ZodMiniType>(
  { call, tables }: Database,
  table: Table,
  schema: Schema,
): Promise<z.output<Schema>[]> {
  const TableName = nameOf(table, tables);
  const found: z.output<Schema>[] = [];
  const pages = pagesOf(async (after: After) => {
    const { Items = [], LastEvaluatedKey } = await call('Scan', {
      TableName,
      ExclusiveStartKey: after && itemOf(after),
    });
    return { rows: Items, after: LastEvaluatedKey };
  });
  for await (const { rows } of pages) found.push(...rows.map((item) => z.parse(schema, item)));
  return found;
}

/** Returns false if the row already exists, unless that row is `outdated`. */
export async function insert<Inserted extends Row>(
  database: Database,
  table: Table,
  row: Inserted,
  key: keyof Inserted & string,
  outdated?: Expression,
): Promise<boolean> {
  try {
    await database.call('PutItem', putNew(database, table, row, key, outdated).Put);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Writes the row, or replaces it. With a condition, throws if that fails. */
export async function replace(database: Database, table: Table, row: Row, condition?: Expression): Promise<void> {
  await database.call('PutItem', put(database, table, row, { condition }).Put);
}

export type Updated<Shape> =
  | { readonly written: true; readonly row: Shape }
  | { readonly written: false; readonly row: Shape | undefined };

export async function update<Schema extends z.ZodMiniType>(
  database: Database,
  table: Table,
  key: Key,
  changes: Change<z.output<Schema>>,
  schema: Schema,
): Promise<Updated<z.output<Schema>>> {
  try {
    const input = { ...change(database, table, key, changes).Update, ReturnValues: 'ALL_NEW' } as const;
    const { Attributes } = await database.call('UpdateItem', input);
    return { written: true, row: z.parse(schema, Attributes) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, row: error.Item && z.parse(schema, rowOf(error.Item)) };
  }
}

export async function remove(database: Database, table: Table, key: Key) {
  await database.call('DeleteItem', deleteRow(database, table, key).Delete);
}

/** Deletes a row if the condition holds, and returns it. Of concurrent callers, only one gets it. */
export async function removeIf<Schema extends z.ZodMiniType>(
  database: Database,
  table: Table,
  key: Key,
  condition: Expression,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  try {
    const input = { ...deleteRow(database, table, key, condition).Delete, ReturnValues: 'ALL_OLD' } as const;
    const { Attributes } = await database.call('DeleteItem', input);
    return Attributes && z.parse(schema, Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
