import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { withExpiry, type Session } from '../domain/session.ts';
import type { SessionFilter } from '../domain/cursor.ts';
import type { Database } from './database.ts';
import { parseSession } from './sessions.ts';
import { sessionStatuses, type SessionStatus } from '../domain/transitions.ts';

type Sessions = Database<'sessions'>;

export interface SessionQuery extends SessionFilter {
  readonly statuses: readonly SessionStatus[];
  /** Only sessions created before this one. */
  readonly before: string | undefined;
  readonly limit: number;
}

interface Partition {
  readonly index: string;
  readonly attribute: string;
  readonly value: string;
}

/** A batch reads at most this many rows. */
const batchSize = 100;

/**
 * One page of a practice's sessions, newest first, as they are at `now`; `more` says whether another would follow.
 * Its cost depends on the page, not on how many sessions there are: the indexes give keys in order, the rows are read by key.
 */
export async function listSessions(
  database: Sessions,
  query: SessionQuery,
  now: number,
): Promise<{ sessions: Session[]; more: boolean }> {
  const wanted = query.limit + 1;
  const found: Session[] = [];
  for (let before = query.before; ;) {
    const ids = await newestIds(database, query, before, wanted);
    const rows = await getSessions(database, ids);
    // The rows are newer than the index: what has changed or expired meanwhile is left out, and the page filled up.
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

function partitionsOf({ practiceId, statuses, invoiceId }: SessionFilter): Partition[] {
  if (invoiceId !== undefined)
    return [{ index: 'byInvoice', attribute: 'practiceInvoice', value: `${practiceId}#${invoiceId}` }];
  if (statuses.length === 0) return [{ index: 'byPractice', attribute: 'practiceId', value: practiceId }];
  // In the order of a session's life, one after the other: a session that moves on meanwhile is met again, never missed.
  return sessionStatuses
    .filter((status) => statuses.includes(status))
    .map((status) => ({ index: 'byPracticeStatus', attribute: 'practiceStatus', value: `${practiceId}#${status}` }));
}

async function newestIds(
  database: Sessions,
  filter: SessionFilter,
  before: string | undefined,
  count: number,
): Promise<string[]> {
  const ids = new Set<string>();
  for (const { index, attribute, value } of partitionsOf(filter)) {
    const { Items = [] } = await database.client.send(
      new QueryCommand({
        TableName: database.tables.sessions,
        IndexName: index,
        KeyConditionExpression:
          before === undefined ? '#partition = :partition' : '#partition = :partition AND sessionId < :before',
        ExpressionAttributeNames: { '#partition': attribute },
        ExpressionAttributeValues: { ':partition': value, ...(before !== undefined && { ':before': before }) },
        ScanIndexForward: false,
        Limit: count,
      }),
    );
    for (const item of Items) ids.add(z.parse(z.object({ sessionId: z.string() }), item).sessionId);
  }
  return [...ids].sort().reverse().slice(0, count);
}

async function getSessions(database: Sessions, ids: readonly string[]): Promise<Session[]> {
  const rows = new Map<string, Session>();
  const table = database.tables.sessions;
  let keys = ids.map((sessionId) => ({ sessionId }));
  while (keys.length > 0) {
    const { Responses, UnprocessedKeys } = await database.client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: keys.slice(0, batchSize), ConsistentRead: true } } }),
    );
    for (const item of Responses?.[table] ?? []) {
      const row = parseSession(item);
      rows.set(row.sessionId, row);
    }
    const unread = z.parse(z.array(z.object({ sessionId: z.string() })), UnprocessedKeys?.[table]?.Keys ?? []);
    keys = [...unread, ...keys.slice(batchSize)];
  }
  return ids.flatMap((id) => rows.get(id) ?? []);
}
