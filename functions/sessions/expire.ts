import { hasExpired } from '../domain/sessions/session.ts';
import type { Database } from '../store/database.ts';
import { getExistingSession } from '../store/sessions/sessions.ts';
import { writeExpiry } from '../store/sessions/transitions.ts';

/** Cancels an expired session as of `expiresAt`. */
export async function expireSession(
  { database }: { database: Database<'sessions' | 'events'> },
  { sessionId }: { sessionId: string },
  now: number,
): Promise<void> {
  const session = await getExistingSession(database, sessionId);
  if (hasExpired(session, now)) await writeExpiry(database, session, now);
}
