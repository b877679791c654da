import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { due } from '../domain/due.ts';
import { isoTime, toIso } from '../domain/time.ts';
import type { Database } from './database.ts';
import { listDue } from './due-index.ts';

/** The sandbox bank's own ledger: which debit it took, and from whom. */
const sandboxDebit = z.object({
  sessionId: z.string(),
  username: z.string(),
  amountCents: z.int(),
  submittedAt: isoTime,
});
export type SandboxDebit = z.infer<typeof sandboxDebit>;

/** Enters a debit unless the session has one; returns the one that stands. `outcomeAt` is when the bank will first have news. */
export async function enterSandboxDebit(
  database: Database<'sandboxDebits'>,
  debit: { sessionId: string; username: string; amountCents: number },
  now: number,
  outcomeAt: number | undefined,
): Promise<SandboxDebit> {
  const row: SandboxDebit = { ...debit, submittedAt: toIso(now) };
  try {
    await database.client.send(
      new PutCommand({
        TableName: database.tables.sandboxDebits,
        Item: { ...row, ...(outcomeAt !== undefined && due('outcome', debit.sessionId, outcomeAt)) },
        ConditionExpression: 'attribute_not_exists(sessionId)',
      }),
    );
    return row;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const standing = await getSandboxDebit(database, debit.sessionId);
    if (!standing) throw new Error(`the sandbox debit of ${debit.sessionId} vanished`);
    return standing;
  }
}

export async function getSandboxDebit(database: Database<'sandboxDebits'>, sessionId: string): Promise<SandboxDebit | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.sandboxDebits, Key: { sessionId }, ConsistentRead: true }),
  );
  return Item && z.parse(sandboxDebit, Item);
}

/** Sets when the bank next has news of a debit, in milliseconds since 1970, or that it never will. */
export async function scheduleSandboxOutcome(database: Database<'sandboxDebits'>, sessionId: string, outcomeAt: number | undefined): Promise<void> {
  const next = outcomeAt === undefined ? undefined : due('outcome', sessionId, outcomeAt);
  await database.client.send(
    new UpdateCommand({
      TableName: database.tables.sandboxDebits,
      Key: { sessionId },
      ConditionExpression: 'attribute_exists(sessionId)',
      ...(next
        ? {
            UpdateExpression: 'SET dueShard = :dueShard, dueAt = :dueAt',
            ExpressionAttributeValues: { ':dueShard': next.dueShard, ':dueAt': next.dueAt },
          }
        : { UpdateExpression: 'REMOVE dueShard, dueAt' }),
    }),
  );
}

export async function listDueSandboxDebits(database: Database<'sandboxDebits'>, now: number, limit: number): Promise<string[]> {
  const keys = await listDue(database, database.tables.sandboxDebits, 'outcome', z.object({ sessionId: z.string() }), now, limit);
  return keys.map(({ sessionId }) => sessionId);
}
