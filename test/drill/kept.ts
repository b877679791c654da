import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { openLocal, operatorFileName } from '../../bin/practice/stack.ts';
import { awsConfig } from '../support/answered-client.ts';
import type { Row } from './check.ts';

type OperatorFile = Parameters<typeof openLocal>[0];

export async function operatorFileIn(dataDir: string): Promise<OperatorFile> {
  return JSON.parse(await readFile(join(dataDir, operatorFileName), 'utf8'));
}

const tables = ['sessions', 'events', 'deliveries', 'authorizations', 'sandboxDebits', 'webhookEndpoints'] as const;
export type KeptRows = Readonly<Record<(typeof tables)[number], readonly Row[]>>;

async function readRows({ dynamodbEndpoint, tables: names }: OperatorFile): Promise<KeptRows> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(awsConfig(dynamodbEndpoint)));
  const read = await Promise.all(tables.map(async (table) => [table, await scan(client, names[table])] as const));
  client.destroy();
  return Object.fromEntries(read) as unknown as KeptRows;
}

async function scan(client: DynamoDBDocumentClient, TableName: string | undefined): Promise<Row[]> {
  const rows: Row[] = [];
  if (TableName === undefined) return rows;
  let ExclusiveStartKey: Row | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }));
    rows.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return rows;
}

const working = /"(inFlight|leasedUntil|nextAttemptAt)"|"dueShard":"(?!expiry)/;

/** Waits until nothing is due any more but links that expire. Returns what is left if that takes too long. */
export async function settle(dataDir: string, milliseconds: number): Promise<{ rows: KeptRows; left: string[] }> {
  const operatorFile = await operatorFileIn(dataDir);
  for (const end = Date.now() + milliseconds; ; await wait(2000)) {
    const rows = await readRows(operatorFile);
    const left = Object.entries(rows).flatMap(([table, all]) =>
      all.flatMap((row) => (working.test(JSON.stringify(row)) ? [`${table}: ${JSON.stringify(keyOf(row))}`] : [])),
    );
    if (left.length === 0 || Date.now() > end) return { rows, left };
  }
}

const keyOf = ({ sessionId, eventId, endpointId, status, dueShard, dueAt }: Row) => ({
  sessionId,
  eventId,
  endpointId,
  status,
  dueShard,
  dueAt,
});
