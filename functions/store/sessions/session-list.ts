import * as z from 'zod/mini';
import { sessionIdRange, type SessionFilter } from '../../domain/cursor.ts';
import { invoiceIdentity } from '../../domain/sessions/invoice-identity.ts';
import { linkRequestTime } from '../../domain/sessions/link-request.ts';
import { isExpired, withExpiry, type Session } from '../../domain/sessions/session.ts';
import { sessionStatuses, type SessionStatus } from '../../domain/sessions/transitions.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { queryPage, type Query } from '../rows.ts';
import { getSessions, practiceInvoice, withLinkRequest } from './sessions.ts';

type Sessions = Database<'sessions'>;

interface SessionQuery extends SessionFilter {
  readonly statuses: readonly SessionStatus[];
  readonly before: string | undefined;
  readonly limit: number;
}

/** An index serves only one filter and may lag, so the number of reads per page is limited. */
const maximumReads = 4;

/** `last` is where the next page continues; undefined at the end of the list. */
export async function readSessionPage(
  database: Sessions,
  query: SessionQuery,
  now: number,
): Promise<{ sessions: Session[]; last: string | undefined }> {
  const wanted = query.limit + 1;
  const found: Session[] = [];
  let before = query.before;
  for (let reads = 1; ; reads += 1) {
    const ids = await newestIds(database, query, before, wanted);
    const rows = await getSessions(database, ids);
    found.push(...rows.map((row) => withExpiry(row, now)).filter((row) => matches(row, query)));
    if (found.length >= wanted) break;
    if (ids.length < wanted) return { sessions: found, last: undefined };
    before = ids.at(-1);
    if (reads === maximumReads) return { sessions: found, last: before };
  }
  const sessions = found.slice(0, query.limit);
  return { sessions, last: sessions.at(-1)?.sessionId };
}

/** The newest sessions whose patients asked for a new link. */
export async function readLinkRequests(database: Sessions, practiceId: string, limit: number): Promise<Session[]> {
  const key = expression`practiceReturned = ${withLinkRequest(practiceId)}`;
  const page = { index: 'byPracticeReturned', key, newestFirst: true, limit };
  const { rows } = await queryPage(database, 'sessions', page, z.object({ sessionId: z.string() }));
  const sessions = await getSessions(
    database,
    rows.map(({ sessionId }) => sessionId),
  );
  // Since then, the link may have been replaced, or the patient's details removed.
  return sessions.filter((session) => linkRequestTime(session) !== undefined && isExpired(session));
}

/** Rows are newer than the index: they may have changed or expired. */
function matches({ status, return: returned }: Session, filter: SessionQuery): boolean {
  return (
    (filter.statuses.length === 0 || filter.statuses.includes(status)) && (!filter.returned || returned !== undefined)
  );
}

async function newestIds(
  database: Sessions,
  filter: SessionFilter,
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const range = sessionIdRange(filter, before);
  if (!range) return [];
  const ids = new Set<string>();
  for (const partition of partitionsOf(filter)) {
    const key = expression`${partition.key} AND sessionId BETWEEN ${range.first} AND ${range.last}`;
    const page = { ...partition, key, newestFirst: true, limit };
    const { rows } = await queryPage(database, 'sessions', page, z.object({ sessionId: z.string() }));
    for (const { sessionId } of rows) ids.add(sessionId);
  }
  return [...ids].sort().reverse().slice(0, limit);
}

function partitionsOf({ practiceId, statuses, invoiceId, returned }: SessionFilter): Query[] {
  if (invoiceId !== undefined) {
    // Rows of an earlier version are listed under the ID as it was sent.
    const invoices = [...new Set([invoiceIdentity(invoiceId), invoiceId])];
    return invoices.map((invoice) => ({
      index: 'byInvoice',
      key: expression`practiceInvoice = ${practiceInvoice(practiceId, invoice)}`,
    }));
  }
  if (returned) return [{ index: 'byPracticeReturned', key: expression`practiceReturned = ${practiceId}` }];
  if (statuses.length === 0) return [{ index: 'byPractice', key: expression`practiceId = ${practiceId}` }];
  // In the order of a session's life: a session that changes between reads is found twice, never missed.
  return sessionStatuses
    .filter((status) => statuses.includes(status))
    .map((status) => ({
      index: 'byPracticeStatus',
      key: expression`practiceStatus = ${`${practiceId}#${status}`}`,
    }));
}
