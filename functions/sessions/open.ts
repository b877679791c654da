import type { Session } from '../domain/session.ts';
import type { Database } from '../store/database.ts';
import { recordOpen } from '../store/sessions.ts';
import type { LinkHolder } from './find.ts';

/** The first open starts the session's clock. Later calls change nothing. */
export async function openSession(
  { database }: { database: Database<'sessions'> },
  { session, practice }: LinkHolder,
  now: number,
): Promise<Session> {
  if (session.openedAt !== undefined) return session;
  return recordOpen(database, session, practice.sessionLifetimeSeconds, now);
}
