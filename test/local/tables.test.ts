import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import { createTables, tableProperties } from '../../lib/local/tables.ts';
import { awsConfig } from '../support/aws.ts';

const directory = await mkdtemp(join(tmpdir(), 'payment-tables-'));
let dynamo: Awaited<ReturnType<typeof startDynamoDb>>;
let client: DynamoDBClient;
beforeAll(async () => {
  dynamo = await startDynamoDb(directory, {});
  client = new DynamoDBClient(awsConfig(dynamo.endpoint));
});
afterAll(async () => {
  client.destroy();
  await dynamo.stop();
  await rm(directory, { recursive: true, force: true });
});

function aTable(projection: object) {
  const properties = tableProperties.parse({
    AttributeDefinitions: ['id', 'shard'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      { IndexName: 'byShard', KeySchema: [{ AttributeName: 'shard', KeyType: 'HASH' }], Projection: projection },
    ],
    Replicas: [{ Region: 'us-east-1' }],
  });
  return [{ logicalId: 'Things', name: 'Things', properties }];
}

it('keeps a stored table that matches the template, and says what to do if an index differs', async () => {
  const included = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['startedAt', 'endedAt'] };
  await createTables(client, aTable(included));
  await createTables(client, aTable({ ...included, NonKeyAttributes: ['endedAt', 'startedAt'] }));
  await expect(createTables(client, aTable({ ProjectionType: 'KEYS_ONLY' }))).rejects.toThrow(
    'Start over with --fresh.',
  );
});
