import { Problem } from '../contract/problems.ts';
import { cursorAfter, sessionIdOfCursor } from '../domain/cursor.ts';
import type { Session } from '../domain/session.ts';
import type { SessionStatus } from '../domain/transitions.ts';
import type { Database } from '../store/database.ts';
import { readSessionPage } from '../store/session-list.ts';

interface ListInput {
  readonly practiceId: string;
  readonly status?: readonly SessionStatus[] | undefined;
  readonly invoiceId?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Newest first. Throws a Problem for a cursor from another list. */
export async function listSessions(
  { database }: { database: Database<'sessions'> },
  { practiceId, status = [], invoiceId, limit, cursor }: ListInput,
  now: number,
): Promise<{ sessions: readonly Session[]; nextCursor: string | null }> {
  const filter = { practiceId, statuses: [...new Set(status)], invoiceId };
  const before = cursor === undefined ? undefined : sessionIdOfCursor(cursor, filter);
  if (cursor !== undefined && before === undefined)
    throw new Problem(
      'invalid_cursor',
      'Use a cursor only with the filters of the request that returned it, or start without one.',
    );
  const { sessions, more } = await readSessionPage(database, { ...filter, before, limit }, now);
  const last = sessions.at(-1);
  return { sessions, nextCursor: more && last ? cursorAfter(last.sessionId, filter) : null };
}
