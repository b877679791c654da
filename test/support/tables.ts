import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import type { Table } from '../../functions/contract/environment.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import type { LocalStack } from '../../lib/local/stack.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import { createTables } from '../../lib/local/tables.ts';
import { readStack } from '../../lib/local/template.ts';

/** The tables of a running stack, past all functions: for what a test must find, or bring about, behind their back. */
export function databaseOf({ environment, outputs }: Pick<LocalStack, 'environment' | 'outputs'>): Database<Table> {
  const client = new DynamoDBClient({
    endpoint: environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    region: 'us-east-1',
    credentials,
  });
  return connect(tableNamesOf(outputs), client);
}

function tableNamesOf(outputs: Readonly<Record<string, string>>): Record<Table, string> {
  return (JSON.parse(outputs['OperatorSettings'] ?? '{}') as { tables: Record<Table, string> }).tables;
}

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

export interface TestTables {
  readonly database: Database<Table>;
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** A DynamoDB of its own with every table as the template defines it. */
export async function startTestTables(): Promise<TestTables> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-tables-'));
  const dynamo = await startDynamoDb(directory, {});
  const client = new DynamoDBClient({ endpoint: dynamo.endpoint, region: 'us-east-1', credentials });
  const stack = readStack(inject('assembly').template, { queueOrigin: 'http://127.0.0.1', hosts: new Map() });
  await createTables(client, stack.tables);
  return {
    database: connect(tableNamesOf(stack.outputs), client),
    endpoint: dynamo.endpoint,
    async stop() {
      client.destroy();
      await dynamo.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
