import * as z from 'zod/mini';
import type { SessionFilter } from '../domain/cursor.ts';
import { session, withExpiry, type Session } from '../domain/session.ts';
import { sessionStatuses, type SessionStatus } from '../domain/transitions.ts';
import type { Database } from './database.ts';
import { expression } from './expressions.ts';
import { getAll, queryPage, type Query } from './rows.ts';

type Sessions = Database<'sessions'>;

interface SessionQuery extends SessionFilter {
  readonly statuses: readonly SessionStatus[];
  readonly before: string | undefined;
  readonly limit: number;
}

export async function readSessionPage(
  database: Sessions,
  query: SessionQuery,
  now: number,
): Promise<{ sessions: Session[]; more: boolean }> {
  const wanted = query.limit + 1;
  const found: Session[] = [];
  for (let before = query.before; ;) {
    const ids = await newestIds(database, query, before, wanted);
    const rows = await getSessions(database, ids);
    // Rows are newer than the index: drop those that have changed or expired.
    found.push(
      ...rows
        .map((row) => withExpiry(row, now))
        .filter(({ status }) => query.statuses.length === 0 || query.statuses.includes(status)),
    );
    if (found.length >= wanted || ids.length < wanted) break;
    before = ids.at(-1);
  }
  return { sessions: found.slice(0, query.limit), more: found.length > query.limit };
}

async function newestIds(
  database: Sessions,
  filter: SessionFilter,
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const ids = new Set<string>();
  for (const partition of partitionsOf(filter)) {
    const key = before === undefined ? partition.key : expression`${partition.key} AND sessionId < ${before}`;
    const page = { ...partition, key, newestFirst: true, limit };
    const { rows } = await queryPage(database, 'sessions', page, z.object({ sessionId: z.string() }));
    for (const { sessionId } of rows) ids.add(sessionId);
  }
  return [...ids].sort().reverse().slice(0, limit);
}

function partitionsOf({ practiceId, statuses, invoiceId }: SessionFilter): Query[] {
  if (invoiceId !== undefined)
    return [{ index: 'byInvoice', key: expression`practiceInvoice = ${`${practiceId}#${invoiceId}`}` }];
  if (statuses.length === 0) return [{ index: 'byPractice', key: expression`practiceId = ${practiceId}` }];
  // In life order: a session that changes meanwhile is found twice, never missed.
  return sessionStatuses
    .filter((status) => statuses.includes(status))
    .map((status) => ({
      index: 'byPracticeStatus',
      key: expression`practiceStatus = ${`${practiceId}#${status}`}`,
    }));
}

async function getSessions(database: Sessions, ids: readonly string[]): Promise<Session[]> {
  const keys = ids.map((sessionId) => ({ sessionId }));
  const rows = await getAll(database, 'sessions', keys, session);
  const byId = new Map(rows.map((row) => [row.sessionId, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
