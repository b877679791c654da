import { Problem } from '../contract/problem.ts';
import { isSessionId } from '../domain/identifier.ts';
import { servesPractice } from '../domain/practices/platform.ts';
import type { Delivery } from '../domain/webhooks/delivery.ts';
import type { Session } from '../domain/sessions/session.ts';
import type { Database } from '../store/database.ts';
import { readMemberships, type Memberships } from '../store/practices/platforms.ts';
import { getSession } from '../store/sessions/sessions.ts';

interface Happened {
  readonly practiceId: string;
  /** Set only on a platform's delivery. */
  readonly eventPracticeId?: string | undefined;
  readonly createdAt: string;
}

/**
 * Leaves out what a platform may not see: what happened at a practice before it joined, and everything once it has left.
 * The owner's own rows are always kept, without a read.
 */
export async function reachable<Each extends Happened>(
  database: Database,
  ownerId: string,
  rows: readonly Each[],
): Promise<Each[]> {
  const foreign = rows.map(practiceOf).filter((practiceId) => practiceId !== ownerId);
  const memberships = await readMemberships(database, foreign);
  return rows.filter((row) => maySee(ownerId, row, memberships));
}

/** `memberships` must cover every practice other than the owner itself. */
export function maySee(ownerId: string, row: Happened, memberships: Memberships): boolean {
  const practiceId = practiceOf(row);
  return practiceId === ownerId || servesPractice(ownerId, memberships.get(practiceId), row.createdAt);
}

function practiceOf({ practiceId, eventPracticeId = practiceId }: Happened): string {
  return eventPracticeId;
}

export async function isReachable(database: Database, delivery: Delivery): Promise<boolean> {
  return (await reachable(database, delivery.practiceId, [delivery])).length > 0;
}

/** Throws a Problem for a session of another practice, or of one that is not the platform's. */
export async function findReachableSession(
  database: Database,
  { ownerId, sessionId }: { readonly ownerId: string; readonly sessionId: string },
): Promise<Session> {
  const found = isSessionId(sessionId) ? await getSession(database, sessionId) : undefined;
  if (found?.practiceId === ownerId) return found;
  const memberships = found && (await readMemberships(database, [found.practiceId]));
  if (!found || !servesPractice(ownerId, memberships?.get(found.practiceId)))
    throw new Problem('session_not_found', 'Check the session id.');
  return found;
}
