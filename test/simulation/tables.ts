import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { App, Stack, type CfnElement } from 'aws-cdk-lib';
import type { Table } from '../../functions/contract/environment.ts';
import { modes } from '../../functions/domain/mode.ts';
import { itemOf } from '../../functions/store/dynamodb.ts';
import { Data } from '../../lib/constructs/data.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import { readStack } from '../../lib/local/template.ts';
import type { Database } from '../../functions/store/database.ts';
import { createTablesAt, type TestDatabase } from '../support/tables.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Rows = Readonly<Record<Table, readonly Row[]>>;

/** A database with as many sets of tables as there are lives at once. */
export async function startTables(sets = 1) {
  const { endpoint, stop } = await startDynamoDb(undefined);
  const defined = definitions();
  return {
    stop,
    sets: await Promise.all(
      Array.from({ length: sets }, async (_, index) => createSet(endpoint, defined, `-${index}`)),
    ),
  };
}

/** The tables of both modes, as the stacks define them, without streams: the simulation delivers those. */
async function createSet(endpoint: string, defined: ReturnType<typeof definitions>, end: string) {
  const { database } = await createTablesAt(endpoint, defined, end);
  const { tables: names } = database;
  const all = Object.entries(names) as [Table, string][];
  /** The tables that may have rows. */
  const touched = new Set<string>();
  /** What the tables contain, as far as it was read since the last write. */
  const read = new Map<string, Promise<Row[]>>();
  const rowsOf = async (table: Table): Promise<readonly Row[]> => {
    const name = names[table];
    if (!touched.has(name)) return [];
    const rows = read.get(name) ?? scan(database, name);
    read.set(name, rows);
    return rows;
  };
  function wrote(name: string): void {
    touched.add(name);
    read.delete(name);
  }
  return {
    endpoint,
    names,
    wrote,
    scan: rowsOf,
    async read(): Promise<Rows> {
      const rows = await Promise.all(all.map(async ([table]) => [table, await rowsOf(table)] as const));
      return Object.fromEntries(rows) as unknown as Rows;
    },
    async clear(): Promise<void> {
      const used = all.filter(([, name]) => touched.has(name));
      await Promise.all(used.map(async ([table, name]) => empty(database, name, keys[table] ?? [])));
      touched.clear();
      read.clear();
    },
    async put(table: Table, row: Row): Promise<void> {
      wrote(names[table]);
      await database.documents.send(
        new BatchWriteCommand({ RequestItems: { [names[table]]: [{ PutRequest: { Item: row } }] } }),
      );
    },
  };
}

export type Tables = Awaited<ReturnType<typeof createSet>>;

const keys: Partial<Record<Table, string[]>> = {};

function definitions() {
  const app = new App({ analyticsReporting: false, treeMetadata: false, builtinCloudFormationValidation: false });
  const found = modes.map((mode) => {
    const stack = new Stack(app, mode, { env: { region: 'us-east-1' } });
    const data = new Data(stack, 'Data', { mode, protect: false });
    const tables = Object.entries(data.tables) as [Table, { node: { defaultChild?: unknown } }][];
    return {
      mode,
      logicalIds: tables.map(
        ([table, { node }]) => [table, stack.getLogicalId(node.defaultChild as CfnElement)] as const,
      ),
    };
  });
  const assembly = app.synth();
  const named = new Map<Table, ReturnType<typeof readStack>['tables'][number]>();
  for (const { mode, logicalIds } of found) {
    const { tables } = readStack(assembly.getStackByName(mode).template, { queueUrl: () => '', hosts: new Map() });
    for (const [table, logicalId] of logicalIds) {
      const definition = tables.find((each) => each.logicalId === logicalId);
      if (!definition) throw new Error(`the template lacks the table ${table}`);
      const { StreamSpecification: _, ...properties } = definition.properties;
      keys[table] = properties.KeySchema.map(({ AttributeName }) => AttributeName);
      named.set(table, { ...definition, properties });
    }
  }
  const names = Object.fromEntries([...named].map(([table, { name }]) => [table, name]));
  return { tables: [...named.values()], outputs: { OperatorSettings: JSON.stringify({ tables: names }) } };
}

async function scan({ call }: Database, name: string): Promise<Row[]> {
  const rows: Row[] = [];
  let start: Row | undefined;
  do {
    const page = await call('Scan', { TableName: name, ...(start && { ExclusiveStartKey: itemOf(start) }) });
    rows.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return rows;
}

async function empty(database: TestDatabase, name: string, key: readonly string[]): Promise<void> {
  const rows = await scan(database, name);
  for (let first = 0; first < rows.length; first += 25) {
    const some = rows.slice(first, first + 25);
    const deletes = some.map((row) => ({
      DeleteRequest: { Key: Object.fromEntries(key.map((part) => [part, row[part]])) },
    }));
    await database.documents.send(new BatchWriteCommand({ RequestItems: { [name]: deletes } }));
  }
}
