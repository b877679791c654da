import { expect, it } from 'vitest';
import { isOpen, isRecentSignIn, needsTouch, type DashboardSession } from '../../../functions/domain/team/sign-in.ts';
import { hour, minute, toIso } from '../../../functions/domain/time.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const session = (differences: Partial<DashboardSession>): DashboardSession => ({
  userId: 'usr_1',
  issuer: 'https://issuer.example.com',
  subject: 'ada',
  dashboardSessionId: 'hash',
  createdAt: toIso(now),
  lastSeenAt: toIso(now),
  ...differences,
});

it('a sign-in ends after half an hour without a request', () => {
  const lastSeenAt = toIso(now - 30 * minute);
  expect(isOpen(session({ lastSeenAt }), now - 1)).toBe(true);
  expect(isOpen(session({ lastSeenAt }), now)).toBe(false);
});

it('a sign-in ends after twelve hours, however busy', () => {
  const createdAt = toIso(now - 12 * hour);
  expect(isOpen(session({ createdAt }), now - 1)).toBe(true);
  expect(isOpen(session({ createdAt }), now)).toBe(false);
});

it('a sign-in is recent for five minutes after credentials were entered, and never if the issuer does not say when', () => {
  const authenticatedAt = toIso(now - 5 * minute);
  expect(isRecentSignIn(session({ authenticatedAt }), now - 1)).toBe(true);
  expect(isRecentSignIn(session({ authenticatedAt }), now)).toBe(false);
  expect(isRecentSignIn(session({}), now)).toBe(false);
});

it('the time of the last request is written again after a minute', () => {
  expect(needsTouch(session({}), now + minute - 1)).toBe(false);
  expect(needsTouch(session({}), now + minute)).toBe(true);
});
