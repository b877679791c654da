import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { openLocal, operatorFileName } from '../../bin/practice/stack.ts';
import { awsConfig } from '../support/answered-client.ts';
import { scanTable } from '../support/table-rows.ts';
import type { Bank } from './bank.ts';
import type { Row } from './check.ts';

/** Anything except the end of a link is due. */
const stillWorking = /"(inFlight|leasedUntil|nextAttemptAt)"|"dueShard":"(?!expiry#)/;

type OperatorFile = Parameters<typeof openLocal>[0];

export async function operatorFileIn(dataDir: string): Promise<OperatorFile> {
  return JSON.parse(await readFile(join(dataDir, operatorFileName), 'utf8'));
}

const tables = [
  'sessions',
  'events',
  'deliveries',
  'authorizations',
  'sandboxDebits',
  'processorEvents',
  'webhookEndpoints',
] as const;
export type KeptRows = Readonly<Record<(typeof tables)[number], readonly Row[]>>;

async function readRows({ dynamodbEndpoint, tables: names }: OperatorFile): Promise<KeptRows> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(awsConfig(dynamodbEndpoint)));
  const read = await Promise.all(
    tables.map(async (table) => {
      const name = names[table];
      return [table, name === undefined ? [] : await scanTable(client, name)] as const;
    }),
  );
  client.destroy();
  return Object.fromEntries(read) as unknown as KeptRows;
}

/** Waits until nothing but expiring links is due. Returns what is left if that takes too long. */
export async function settle(
  dataDir: string,
  bank: Bank,
  milliseconds: number,
): Promise<{ rows: KeptRows; left: string[] }> {
  const operatorFile = await operatorFileIn(dataDir);
  for (const end = Date.now() + milliseconds; ; await wait(2000)) {
    // Read before the rows, because what the bank decides in the meantime makes work.
    const unfinished = await bank.unfinished();
    const rows = await readRows(operatorFile);
    const due = Object.entries(rows).flatMap(([table, all]) =>
      all.flatMap((row) => (stillWorking.test(JSON.stringify(row)) ? [`${table}: ${JSON.stringify(keyOf(row))}`] : [])),
    );
    const left = [...unfinished, ...due];
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
