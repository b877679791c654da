import { describe, expect, it, test } from 'vitest';
import {
  hasExpired,
  isExpired,
  linkExpiry,
  patientOf,
  replacedLinkExpiry,
  sessionExpiry,
  transitionTime,
  withExpiry,
  invoiceIdentity,
  type Session,
} from '../../../functions/domain/sessions/session.ts';
import { aSession } from '../../support/examples.ts';
import { sessionEventTypes, sessionStatuses, transitions } from '../../../functions/domain/sessions/transitions.ts';
import { isTerminal } from '../../support/is-terminal.ts';
import { extendedExpiry, extensionLimit, extensionsLeft, isOpened } from '../../../functions/domain/sessions/links.ts';
import { addMonths, endedAt, endedStatuses, evidenceKeptUntil } from '../../../functions/domain/sessions/retention.ts';
import { toIso } from '../../../functions/domain/time.ts';
import { hasOutcome, outcomes, statusesOf } from '../../../functions/domain/sessions/outcome.ts';

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
    for (const { event } of all) expect(event).toMatch(/^session\.payment\.[a-z_]+$/);
    const others = sessionEventTypes.filter((type) => !all.some(({ event }) => event === type));
    expect(others).toEqual(['session.payment.opened']);
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
  it('is later than that of the last one and of the open, even in the same millisecond', () => {
    expect(transitionTime({ processingAt: '2026-11-20T10:00:00.000Z' }, Date.parse('2026-11-20T10:00:00.000Z'))).toBe(
      Date.parse('2026-11-20T10:00:00.001Z'),
    );
    expect(transitionTime({ processingAt: '2026-11-20T10:00:00.000Z' }, Date.parse('2026-11-20T09:00:00.000Z'))).toBe(
      Date.parse('2026-11-20T10:00:00.001Z'),
    );
    expect(transitionTime({ processingAt: '2026-11-20T10:00:00.000Z', settledAt: '2026-11-20T10:00:00.001Z' }, 5)).toBe(
      Date.parse('2026-11-20T10:00:00.002Z'),
    );
    expect(transitionTime({ openedAt: '2026-11-20T10:00:00.000Z' }, Date.parse('2026-11-20T10:00:00.000Z'))).toBe(
      Date.parse('2026-11-20T10:00:00.001Z'),
    );
    expect(transitionTime({}, 5)).toBe(5);
  });

  it('is later than a refund that came after the return', () => {
    const facts = {
      refund: { amountCents: 1, refundedAt: '2026-11-20T10:00:00.005Z' },
      return: { code: 'insufficient_funds', returnedAt: '2026-11-20T10:00:00.002Z' },
    } as const;
    expect(transitionTime(facts, 5)).toBe(Date.parse('2026-11-20T10:00:00.006Z'));
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

  it('is no longer the end of a session that was scrubbed, nor of one that was cancelled', () => {
    const expired = aSession({ status: 'cancelled', cancellation: { reason: 'expired' } });
    expect(isExpired(expired)).toBe(true);
    expect(isExpired({ ...expired, scrubbedAt: '2026-11-20T10:00:00.000Z' })).toBe(false);
    expect(isExpired({ ...expired, cancellation: { reason: 'requested_by_practice' } })).toBe(false);
    expect(isExpired(aSession())).toBe(false);
  });

  it('never applies to a session that is processing or has ended', () => {
    for (const status of ['processing', 'succeeded', 'failed', 'cancelled'] as const) {
      expect(hasExpired(aSession({ status, expiresAt: '2020-01-01T00:00:00.000Z' }), Date.now())).toBe(false);
    }
  });
});

describe('extension', () => {
  const minute = 60_000;
  const openedAt = Date.parse('2026-11-20T10:00:00.000Z');
  const expiresAt = openedAt + 30 * minute;

  describe('the extensions of a session', () => {
    it('are as many whole periods as fit before the end of the link, at most ten', () => {
      expect(extensionLimit(openedAt, expiresAt, expiresAt + 60 * minute)).toBe(2);
      expect(extensionLimit(openedAt, expiresAt, expiresAt + 60 * minute - 1)).toBe(1);
      expect(extensionLimit(openedAt, expiresAt, expiresAt - 40 * minute)).toBe(0);
      expect(extensionLimit(openedAt, expiresAt, expiresAt + 10_000 * minute)).toBe(10);
    });

    it('are ten unless the link ends before, less those that were used', () => {
      expect(extensionsLeft(aSession())).toBe(10);
      expect(extensionsLeft(aSession({ extensionLimit: 3, extensions: 1 }))).toBe(2);
      expect(extensionsLeft(aSession({ extensionLimit: 1, extensions: 2 }))).toBe(0);
    });

    it('each add the period that the session began with', () => {
      const opened = { openedAt: new Date(openedAt).toISOString(), expiresAt: new Date(expiresAt).toISOString() };
      expect(extendedExpiry(opened)).toBe(openedAt + 60 * minute);
      const extended = { ...opened, expiresAt: new Date(openedAt + 90 * minute).toISOString(), extensions: 2 };
      expect(extendedExpiry(extended)).toBe(openedAt + 120 * minute);
    });

    it('begin with the first open', () => {
      expect(isOpened(aSession())).toBe(false);
      expect(isOpened(aSession({ openedAt: '2026-11-20T10:00:00.000Z' }))).toBe(true);
    });
  });
});

