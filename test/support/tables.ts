import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll } from 'vitest';
import type { Table } from '../../functions/contract/environment.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import type { LocalStack } from '../../lib/local/stack.ts';
import { createTables } from '../../lib/local/tables.ts';
import { readStack } from '../../lib/local/template.ts';
import { awsConfig } from './answered-client.ts';
import { sandboxAssembly } from './built.ts';

export interface TestDatabase extends Database<Table> {
  /** Reads and writes rows past our own code. */
  readonly documents: DynamoDBDocumentClient;
}

export interface Tables {
  readonly database: TestDatabase;
  readonly endpoint: string;
  stop(): Promise<void>;
}

export async function startTables(template: unknown, dataDir?: string): Promise<Tables> {
  const dynamo = await startDynamoDb(dataDir);
  const client = new DynamoDBClient(quickConfig(dynamo.endpoint));
  const stack = readStack(template, { queueUrl: () => '', hosts: new Map() });
  await createTables(client, stack.tables);
  return {
    database: connected(tableNamesOf(stack.outputs), dynamo.endpoint),
    endpoint: dynamo.endpoint,
    async stop() {
      client.destroy();
      await dynamo.stop();
    },
  };
}

export function databaseOf({ environment, outputs }: Pick<LocalStack, 'environment' | 'outputs'>): TestDatabase {
  return connected(tableNamesOf(outputs), environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
}

/** Dynoxide checks only the form of a signature. To compute one takes half of a request's CPU time. */
function quickConfig(endpoint: string): DynamoDBClientConfig {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=test/20261120/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none';
  return {
    ...awsConfig(endpoint),
    // The functions' own time limits would end requests on a machine that is busy.
    requestHandler: { connectionTimeout: 60_000, requestTimeout: 60_000 },
    extensions: [],
    signer: {
      async sign(request) {
        Object.assign(request.headers, { authorization, 'x-amz-date': '20261120T000000Z' });
        return request;
      },
    },
  };
}

function connected(names: Record<Table, string>, endpoint: string): TestDatabase {
  const config = quickConfig(endpoint);
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(config), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return { ...connect(names, dynamoDb(config)), documents };
}

function tableNamesOf(outputs: Readonly<Record<string, string>>): Record<Table, string> {
  return (JSON.parse(outputs['OperatorSettings'] ?? '{}') as { tables: Record<Table, string> }).tables;
}

/** Call this at the top level of a test file. */
export async function startTestTables(): Promise<Tables> {
  const tables = await startTables((await sandboxAssembly()).template);
  afterAll(() => tables.stop());
  return tables;
}
