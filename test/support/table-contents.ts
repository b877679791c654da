import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, vi } from 'vitest';
import type { LocalStack } from '../../lib/local/stack.ts';
import { awsConfig } from './answered-client.ts';
import { scanTable } from './table-rows.ts';
import { patience } from './until.ts';

const clients = new WeakMap<LocalStack, DynamoDBDocumentClient>();

function clientOf(stack: LocalStack): DynamoDBDocumentClient {
  const client =
    clients.get(stack) ??
    DynamoDBDocumentClient.from(new DynamoDBClient(awsConfig(stack.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '')));
  clients.set(stack, client);
  return client;
}

/**
 * The rows of the whole stack, or those that name these practices, sessions, or the practices' sessions. Leaves out keys' last use and the counters of
 * requests, which any request may change.
 */
export async function readTables(stack: LocalStack, ...ids: string[]): Promise<Set<string>> {
  return rowsIn(stack, (table) => !table.includes('RateLimits'), ids);
}

async function rowsIn(stack: LocalStack, isRead: (table: string) => boolean, ids: readonly string[]) {
  const { TableNames = [] } = await clientOf(stack).send(new ListTablesCommand());
  const names = TableNames.filter(isRead);
  const rows = (await Promise.all(names.map((name) => readTable(clientOf(stack), name)))).flat();
  return new Set(ids.length === 0 ? rows : rowsOf(ids, rows));
}

const sessionsIn = (row: string) => row.match(/(?<=(?:ses|evt)_)[0-9A-Z]{26}/g) ?? [];

function rowsOf(ids: readonly string[], rows: readonly string[]): string[] {
  const namesOne = (row: string) => ids.some((id) => row.includes(id));
  const sessions = new Set(rows.filter(namesOne).flatMap(sessionsIn));
  return rows.filter((row) => namesOne(row) || sessionsIn(row).some((session) => sessions.has(session)));
}

/** The tables that contain such rows. Reading the others would take twice as long. */
const tablesOfWork = /Sessions|Events|Deliveries|WebhookEndpoints|SandboxDebits/;
// Leaves out work that only the sweep does, which would take minutes.
const stillWorking = /"(inFlight|leasedUntil|nextAttemptAt)"|"dueShard":"(dispatch|debit|cancellation|outcome)#/;

/**
 * Waits until every event, debit and delivery, or those of these practices or sessions, is done with: a webhook
 * arrives before its delivery is recorded.
 */
export async function waitUntilIdle(stack: LocalStack, ...ids: string[]): Promise<void> {
  const left = async () =>
    [...(await rowsIn(stack, (table) => tablesOfWork.test(table), ids))].filter((row) => stillWorking.test(row));
  await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: patience, interval: 100 });
}

async function readTable(client: DynamoDBDocumentClient, TableName: string): Promise<string[]> {
  const rows = await scanTable(client, TableName);
  return rows.map(({ lastUsedOn: _, ...row }) => `${TableName} ${stableJson(row)}`);
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
