import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDynamoDb } from '../../lib/local/dynoxide.ts';
import { createTables, deleteTables, describeTable, tableProperties } from '../../lib/local/tables.ts';
import { awsConfig } from '../support/answered-client.ts';

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

it('starts over with empty tables of its own, and leaves others in the same database alone', async () => {
  const [own] = aTable({ ProjectionType: 'ALL' });
  const tables = ['Mine', 'Theirs'].map((name) => ({ ...own!, logicalId: name, name }));
  await createTables(client, tables);
  for (const TableName of ['Mine', 'Theirs'])
    await client.send(new PutItemCommand({ TableName, Item: { id: { S: 'row' } } }));
  await deleteTables(client, tables.slice(0, 1));
  expect(await describeTable(client, 'Mine')).toBeUndefined();
  await createTables(client, tables);
  const rows = async (TableName: string) => (await client.send(new ScanCommand({ TableName }))).Count;
  expect([await rows('Mine'), await rows('Theirs')]).toEqual([0, 1]);
});

it('keeps a stored table that matches the template, and says what to do if an index differs', async () => {
  const included = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['startedAt', 'endedAt'] };
  await createTables(client, aTable(included));
  await createTables(client, aTable({ ...included, NonKeyAttributes: ['endedAt', 'startedAt'] }));
  await expect(createTables(client, aTable({ ProjectionType: 'KEYS_ONLY' }))).rejects.toThrow(
    'Start over with --fresh.',
  );
});
