import { Problem } from '../contract/problem.ts';
import { hasExpired, isExpired, type Session } from '../domain/sessions/session.ts';
import { isLinkRequested } from '../domain/sessions/link-request.ts';
import type { ReadingTools } from '../store/database.ts';
import { writeExpiry, writeLinkRequest } from '../store/sessions/transitions.ts';
import { linkNotFound, requireActive, type LinkHolder } from './find.ts';

/** Tells the practice, once a day, that the patient needs a new link. Throws a Problem unless the link has expired. */
export async function requestLink(
  { database }: ReadingTools,
  { session: found, practice }: LinkHolder,
  now: number,
): Promise<void> {
  requireActive(practice);
  // The sweep may not have written the expiration yet, and its event comes first.
  let current = hasExpired(found, now) ? (await writeExpiry(database, found, now)).session : found;
  for (;;) {
    if (current.tokenHash !== found.tokenHash) throw linkNotFound();
    requireExpired(current);
    if (isLinkRequested(current, now)) return;
    const written = await writeLinkRequest(database, current, now);
    if (written.result === 'written') return;
    current = written.session;
  }
}

function requireExpired(current: Session): void {
  const extra = { sessionStatus: current.status };
  if (current.status === 'pending' || current.status === 'processing')
    throw new Problem('session_not_ended', 'Load the session again: its link still works.', { extra });
  if (!isExpired(current)) throw new Problem('session_closed', 'Load the session again to see its status.', { extra });
}
