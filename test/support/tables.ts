import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../functions/contract/environment.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import type { LocalStack } from '../../lib/local/stack.ts';
import { createTables } from '../../lib/local/tables.ts';
import { readStack } from '../../lib/local/template.ts';
import { awsConfig } from './aws.ts';

export interface Tables {
  readonly database: Database<Table>;
  readonly endpoint: string;
  stop(): Promise<void>;
}

export async function startTables(template: unknown, dataDir?: string): Promise<Tables> {
  const dynamo = await startDynamoDb(dataDir);
  const client = new DynamoDBClient(awsConfig(dynamo.endpoint));
  const stack = readStack(template, { queueUrl: () => '', hosts: new Map() });
  await createTables(client, stack.tables);
  return {
    database: connect(tableNamesOf(stack.outputs), client),
    endpoint: dynamo.endpoint,
    async stop() {
      client.destroy();
      await dynamo.stop();
    },
  };
}

export function databaseOf({ environment, outputs }: Pick<LocalStack, 'environment' | 'outputs'>): Database<Table> {
  const client = new DynamoDBClient(awsConfig(environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''));
  return connect(tableNamesOf(outputs), client);
}

function tableNamesOf(outputs: Readonly<Record<string, string>>): Record<Table, string> {
  return (JSON.parse(outputs['OperatorSettings'] ?? '{}') as { tables: Record<Table, string> }).tables;
}
