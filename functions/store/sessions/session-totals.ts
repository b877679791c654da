import * as z from 'zod/mini';
import { debitReturn, failure } from '../../domain/payments/debit.ts';
import { isoTime } from '../../domain/time.ts';
import type { SessionStatus } from '../../domain/sessions/transitions.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { queryPage, queryPages, type After } from '../rows.ts';

const listed = z.object({
  amountCents: z.int(),
  processingAt: z.optional(isoTime),
  settledAt: z.optional(isoTime),
  return: z.optional(debitReturn),
  failure: z.optional(failure),
});
export type ListedSession = z.infer<typeof listed>;

/** A page is a megabyte: about 5,000 sessions. */
const maximumPages = 10;

/** Newest first, from the index alone. `complete` is false if there are too many to read. */
export async function listPayments(
  database: Database<'sessions'>,
  practiceId: string,
  { status, since }: { readonly status: 'processing' | 'succeeded' | 'failed'; readonly since: string },
): Promise<{ payments: ListedSession[]; complete: boolean }> {
  const payments: ListedSession[] = [];
  const key = expression`practiceStatus = ${`${practiceId}#${status}`} AND sessionId >= ${since}`;
  let after: After;
  for (let page = 0; page < maximumPages; page += 1) {
    const query = { index: 'byPracticeStatus', key, newestFirst: true, after };
    const { rows, after: next } = await queryPage(database, 'sessions', query, listed);
    payments.push(...rows);
    if (!next) return { payments, complete: true };
    after = next;
  }
  return { payments, complete: false };
}

export function sessionsWithStatus(
  database: Database<'sessions'>,
  practiceId: string,
  status: SessionStatus,
): AsyncGenerator<{ sessionId: string }[]> {
  const query = {
    index: 'byPracticeStatus',
    key: expression`practiceStatus = ${`${practiceId}#${status}`}`,
    projection: expression`sessionId`,
  };
  return queryPages(database, 'sessions', query, z.object({ sessionId: z.string() }));
}

/** The IDs of the practice's sessions in this range, oldest first. */
export async function* sessionIdPages(
  database: Database<'sessions'>,
  practiceId: string,
  { first, last }: { readonly first: string; readonly last: string },
): AsyncGenerator<string[]> {
  const key = expression`practiceId = ${practiceId} AND sessionId BETWEEN ${first} AND ${last}`;
  const query = { index: 'byPractice', key };
  for await (const rows of queryPages(database, 'sessions', query, z.object({ sessionId: z.string() })))
    yield rows.map(({ sessionId }) => sessionId);
}

export async function hasSession(database: Database<'sessions'>, practiceId: string, paid: boolean): Promise<boolean> {
  const query = paid
    ? { index: 'byPracticeStatus', key: expression`practiceStatus = ${`${practiceId}#succeeded`}` }
    : { index: 'byPractice', key: expression`practiceId = ${practiceId}` };
  const { rows } = await queryPage(database, 'sessions', { ...query, limit: 1 }, z.object({ sessionId: z.string() }));
  return rows.length > 0;
}
