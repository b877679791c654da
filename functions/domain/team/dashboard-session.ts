import * as z from 'zod/mini';
import { user } from './member.ts';
import { hour, isoTime, minute } from '../time.ts';

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
