import * as z from 'zod/mini';
import { hour, isoTime, minute } from '../time.ts';
import { user } from './member.ts';

export const dashboardSession = z.extend(user, {
  /** The hash of the cookie's value. */
  dashboardSessionId: z.string(),
  createdAt: isoTime,
  lastSeenAt: isoTime,
  /** When the user last entered credentials at the issuer. Absent if the issuer does not say. */
  authenticatedAt: z.optional(isoTime),
});
export type DashboardSession = z.infer<typeof dashboardSession>;

const longestPause = 30 * minute;
export const longestSession = 12 * hour;
const recent = 5 * minute;

/** Checked here because the table's time to live deletes rows late. */
export function isOpen({ createdAt, lastSeenAt }: DashboardSession, now: number): boolean {
  return now < Date.parse(lastSeenAt) + longestPause && now < Date.parse(createdAt) + longestSession;
}

export function isRecentSignIn({ authenticatedAt }: DashboardSession, now: number): boolean {
  return authenticatedAt !== undefined && now < Date.parse(authenticatedAt) + recent;
}

const shownPrecision = minute;

export function needsTouch({ lastSeenAt }: DashboardSession, now: number): boolean {
  return now >= Date.parse(lastSeenAt) + shownPrecision;
}

/** A sign-in that has started and waits for the issuer's answer. */
export const signIn = z.object({
  /** The hash of the cookie's value. */
  signInId: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  /** Whether the issuer was asked to request credentials again. */
  again: z.boolean(),
  createdAt: isoTime,
});
export type SignIn = z.infer<typeof signIn>;

export const signInLifetime = 10 * minute;

/** Issuers' clocks differ from ours, and `auth_time` has whole seconds. */
export const clockSkew = minute;

const page = /^\/(?![/\\]|api\/)[\w/.~?&=%+*,:!@$'();-]{0,1000}$/;

/** Returns a page of the dashboard, never another site or an API route. */
export function returnPath(asked: string | null | undefined): string {
  return typeof asked === 'string' && page.test(asked) ? asked : '/';
}
