import { afterAll, beforeAll, expect, test } from 'vitest';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { minute } from '../../functions/domain/time.ts';
import { getSession } from '../../functions/store/sessions/sessions.ts';
import { startLiveStack } from '../support/live-stack.ts';
import { patientOf, succeeded } from '../support/patient.ts';
import { waitUntilIdle } from '../support/table-contents.ts';
import { databaseOf, type TestDatabase } from '../support/tables.ts';
import { tableVariables, type Table } from '../../functions/contract/environment.ts';

type Row = Record<string, unknown>;

/** What payments change, except for evidence: nobody can put a row of it back, or remove one. */
const restored = [
  'sessions',
  'events',
  'invoiceClaims',
  'processorDebits',
  'processorEvents',
  'reconciliations',
] as const satisfies readonly Table[];

/** The evidence's policy lets nobody remove a row. */
const everyTable = Object.keys(tableVariables).filter(
  (name): name is Table => name in tableVariables && name !== 'sandboxDebits' && name !== 'authorizations',
);

/** Copies tables. Returns a function that restores them to how they are now. */
async function copyTables(
  { documents, tables }: TestDatabase,
  names: readonly Table[] = restored,
): Promise<() => Promise<void>> {
  const rowsOf = async (TableName: string): Promise<Row[]> =>
    (await documents.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];

  async function copy(TableName: string) {
    const rows = await rowsOf(TableName);
    const { Table: description } = await documents.send(new DescribeTableCommand({ TableName }));
    const keyOf = (row: Row): Row =>
      Object.fromEntries(
        (description?.KeySchema ?? []).map(({ AttributeName = '' }) => [AttributeName, row[AttributeName]]),
      );
    return async () => {
      for (const row of await rowsOf(TableName))
        await documents.send(new DeleteCommand({ TableName, Key: keyOf(row) }));
      for (const row of rows) await documents.send(new PutCommand({ TableName, Item: row }));
    };
  }

  const restores = await Promise.all(names.map((name) => copy(tables[name])));
  return async () => {
    for (const restore of restores) await restore();
  };
}

// This file has its own stack, because it restores the tables of every practice.
let service: Awaited<ReturnType<typeof startLiveStack>>;
let database: TestDatabase;
beforeAll(async () => {
  service = await startLiveStack();
  database = databaseOf(service.stack);
  // Nothing younger than ten minutes is compared.
  await service.stripe.control.advance(-30 * minute);
});
afterAll(() => service.stop());

const statusOf = async (sessionId: string) => (await service.client.sessions.get(sessionId)).status;

/** How many confirmations there were, and how many of them we were told about. */
async function confirmationsOf(sessionId: string): Promise<{ made: number; told: number }> {
  const { events, notifications } = await service.stripe.control.read();
  const made = events.filter(
    ({ type, data }) =>
      type === 'payment_intent.processing' && JSON.stringify(data.object['metadata']).includes(sessionId),
  );
  const told = notifications.filter(({ event }) => made.some(({ id }) => id === event));
  return { made: made.length, told: told.length };
}

/** The alarms about a session's debit. */
async function unknownDebits(sessionId: string): Promise<string[]> {
  return (await service.logLines()).filter((line) => line.includes('"UnknownDebits":1') && line.includes(sessionId));
}

test('a payment that was restored to before its outcome gets it again, with one debit and the same events', async () => {
  const { control } = service.stripe;
  await control.hold();
  const { sessionId } = await service.payAt('success');
  await expect.poll(() => getSession(database, sessionId)).toHaveProperty('debit');
  const restore = await copyTables(database);
  await control.release();
  const { event } = await service.receiver.waitFor('session.payment.succeeded', sessionId);
  await waitUntilIdle(service.stack);

  await restore();
  expect(await statusOf(sessionId)).toBe('processing');
  await service.stack.fireSchedules();
  await expect.poll(() => statusOf(sessionId)).toBe('succeeded');
  const timesTold = () => service.receiver.received.filter((each) => each.event.id === event.id).length;
  await expect.poll(async () => (await service.client.events.listPage({ sessionId })).data[0]?.eventId).toBe(event.id);
  expect(timesTold()).toBeGreaterThan(0);
  expect(await confirmationsOf(sessionId)).toMatchObject({ made: 1 });
  await waitUntilIdle(service.stack);
  expect(await unknownDebits(sessionId)).toEqual([]);
});

test('a session that was restored to before its authorization cannot be paid again, and its debit raises an alarm', async () => {
  const { connection, ...link } = await service.connectAt('success');
  succeeded(connection);
  const { id: authorizationId } = connection.body['authorization'] as { id: string };
  await service.stripe.control.hold();
  const restore = await copyTables(database);
  succeeded(await patientOf(link.hostedUrl).authorize(authorizationId));
  await expect.poll(() => getSession(database, link.sessionId)).toHaveProperty('debit');
  // A notification that arrived after the restore would raise the alarm too.
  await expect.poll(() => confirmationsOf(link.sessionId)).toEqual({ made: 1, told: 1 });
  await waitUntilIdle(service.stack);

  await restore();
  expect(await statusOf(link.sessionId)).toBe('pending');
  const again = await patientOf(link.hostedUrl).authorize(authorizationId);
  expect(again).toMatchObject({ status: 409, body: { code: 'payment_in_progress' } });
  expect(await confirmationsOf(link.sessionId)).toMatchObject({ made: 1 });

  await service.stripe.control.release();
  await expect.poll(() => unknownDebits(link.sessionId)).toHaveLength(1);
});

// The same as in a new stack in another account, which has only the tables from a backup.
test('after a restore of every table, links and debits go on, and a debit since the backup raises an alarm', async () => {
  const { control } = service.stripe;
  await control.hold();
  const debited = await service.payAt('success');
  await expect.poll(() => getSession(database, debited.sessionId)).toHaveProperty('debit');
  const { connection, ...waiting } = await service.connectAt('success');
  const { id: authorizationId } = connection.body['authorization'] as { id: string };
  await waitUntilIdle(service.stack);
  const restore = await copyTables(database, everyTable);
  const since = await service.payAt('success');
  await service.debitOf(since.sessionId);
  await waitUntilIdle(service.stack);

  await restore();
  await expect(service.client.sessions.get(since.sessionId)).rejects.toMatchObject({ status: 404 });
  await control.release();
  await expect.poll(() => statusOf(debited.sessionId)).toBe('succeeded');
  expect(await confirmationsOf(debited.sessionId)).toMatchObject({ made: 1 });
  await expect.poll(() => unknownDebits(since.sessionId)).not.toEqual([]);
  succeeded(await patientOf(waiting.hostedUrl).authorize(authorizationId));
  await expect.poll(() => statusOf(waiting.sessionId)).toBe('succeeded');
});
