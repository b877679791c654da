import type { Session } from './session.ts';
import { minute } from '../time.ts';

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
