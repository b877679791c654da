import { describe, expect, it } from 'vitest';
import {
  hasExpired,
  linkExpiry,
  patientOf,
  replacedLinkExpiry,
  sessionExpiry,
  transitionTime,
  withExpiry,
} from '../../../functions/domain/sessions/session.ts';
import { aSession } from '../../support/examples.ts';
import { sessionEventTypes, sessionStatuses, transitions } from '../../../functions/domain/sessions/transitions.ts';
import { isTerminal } from '../../support/is-terminal.ts';

const all = Object.values(transitions);

describe('the transitions table', () => {
  it('reaches every state from pending', () => {
    const reached = new Set<string>(['pending']);
    for (let grown = true; grown;) {
      const size = reached.size;
      for (const { from, to } of all) if (from.some((status) => reached.has(status))) reached.add(to);
      grown = reached.size > size;
    }
    expect([...reached].sort()).toEqual([...sessionStatuses].sort());
  });

  it('knows the terminal states', () => {
    expect(sessionStatuses.filter(isTerminal)).toEqual(['succeeded', 'failed', 'cancelled']);
  });

  it('cancels pending and processing sessions, and expires only pending ones', () => {
    expect(transitions.cancel.from).toEqual(['pending', 'processing']);
    expect(transitions.expire.from).toEqual(['pending']);
  });

  it('has a session.payment event for every transition', () => {
    for (const { event } of all) expect(event).toMatch(/^session\.payment\.[a-z]+$/);
    expect(sessionEventTypes).toHaveLength(5);
  });

  it('names each event after the new state', () => {
    for (const { from, to, event } of all.filter(({ from, to }) => !from.some((status) => status === to))) {
      expect(event, from.join()).toBe(`session.payment.${to}`);
    }
  });
});

it('an open session has a patient', () => {
  expect(patientOf(aSession())).toEqual({ firstName: 'Ada', lastName: 'Okafor' });
  const { patient: _, ...scrubbed } = aSession();
  expect(() => patientOf(scrubbed)).toThrow('has no patient');
});

describe('the time of a transition', () => {
  it('is later than that of the last one, even in the same millisecond', () => {
    expect(transitionTime({ processingAt: '2026-11-20T10:00:00.000Z' }, Date.parse('2026-11-20T10:00:00.000Z'))).toBe(
      Date.parse('2026-11-20T10:00:00.001Z'),
    );
    expect(transitionTime({ processingAt: '2026-11-20T10:00:00.000Z' }, Date.parse('2026-11-20T09:00:00.000Z'))).toBe(
      Date.parse('2026-11-20T10:00:00.001Z'),
    );
    expect(transitionTime({ processingAt: '2026-11-20T10:00:00.000Z', settledAt: '2026-11-20T10:00:00.001Z' }, 5)).toBe(
      Date.parse('2026-11-20T10:00:00.002Z'),
    );
    expect(transitionTime({}, 5)).toBe(5);
  });
});

describe('expiry', () => {
  it('comes after the days of a link, and after the seconds of an opened session', () => {
    const at = Date.parse('2026-11-20T10:00:00.000Z');
    expect(linkExpiry(at, 7)).toBe(Date.parse('2026-11-27T10:00:00.000Z'));
    expect(sessionExpiry(at, 1800)).toBe(Date.parse('2026-11-20T10:30:00.000Z'));
  });

  it('of a replaced link comes at most 366 days after the creation, or when the old link expires if that is later', () => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    const old = { createdAt, expiresAt: '2026-01-08T00:00:00.000Z' };
    const replaced = (now: string, session = old) =>
      new Date(replacedLinkExpiry(session, 7, Date.parse(now))).toISOString();
    expect(replaced('2026-01-05T00:00:00.000Z')).toBe('2026-01-12T00:00:00.000Z');
    expect(replaced('2026-12-30T00:00:00.000Z')).toBe('2027-01-02T00:00:00.000Z');
    const later = { createdAt, expiresAt: '2027-01-05T00:00:00.000Z' };
    expect(replaced('2027-01-04T00:00:00.000Z', later)).toBe('2027-01-05T00:00:00.000Z');
  });

  it('applies from the millisecond in which the session expires', () => {
    const session = aSession({ expiresAt: '2026-11-20T10:00:00.000Z' });
    const instant = Date.parse(session.expiresAt);
    expect(withExpiry(session, instant - 1).status).toBe('pending');
    expect(withExpiry(session, instant)).toMatchObject({
      status: 'cancelled',
      cancelledAt: session.expiresAt,
      cancellation: { reason: 'expired' },
    });
  });

  it('never applies to a session that is processing or has ended', () => {
    for (const status of ['processing', 'succeeded', 'failed', 'cancelled'] as const) {
      expect(hasExpired(aSession({ status, expiresAt: '2020-01-01T00:00:00.000Z' }), Date.now())).toBe(false);
    }
  });
});
