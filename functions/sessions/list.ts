import { cursorAfter, sessionIdOfCursor } from '../domain/cursor.ts';
import type { Session } from '../domain/sessions/session.ts';
import type { SessionStatus } from '../domain/sessions/transitions.ts';
import type { Database } from '../store/database.ts';
import { readSessionPage } from '../store/sessions/session-list.ts';
import { Problem } from '../contract/problem.ts';

interface ListInput {
  readonly practiceId: string;
  readonly status?: readonly SessionStatus[] | undefined;
  readonly invoiceId?: string | undefined;
  readonly returned?: boolean | undefined;
  readonly createdSince?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Newest first. A page can be short or empty before the last one. Throws a Problem for a cursor from another list. */
export async function listSessions(
  { database }: { database: Database<'sessions'> },
  { practiceId, status = [], invoiceId, returned = false, createdSince, createdBefore, limit, cursor }: ListInput,
  now: number,
): Promise<{ sessions: readonly Session[]; nextCursor: string | null }> {
  const filter = { practiceId, statuses: [...new Set(status)], invoiceId, returned, createdSince, createdBefore };
  const before = cursor === undefined ? undefined : sessionIdOfCursor(cursor, filter);
  if (cursor !== undefined && before === undefined) throw invalidCursor();
  const { sessions, last } = await readSessionPage(database, { ...filter, before, limit }, now);
  return { sessions, nextCursor: last === undefined ? null : cursorAfter(last, filter) };
}

export function invalidCursor(): Problem {
  return new Problem(
    'invalid_cursor',
    'Use a cursor only with the filters of the request that returned it, or start without one.',
  );
}
