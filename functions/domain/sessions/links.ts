import { type Session, isExpired } from './session.ts';
import { minute, day } from '../time.ts';
import type { Practice } from '../practices/practice.ts';

/** How long before the end of the session its patient can ask for more time. */
export const extensionWindow = 5 * minute;
export const maximumExtensions = 10;

type Extendable = Pick<Session, 'expiresAt' | 'extensionLimit' | 'extensions'>;
export type OpenedSession = Session & { readonly openedAt: string };

export function isOpened(session: Session): session is OpenedSession {
  return session.openedAt !== undefined;
}

/** How many whole periods fit between the end of the first one and the end of the link. */
export function extensionLimit(openedAt: number, expiresAt: number, linkExpiresAt: number): number {
  const fitting = Math.floor((linkExpiresAt - expiresAt) / (expiresAt - openedAt));
  return Math.min(Math.max(fitting, 0), maximumExtensions);
}

export function extensionsLeft({ extensionLimit: limit = maximumExtensions, extensions = 0 }: Extendable): number {
  return Math.max(limit - extensions, 0);
}

/** Adds the period that the session began with, even if the practice's setting has changed. */
export function extendedExpiry({
  openedAt,
  expiresAt,
  extensions = 0,
}: Extendable & { readonly openedAt: string }): number {
  const end = Date.parse(expiresAt);
  return end + (end - Date.parse(openedAt)) / (extensions + 1);
}

export const linkRequests = ['possible', 'made'] as const;

type Requested = Pick<Session, 'tokenHash' | 'linkRequestedAt' | 'linkRequestedThrough'>;

/** Undefined if the patient has received a new link since. */
export function linkRequestTime(session: Requested): string | undefined {
  return session.linkRequestedThrough === session.tokenHash ? session.linkRequestedAt : undefined;
}

/** Whether the patient asked for a new link within the last day. Asking again within that day notifies nobody. */
export function isLinkRequested(session: Requested, now: number): boolean {
  const requestedAt = linkRequestTime(session);
  return requestedAt !== undefined && now < Date.parse(requestedAt) + day;
}

/** Undefined if the patient cannot ask for a new link. */
export function linkRequestOf(
  session: Session,
  { suspendedAt, closedAt }: Pick<Practice, 'suspendedAt' | 'closedAt'>,
  now: number,
): (typeof linkRequests)[number] | undefined {
  if (!isExpired(session)) return undefined;
  if (isLinkRequested(session, now)) return 'made';
  return suspendedAt === undefined && closedAt === undefined ? 'possible' : undefined;
}
