import { describe, expect, it } from 'vitest';
import { hasExpired, transitionTime, withExpiry } from '../../functions/domain/session.ts';
import { aSession } from '../support/examples.ts';
import { sessionEventTypes, sessionStatuses, transitions } from '../../functions/domain/transitions.ts';
import { isTerminal } from '../support/is-terminal.ts';

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

  it('never leaves a terminal state', () => {
    expect(sessionStatuses.filter(isTerminal)).toEqual(['succeeded', 'failed', 'cancelled']);
  });

  it('cancels only what is pending or processing, and expires only what is pending', () => {
    expect(transitions.cancel.from).toEqual(['pending', 'processing']);
    expect(transitions.expire.from).toEqual(['pending']);
  });

  it('announces every transition by an event of the family session.payment', () => {
    for (const { event } of all) expect(event).toMatch(/^session\.payment\.[a-z]+$/);
    expect(sessionEventTypes).toHaveLength(5);
  });

  it('names the event of a change of state after the state it leads to', () => {
    for (const { from, to, event } of all.filter(({ from, to }) => !from.some((status) => status === to))) {
      expect(event, from.join()).toBe(`session.payment.${to}`);
    }
  });
});

describe('time', () => {
  it('gives each transition a later time than the last one, even in the same millisecond', () => {
    expect(
      transitionTime({ lastTransitionAt: '2026-11-20T10:00:00.000Z' }, Date.parse('2026-11-20T10:00:00.000Z')),
    ).toBe(Date.parse('2026-11-20T10:00:00.001Z'));
    expect(
      transitionTime({ lastTransitionAt: '2026-11-20T10:00:00.000Z' }, Date.parse('2026-11-20T09:00:00.000Z')),
    ).toBe(Date.parse('2026-11-20T10:00:00.001Z'));
    expect(transitionTime({}, 5)).toBe(5);
  });

  it('shows a session as cancelled from the very instant that it expires', () => {
    const session = aSession({ expiresAt: '2026-11-20T10:00:00.000Z' });
    const instant = Date.parse(session.expiresAt);
    expect(withExpiry(session, instant - 1).status).toBe('pending');
    expect(withExpiry(session, instant)).toMatchObject({
      status: 'cancelled',
      cancelledAt: session.expiresAt,
      cancellation: { reason: 'expired' },
    });
  });

  it('expires nothing that is under way or over', () => {
    for (const status of ['processing', 'succeeded', 'failed', 'cancelled'] as const) {
      expect(hasExpired(aSession({ status, expiresAt: '2020-01-01T00:00:00.000Z' }), Date.now())).toBe(false);
    }
  });
});
