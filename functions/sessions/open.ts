import { Problem } from '../contract/problem.ts';
import { extensionsLeft, extensionWindow, isOpened } from '../domain/sessions/links.ts';
import type { Practice } from '../domain/practices/practice.ts';
import type { Session } from '../domain/sessions/session.ts';
import { wantsEvent } from '../domain/webhooks/webhook-endpoint.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { recordExtension, recordOpen, recordOpenWithEvent } from '../store/sessions/patient-writes.ts';
import { listSubscriptions } from '../store/webhooks/webhook-endpoints.ts';
import { requireLink, requirePending, type LinkHolder } from './find.ts';

/** Extends an open session by a whole period. Throws a Problem outside its last five minutes. */
export async function extendSession(
  { database }: ReadingTools,
  { session, practice }: LinkHolder,
  now: number,
): Promise<Session> {
  requirePending(session, now);
  if (!isOpened(session) || Date.parse(session.expiresAt) - now > extensionWindow)
    throw new Problem('too_early_to_extend', 'Ask again in the last five minutes of the open session.');
  if (!practice.extensions || extensionsLeft(session) === 0)
    throw new Problem('no_extensions_left', 'If the time runs out, ask the practice for a new link.');
  const extended = requireLink(await recordExtension(database, session, now));
  // If not written, a concurrent request has extended the session already.
  if (!extended.written) requirePending(extended.session, now);
  return extended.session;
}

/** The first open starts the session's clock. Later calls change nothing. Throws a Problem if the link was replaced. */
export async function openSession(
  { database }: ReadingTools,
  { session, practice }: LinkHolder,
  now: number,
): Promise<Session> {
  if (session.openedAt !== undefined) return session;
  const record = (await isAskedFor(database, practice)) ? recordOpenWithEvent : recordOpen;
  return requireLink(await record(database, session, practice.sessionLifetimeSeconds, now)).session;
}

/** Few practices subscribe to it, and the event costs a session as much as a transition. */
async function isAskedFor(database: Database, { practiceId, platformId }: Practice): Promise<boolean> {
  const [own, ofPlatform] = await Promise.all([
    listSubscriptions(database, practiceId),
    platformId === undefined ? [] : listSubscriptions(database, platformId),
  ]);
  const open = { type: 'session.payment.opened', practiceId };
  return [...own, ...ofPlatform].some((endpoint) => wantsEvent(endpoint, open));
}
