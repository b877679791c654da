import type { Session } from '../domain/sessions/session.ts';
import type { Database } from '../store/database.ts';
import { recordOpen } from '../store/sessions/patient-writes.ts';
import { requireLink, type LinkHolder } from './find.ts';

/** The first open starts the session's clock. Later calls change nothing. Throws a Problem if the link was replaced. */
export async function openSession(
  { database }: { database: Database<'sessions'> },
  { session, practice }: LinkHolder,
  now: number,
): Promise<Session> {
  if (session.openedAt !== undefined) return session;
  return requireLink(await recordOpen(database, session, practice.sessionLifetimeSeconds, now)).session;
}
