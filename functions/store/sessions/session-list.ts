import * as z from 'zod/mini';
import { sessionIdRange, type SessionFilter } from '../../domain/cursor.ts';
import { linkRequestTime } from '../../domain/sessions/links.ts';
import { hasOutcome, statusesOf } from '../../domain/sessions/outcome.ts';
import { isExpired, withExpiry, type Session } from '../../domain/sessions/session.ts';
import { sessionStatuses, type SessionStatus } from '../../domain/sessions/transitions.ts';
import type { Database } from '../database.ts';
import { expression, type Expression } from '../expressions.ts';
import { queryPage, type Query, queryPages, type After } from '../rows.ts';
import { getSessions, practiceInvoice, withLinkRequest, withRefund } from './sessions.ts';
import { debitReturn, failure } from '../../domain/payments/debit.ts';
import { isoTime } from '../../domain/time.ts';

interface SessionQuery extends SessionFilter {
  readonly statuses: readonly SessionStatus[];
  readonly before: string | undefined;
  readonly limit: number;
}

/** An index serves only one filter and may lag, so the number of reads per page is limited. */
const maximumReads = 4;

/** `last` is where the next page continues; undefined at the end of the list. */
export async function readSessionPage(database: Database, query: SessionQuery, now: number) {
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

/** The newest sessions of an invoice, before this one. */
export async function idsOfInvoice(
  database: Database,
  { practiceId, invoiceId }: { readonly practiceId: string; readonly invoiceId: string },
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const key = expression`practiceInvoice = ${practiceInvoice(practiceId, invoiceId)} AND sessionId < ${before ?? 'ses_~'}`;
  const page = { index: 'byInvoice', key, newestFirst: true, limit };
  const { rows } = await queryPage(database, 'sessions', page, z.object({ sessionId: z.string() }));
  return rows.map(({ sessionId }) => sessionId);
}

/** The newest sessions whose patients asked for a new link. */
export async function readLinkRequests(database: Database, practiceId: string, limit: number): Promise<Session[]> {
  const key = expression`practiceReturned = ${withLinkRequest(practiceId)}`;
  const sessions = await readReturned(database, key, limit);
  // The link may have been replaced since then, or the patient's details removed.
  return sessions.filter((session) => linkRequestTime(session) !== undefined && isExpired(session));
}

/** The newest sessions with refunds, going back to this ID. */
export function readRefunds(database: Database, practiceId: string, since: string, limit: number): Promise<Session[]> {
  const key = expression`practiceReturned = ${withRefund(practiceId)} AND sessionId >= ${since}`;
  return readReturned(database, key, limit);
}

async function readReturned(database: Database, key: Expression, limit: number): Promise<Session[]> {
  const page = { index: 'byPracticeReturned', key, newestFirst: true, limit };
  const { rows } = await queryPage(database, 'sessions', page, z.object({ sessionId: z.string() }));
  return getSessions(
    database,
    rows.map(({ sessionId }) => sessionId),
  );
}

/** Rows are newer than the index: they may have changed or expired. */
function matches(session: Session, { statuses, outcomes = [], returned }: SessionQuery): boolean {
  return (
    (statuses.length === 0 || statuses.includes(session.status)) &&
    (outcomes.length === 0 || hasOutcome(session, outcomes)) &&
    (!returned || session.return !== undefined)
  );
}

async function newestIds(database: Database, filter: SessionFilter, before: string | undefined, limit: number) {
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

function partitionsOf({ practiceId, statuses, outcomes = [], invoiceId, returned }: SessionFilter): Query[] {
  if (invoiceId !== undefined) {
    const key = expression`practiceInvoice = ${practiceInvoice(practiceId, invoiceId)}`;
    return [{ index: 'byInvoice', key }];
  }
  if (returned) return [inReturned(practiceId)];
  if (outcomes.length > 0)
    return [
      ...inStatuses(
        practiceId,
        outcomes.flatMap((outcome) => statusesOf[outcome]),
      ),
      ...(outcomes.includes('refunded') ? [inReturned(withRefund(practiceId))] : []),
      ...(outcomes.includes('returned') ? [inReturned(practiceId)] : []),
    ];
  if (statuses.length === 0) return [{ index: 'byPractice', key: expression`practiceId = ${practiceId}` }];
  return inStatuses(practiceId, statuses);
}

/** In the order of a session's life cycle: a session that changes between reads is found twice, never missed. */
function inStatuses(practiceId: string, statuses: readonly string[]): Query[] {
  return sessionStatuses
    .filter((status) => statuses.includes(status))
    .map((status) => ({
      index: 'byPracticeStatus',
      key: expression`practiceStatus = ${`${practiceId}#${status}`}`,
    }));
}

function inReturned(practiceReturned: string): Query {
  return { index: 'byPracticeReturned', key: expression`practiceReturned = ${practiceReturned}` };
}

const listed = z.object({
  sessionId: z.string(),
  amountCents: z.int(),
  processingAt: z.optional(isoTime),
  settledAt: z.optional(isoTime),
  return: z.optional(debitReturn),
  failure: z.optional(failure),
});
type ListedSession = z.infer<typeof listed>;

/** A page is a megabyte: about 5,000 sessions. */
const maximumPages = 10;

/** Newest first, from the index alone. `complete` is false if there are too many to read. */
export async function listPayments(
  database: Database,
  practiceId: string,
  { status, since }: { readonly status: Exclude<SessionStatus, 'cancelled'>; readonly since: string },
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

export function sessionsWithStatus(database: Database, practiceId: string, status: SessionStatus) {
  const query = {
    index: 'byPracticeStatus',
    key: expression`practiceStatus = ${`${practiceId}#${status}`}`,
    projection: expression`sessionId`,
  };
  return queryPages(database, 'sessions', query, z.object({ sessionId: z.string() }));
}

/** The IDs of the practice's sessions in this range, oldest first. */
export async function* sessionIdPages(
  database: Database,
  practiceId: string,
  { first, last }: { readonly first: string; readonly last: string },
): AsyncGenerator<string[]> {
  const key = expression`practiceId = ${practiceId} AND sessionId BETWEEN ${first} AND ${last}`;
  const query = { index: 'byPractice', key };
  for await (const rows of queryPages(database, 'sessions', query, z.object({ sessionId: z.string() })))
    yield rows.map(({ sessionId }) => sessionId);
}

export async function hasSession(database: Database, practiceId: string, paid: boolean): Promise<boolean> {
  const query = paid
    ? { index: 'byPracticeStatus', key: expression`practiceStatus = ${`${practiceId}#succeeded`}` }
    : { index: 'byPractice', key: expression`practiceId = ${practiceId}` };
  const { rows } = await queryPage(database, 'sessions', { ...query, limit: 1 }, z.object({ sessionId: z.string() }));
  return rows.length > 0;
}
