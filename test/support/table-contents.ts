import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, vi } from 'vitest';
import type { LocalStack } from '../../lib/local/stack.ts';
import { awsConfig } from './aws.ts';

const clients = new WeakMap<LocalStack, DynamoDBDocumentClient>();

function clientOf(stack: LocalStack): DynamoDBDocumentClient {
  const client =
    clients.get(stack) ??
    DynamoDBDocumentClient.from(new DynamoDBClient(awsConfig(stack.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '')));
  clients.set(stack, client);
  return client;
}

/** Leaves out a key's last use and the counters of requests, which any request may change. */
export async function readTables(stack: LocalStack): Promise<Set<string>> {
  const { TableNames = [] } = await clientOf(stack).send(new ListTablesCommand());
  const names = TableNames.filter((name) => !name.includes('RateLimits'));
  return new Set((await Promise.all(names.map((name) => readTable(clientOf(stack), name)))).flat());
}

const stillWorking = /"(inFlight|leasedUntil|nextAttemptAt)"|"dueShard":"(dispatch|debit|cancellation|outcome)#/;

/**
 * Waits until every event, debit and delivery, or only a session's, has been dealt with; a webhook arrives before its
 * delivery is recorded.
 */
export async function waitUntilIdle(stack: LocalStack, sessionId = ''): Promise<void> {
  // Its events and their deliveries are named after it.
  const about = sessionId.replace('ses_', '');
  const left = async () =>
    [...(await readTables(stack))].filter((row) => row.includes(about) && stillWorking.test(row));
  await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 180_000, interval: 50 });
}

async function readTable(client: DynamoDBDocumentClient, TableName: string): Promise<string[]> {
  const rows: string[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }));
    for (const { lastUsedOn: _, ...row } of page.Items ?? []) rows.push(`${TableName} ${stableJson(row)}`);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return rows;
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
