import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../functions/contract/environment.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import { createTables } from '../../lib/local/tables.ts';
import { readStack } from '../../lib/local/template.ts';
import { synthesize } from '../../lib/synthesize.ts';

/** A DynamoDB of its own with every table as the template defines it. */
export async function startBenchTables(): Promise<{ database: Database<Table>; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  const { template } = await synthesize({ stage: 'sandbox', local: true, outdir: join(directory, 'assembly') });
  const dynamo = await startDynamoDb(directory, {});
  const client = new DynamoDBClient({
    endpoint: dynamo.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });
  const stack = readStack(template, { queueOrigin: 'http://127.0.0.1', hosts: new Map() });
  await createTables(client, stack.tables);
  const { tables } = JSON.parse(stack.outputs['OperatorSettings'] ?? '{}') as { tables: Record<Table, string> };
  return {
    database: connect(tables, client),
    async stop() {
      client.destroy();
      await dynamo.stop();
      await rm(directory, { recursive: true });
    },
  };
}
