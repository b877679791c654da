import { expect, it } from 'vitest';
import { isLinkRequested, linkRequestOf, linkRequestTime } from '../../../functions/domain/sessions/links.ts';
import { day, toIso } from '../../../functions/domain/time.ts';
import { aPractice, aSession } from '../../support/examples.ts';

const now = Date.parse('2026-11-20T10:00:00.000Z');
const requested = { linkRequestedAt: toIso(now - day), linkRequestedThrough: 'hash' };
const expired = aSession({ status: 'cancelled', cancellation: { reason: 'expired' } });

it('a request for a new link counts for a day, and only for the link where it was made', () => {
  const session = { ...expired, ...requested };
  expect(linkRequestTime(session)).toBe(requested.linkRequestedAt);
  expect(isLinkRequested(session, now - 1)).toBe(true);
  expect(isLinkRequested(session, now)).toBe(false);
  const replaced = { ...session, tokenHash: 'another' };
  expect(linkRequestTime(replaced)).toBeUndefined();
  expect(isLinkRequested(replaced, now - 1)).toBe(false);
  expect(isLinkRequested(expired, now)).toBe(false);
});

it('a patient can ask for a new link after the old one expired, once a day', () => {
  expect(linkRequestOf(expired, aPractice(), now)).toBe('possible');
  const session = { ...expired, ...requested };
  expect(linkRequestOf(session, aPractice(), now - 1)).toBe('made');
  expect(linkRequestOf(session, aPractice(), now)).toBe('possible');
});

it.each([
  ['the session is open', aSession(), {}],
  ['the practice cancelled it', { ...expired, cancellation: { reason: 'requested_by_practice' } as const }, {}],
  ['its details were removed', { ...expired, scrubbedAt: toIso(now) }, {}],
  ['the practice is suspended', expired, { suspendedAt: toIso(now) }],
  ['the practice is closed', expired, { closedAt: toIso(now) }],
])('a patient cannot ask for a new link if %s', (_, session, practice) => {
  expect(linkRequestOf(session, aPractice(practice), now)).toBeUndefined();
});
