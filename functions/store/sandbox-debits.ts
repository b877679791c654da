import { GetCommand, PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { due } from '../domain/due.ts';
import { sandboxDebit, type SandboxDebit } from '../domain/sandbox-bank.ts';
import { toIso } from '../domain/time.ts';
import { unlessRefused, type Database } from './database.ts';
import type { DueRows } from './due-index.ts';
import { Fault } from '../domain/fault.ts';

type Ledger = Database<'sandboxDebits'>;

/** Enters a debit unless the session has one or was voided; returns what stands. `outcomeAt` is when the bank will first have news. */
export async function enterSandboxDebit(
  database: Ledger,
  { sessionId, username, amountCents }: { sessionId: string; username: string; amountCents: number },
  now: number,
  outcomeAt: number | undefined,
): Promise<SandboxDebit> {
  const row: SandboxDebit = { sessionId, debit: { username, amountCents, submittedAt: toIso(now) } };
  if (await put(database, { ...row, ...(outcomeAt !== undefined && due('outcome', sessionId, outcomeAt)) })) return row;
  const standing = await getSandboxDebit(database, sessionId);
  if (!standing) throw new Fault(`the sandbox debit of ${sessionId} vanished`);
  return standing;
}

export async function getSandboxDebit(database: Ledger, sessionId: string): Promise<SandboxDebit | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.sandboxDebits, Key: { sessionId }, ConsistentRead: true }),
  );
  return Item && z.parse(sandboxDebit, Item);
}

/** Voids what stands, or leaves a tombstone where nothing does, so that a later debit is refused. False where the ledger has changed since `read`. */
export async function voidSandboxDebit(
  database: Ledger,
  sessionId: string,
  read: SandboxDebit | undefined,
  now: number,
): Promise<boolean> {
  if (!read) return put(database, { sessionId, voidedAt: toIso(now) });
  return update(database, sessionId, {
    UpdateExpression: 'SET voidedAt = :now REMOVE dueShard, dueAt',
    ConditionExpression:
      'attribute_exists(debit) AND attribute_not_exists(reportedAt) AND attribute_not_exists(voidedAt)',
    ExpressionAttributeValues: { ':now': toIso(now) },
  });
}

/** Notes that the bank has told an outcome. False where the debit was voided before. */
export async function reportSandboxOutcome(database: Ledger, sessionId: string, now: number): Promise<boolean> {
  return update(database, sessionId, {
    UpdateExpression: 'SET reportedAt = if_not_exists(reportedAt, :now)',
    ConditionExpression: 'attribute_exists(debit) AND attribute_not_exists(voidedAt)',
    ExpressionAttributeValues: { ':now': toIso(now) },
  });
}

/** Sets when the bank next has news of a debit, in milliseconds since 1970, or that it never will. */
export async function rescheduleOutcome(
  database: Ledger,
  sessionId: string,
  outcomeAt: number | undefined,
): Promise<void> {
  const next = outcomeAt === undefined ? undefined : due('outcome', sessionId, outcomeAt);
  await update(database, sessionId, {
    ConditionExpression: 'attribute_exists(debit) AND attribute_not_exists(voidedAt)',
    ...(next
      ? {
          UpdateExpression: 'SET dueShard = :dueShard, dueAt = :dueAt',
          ExpressionAttributeValues: { ':dueShard': next.dueShard, ':dueAt': next.dueAt },
        }
      : { UpdateExpression: 'REMOVE dueShard, dueAt' }),
  });
}

const debitKey = z.object({ sessionId: z.string() });

export function dueOutcomes(database: Ledger): DueRows<typeof debitKey> {
  return { table: database.tables.sandboxDebits, work: 'outcome', key: debitKey };
}

async function put(database: Ledger, row: SandboxDebit): Promise<boolean> {
  const put = new PutCommand({
    TableName: database.tables.sandboxDebits,
    Item: row,
    ConditionExpression: 'attribute_not_exists(sessionId)',
  });
  return (await unlessRefused(database.client.send(put))) !== undefined;
}

async function update(
  database: Ledger,
  sessionId: string,
  change: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
): Promise<boolean> {
  const update = new UpdateCommand({ TableName: database.tables.sandboxDebits, Key: { sessionId }, ...change });
  return (await unlessRefused(database.client.send(update))) !== undefined;
}
