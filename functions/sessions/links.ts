import type { ReplacedLink } from '../contract/sessions/dashboard-sessions.ts';
import { newAuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import { hashOfToken, sessionToken } from '../domain/identifier.ts';
import { replacedLinkExpiry, withExpiry, type Session, hasExpired, isExpired } from '../domain/sessions/session.ts';
import { toIso } from '../domain/time.ts';
import type { WritingTools, ReadingTools } from '../store/database.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { replaceToken, restartSession } from '../store/sessions/session-links.ts';
import { findOwnSession, linkNotFound, requireActive, type LinkHolder } from './find.ts';
import { hostedUrlOf } from './create.ts';
import { Problem } from '../contract/problem.ts';
import { isLinkRequested } from '../domain/sessions/links.ts';
import { writeExpiry, writeLinkRequest } from '../store/sessions/transitions.ts';

/** The old link stops working. A pending session starts over; any other keeps everything but its link. */
export async function replaceLink(
  tools: WritingTools & { readonly hostedPageUrl: string },
  { practiceId, sessionId, author }: Audited & { readonly practiceId: string; readonly sessionId: string },
  now: number,
): Promise<ReplacedLink> {
  const { database, randomBytes, hostedPageUrl } = tools;
  const found = await findOwnSession(tools, { practiceId, sessionId });
  const { linkLifetimeDays } = await getExistingPractice(database, practiceId);
  const token = sessionToken(sessionId, randomBytes);
  const hostedUrl = hostedUrlOf(hostedPageUrl, token, found.locale);
  const linkOf = ({ status, invoiceId }: Session) => ({
    tokenHash: hashOfToken(token),
    audit: newAuditEntry(
      { randomBytes },
      { practiceId, author, action: 'session.link_replaced', target: sessionId, details: { invoiceId, status } },
      now,
    ),
  });

  const linkReplacedAt = toIso(now);
  let current = withExpiry(found, now);
  if (current.status === 'pending') {
    const expiresAt = replacedLinkExpiry(current, linkLifetimeDays, now);
    const ended = await restartSession(database, sessionId, { ...linkOf(current), expiresAt }, now);
    if (!ended) return { sessionId, hostedUrl, linkReplacedAt, expiresAt: toIso(expiresAt) };
    current = withExpiry(ended, now);
  }
  await replaceToken(database, sessionId, linkOf(current), now);
  return { sessionId, hostedUrl, linkReplacedAt, expiresAt: current.expiresAt };
}

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
