import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../functions/contract/environment.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import type { LocalStack } from '../../lib/local/stack.ts';
import { createTables } from '../../lib/local/tables.ts';
import { readStack } from '../../lib/local/template.ts';
import { awsConfig } from './answered-client.ts';
import { liveAssembly, sandboxAssembly } from './built.ts';
import { quickCalls, signature } from './quick-calls.ts';

export interface TestDatabase extends Database {
  readonly tables: Readonly<Record<Table, string>>;
  /** Reads and writes rows past our own code. */
  readonly documents: DynamoDBDocumentClient;
}

export interface Tables {
  readonly database: TestDatabase;
  readonly endpoint: string;
}

/** The files of a worker share this process, but no tables. It ends with the worker. */
let dynamo: ReturnType<typeof startDynamoDb> | undefined;
const modes = new Map<Mode, ReturnType<typeof tablesOf>>();
let files = 0;

/** Empty tables like those of a stage in this mode: for a file, or for a test that reads everything that is due. */
export async function startTestTables(mode: Mode = 'sandbox'): Promise<Tables> {
  const known = modes.get(mode) ?? tablesOf(mode);
  modes.set(mode, known);
  const { endpoint } = await (dynamo ??= startDynamoDb(undefined));
  return createTablesAt(endpoint, await known, `-${(files += 1)}`);
}

/** `end` is a suffix for their names. */
export async function createTablesAt(
  endpoint: string,
  { tables, outputs }: Pick<ReturnType<typeof readStack>, 'tables' | 'outputs'>,
  end = '',
): Promise<Tables> {
  const client = new DynamoDBClient(quickConfig(endpoint));
  await createTables(
    client,
    tables.map((table) => ({ ...table, name: table.name + end })),
  );
  client.destroy();
  return { database: connected(tableNamesOf(outputs, end), endpoint), endpoint };
}

async function tablesOf(mode: Mode) {
  const { template } = await (mode === 'live' ? liveAssembly() : sandboxAssembly());
  const { tables, outputs } = readStack(template, { queueUrl: () => '', hosts: new Map() });
  // Nobody reads their streams, and with a stream, each write would read everything that was ever written.
  const withoutStream = tables.map(({ properties: { StreamSpecification: _, ...properties }, ...table }) => ({
    ...table,
    properties,
  }));
  return { tables: withoutStream, outputs };
}

export function databaseOf({ environment, outputs }: Pick<LocalStack, 'environment' | 'outputs'>): TestDatabase {
  return connected(tableNamesOf(outputs), environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
}

/** Computing a signature takes half of a request's CPU time. */
export function quickConfig(endpoint: string): DynamoDBClientConfig {
  return {
    ...awsConfig(endpoint),
    // The functions' own timeouts would end requests on a busy machine.
    requestHandler: { connectionTimeout: 60_000, requestTimeout: 60_000 },
    extensions: [],
    signer: {
      async sign(request) {
        Object.assign(request.headers, signature);
        return request;
      },
    },
  };
}

function connected(names: Record<Table, string>, endpoint: string): TestDatabase {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(quickConfig(endpoint)), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return { ...connect(names, quickCalls(endpoint)), tables: names, documents };
}

function tableNamesOf(outputs: Readonly<Record<string, string>>, end = ''): Record<Table, string> {
  const settings = JSON.parse(outputs['OperatorSettings'] ?? '{}') as { tables: Record<Table, string> };
  const named = Object.entries(settings.tables).map(([table, name]) => [table, name + end]);
  return Object.fromEntries(named) as Record<Table, string>;
}
