import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { dynoxideBinary, indexStreamRecords, startDynamoDb } from '../../lib/local/dynoxide.ts';
import { createTables, deleteTables, describeTable, tableProperties } from '../../lib/local/tables.ts';
import { awsConfig } from '../support/answered-client.ts';
import { freePort } from '../support/server.ts';

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

function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'payment-tables-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

it('the database takes another port if a program has just taken the one that was free', async () => {
  const other = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port: taken } = other.address() as AddressInfo;
  const ports = [taken, await freePort()];
  const started = await startDynamoDb(aDirectory(), {}, async () => ports.shift()!);
  onTestFinished(() => started.stop());
  expect(started.endpoint).not.toContain(String(taken));
  expect(started.newestRecord?.('none')).toBeNull();
});

describe('stream index', () => {
  // Two of the statements that dynoxide 1.2.1 carries in its binary.
  const nextPosition = 'SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records';
  const page = `FROM _stream_records
             WHERE table_name = ?1 AND shard_id = ?2 AND CAST(sequence_number AS INTEGER) > ?3
             ORDER BY CAST(sequence_number AS INTEGER) ASC`;

  it('the installed dynoxide finds stream records by an index', async () => {
    const binary = readFileSync(dynoxideBinary(`@dynoxide/${process.platform}-${process.arch}`));
    expect(binary.includes(nextPosition) && binary.includes(page)).toBe(true);

    const dataDir = aDirectory();
    const dynamo = await startDynamoDb(dataDir);
    await dynamo.stop();
    using database = new DatabaseSync(join(dataDir, 'dynamodb.sqlite'));
    const planOf = (query: string) => database.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
    const byIndex = expect.stringMatching(/^SEARCH .* INDEX streamRecordsByPosition/);
    expect(planOf(`${nextPosition} WHERE table_name = ?1`)).toEqual([expect.objectContaining({ detail: byIndex })]);
    expect(planOf(`SELECT * ${page}`)).toEqual([expect.objectContaining({ detail: byIndex })]);
  });

  it('another version keeps its tables as they are', () => {
    const file = join(aDirectory(), 'dynamodb.sqlite');
    expect(indexStreamRecords(file, '1.2.2')).toBeUndefined();
    expect(() => indexStreamRecords(file, '1.2.1')).toThrow('no such table');
  });
});
