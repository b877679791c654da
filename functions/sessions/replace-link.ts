import type { ReplacedLink } from '../contract/sessions/dashboard-sessions.ts';
import { newAuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import { hashOfToken, sessionToken } from '../domain/identifier.ts';
import { replacedLinkExpiry, withExpiry, type Session } from '../domain/sessions/session.ts';
import { toIso } from '../domain/time.ts';
import type { WritingTools } from '../store/database.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { replaceToken, restartSession } from '../store/sessions/session-links.ts';
import { findOwnSession } from './find.ts';
import { hostedUrlOf } from './create.ts';

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
      { practiceId, author, action: 'session.link_replaced', target: sessionId, details: { invoiceId, status } },
      now,
      randomBytes,
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