describe('retention', () => {
  const moved = (time: string, months: number) => toIso(addMonths(Date.parse(time), months));

  describe('months', () => {
    it.each([
      ['2028-11-20T10:00:00.000Z', -24, '2026-11-20T10:00:00.000Z'],
      ['2027-03-31T10:00:00.000Z', -1, '2027-02-28T10:00:00.000Z'],
      ['2028-03-31T10:00:00.000Z', -1, '2028-02-29T10:00:00.000Z'],
      ['2027-01-15T10:00:00.000Z', -1, '2026-12-15T10:00:00.000Z'],
      ['2028-02-29T10:00:00.000Z', 84, '2035-02-28T10:00:00.000Z'],
    ])('%s and %d months are %s', (time, months, expected) => {
      expect(moved(time, months)).toBe(expected);
    });
  });

  test('a status has ended if no transition leads from it to another', () => {
    const leaves = Object.values(transitions).flatMap(({ from, to }) => from.filter((status) => status !== to));
    expect(endedStatuses).toEqual(sessionStatuses.filter((status) => !leaves.includes(status as never)));
  });

  test('a session ended when it was settled, failed or was cancelled', () => {
    const at = '2026-11-20T10:00:00.000Z';
    for (const fact of ['settledAt', 'failedAt', 'cancelledAt'] as const)
      expect(endedAt(aSession({ processingAt: '2026-11-19T10:00:00.000Z', [fact]: at }))).toBe(at);
    expect(endedAt(aSession({ processingAt: at }))).toBeUndefined();
  });

  test('evidence is kept for seven years from the authorization, and there is none without one', () => {
    expect(evidenceKeptUntil(aSession({ processingAt: '2026-11-20T10:00:00.000Z' }))).toBe('2033-11-20T10:00:00.000Z');
    expect(evidenceKeptUntil(aSession())).toBeUndefined();
  });
});

test.each([
  ['INV 7', 'INV\u00a07'],
  ['INV 7', 'INV  7'],
  ['INV 7', 'INV\t7'],
  ['INV 7', 'INV\u20097'],
  ['INV 7', '\u3000INV \u00a0 7 '],
  ['INV-7', ' INV-7'],
  ['INV-7', 'INV-7\u00a0'],
  ['INV-7', 'INV\u200b-7'],
  ['INV-7', 'INV-7\ufeff'],
  ['INV-7', 'INV\u00ad-7'],
  ['INV-7', 'INV-7\ufe0f'],
  ['INV-7', 'INV\u034f-7'],
  ['INV-7', 'INV-7\u3164'],
  ['Caf\u00e9-1', 'Cafe\u0301-1'],
  ['Caf\u00e9-1', 'Cafe\u200d\u0301-1'],
  ['\u1100\u1161'.normalize('NFC'), '\u1100\u1161'],
])('%j is also written %j', (identity, spelling) => {
  expect(invoiceIdentity(spelling)).toBe(identity);
  expect(invoiceIdentity(identity)).toBe(identity);
});

test.each([
  ['INV-7', 'inv-7'],
  ['INV-7', 'INV7'],
  ['INV 7', 'INV7'],
  ['INV-07', 'INV-7'],
])('%j and %j are two invoices', (one, other) => {
  expect(invoiceIdentity(one)).not.toBe(invoiceIdentity(other));
});

const at = '2026-11-20T10:00:00.000Z';
const opened = { openedAt: at };
const expired = { status: 'cancelled', cancellation: { reason: 'expired' } } as const;
const succeeded = { status: 'succeeded', ...opened } as const;
const refund = { amountCents: 100, refundedAt: at };
const debitReturn = { code: 'insufficient_funds', returnedAt: at } as const;

it.each<[string, Partial<Session>, readonly string[]]>([
  ['is pending', {}, ['pending']],
  ['was opened', opened, ['pending', 'opened']],
  ['is processing', { status: 'processing', ...opened }, ['processing']],
  ['was paid', succeeded, ['succeeded']],
  ['failed', { status: 'failed', ...opened }, ['failed']],
  [
    'was cancelled',
    { status: 'cancelled', cancellation: { reason: 'requested_by_practice' }, ...opened },
    ['cancelled'],
  ],
  ['expired unopened', expired, ['expired']],
  ['expired after it was opened', { ...expired, ...opened }, ['opened', 'expired']],
  ['was returned', { ...succeeded, return: debitReturn }, ['returned']],
  ['was refunded', { ...succeeded, refund }, ['refunded']],
  ['was refunded, and returned', { ...succeeded, refund, return: debitReturn }, ['returned']],
  [
    'has a refund that failed',
    { ...succeeded, refund: { ...refund, amountCents: 0, failedCents: 100 } },
    ['succeeded'],
  ],
])('a session that %s has its outcome', (_, differences, expected) => {
  const session = aSession(differences);
  const found = outcomes.filter((outcome) => hasOutcome(session, [outcome]));
  expect(found).toEqual(expected);
  for (const outcome of found)
    if (outcome !== 'returned' && outcome !== 'refunded') expect(statusesOf[outcome]).toContain(session.status);
});

it('a session is found by each of several outcomes, and by no other', () => {
  expect(hasOutcome(aSession(), ['failed', 'pending'])).toBe(true);
  expect(hasOutcome(aSession(), ['failed', 'returned'])).toBe(false);
  expect(hasOutcome(aSession(), [])).toBe(false);
});
