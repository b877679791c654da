import { describe, expect, test } from 'vitest';
import { defaultScopes, scopes as allScopes } from '../../../functions/domain/practices/api-key.ts';
import { sandboxUserNames } from '../../../functions/domain/payments/sandbox-bank.ts';
import { isTimeZone } from '../../../functions/domain/time.ts';
import { attemptErrors } from '../../../functions/domain/webhooks/delivery.ts';
import { sessionRoutes } from '../../../functions/contract/sessions/dashboard-sessions.ts';
import { mailTopics as allTopics } from '../../../functions/domain/team/member.ts';
import { practiceEventTypes } from '../../../functions/domain/practices/platform.ts';
import { sessionEventTypes } from '../../../functions/domain/sessions/transitions.ts';
import { attemptAdvice, attemptResult } from '../../../web/dashboard/attempt-words.ts';
import { authorWords, detailLabel, detailText, isTime, type AuditEntry } from '../../../web/dashboard/audit-words.ts';
import type { ApiProblem } from '../../../web/dashboard/api.ts';
import { toBase64 } from '../../../web/dashboard/logo-picture.ts';
import { colorHint } from '../../../web/dashboard/settings-form.ts';
import { eventTypesFor, problemWords, simulates } from '../../../web/dashboard/session-words.ts';
import { keyStateOf, mailTopics, scopes, scopesByDefault } from '../../../web/dashboard/practice.ts';
import { timeZoneOptions, addDays, createdBetween, dayOf, isDay, startOfDay } from '../../../web/dashboard/days.ts';
import { centsOf, spreadJson, formatDistance } from '../../../web/dashboard/format.ts';

const now = Date.parse('2026-11-20T15:00:00.000Z');

test.each([
  [{}, 'active'],
  [{ expiresAt: '2026-12-04T15:00:00.000Z' }, 'active'],
  [{ expiresAt: '2026-12-04T14:59:59.999Z' }, 'expiring'],
  [{ expiresAt: '2026-11-20T15:00:00.000Z' }, 'expired'],
  [{ expiresAt: '2026-12-24T15:00:00.000Z', revokedAt: '2026-11-01T00:00:00.000Z' }, 'revoked'],
])('the state of a key: %j is %s', (key, state) => {
  expect(keyStateOf(key, now)).toBe(state);
});

test('a new key gets the same scopes in the dashboard as elsewhere', () => {
  expect(scopes).toEqual(allScopes);
  expect(scopesByDefault).toEqual(defaultScopes);
  expect(scopesByDefault).not.toContain('webhooks:write');
  expect(scopesByDefault).not.toContain('payouts:read');
});

test('the dashboard knows every event that an endpoint can get', () => {
  expect(eventTypesFor('platform')).toEqual([...sessionEventTypes, ...practiceEventTypes]);
  expect(eventTypesFor('practice')).toEqual(sessionEventTypes);
});

test('every user of the test bank is explained in a sentence', () => {
  for (const username of sandboxUserNames) expect(simulates({ username, scenario: 'x' })).toMatch(/^The .*\.$/);
  expect(simulates({ username: 'user_new', scenario: 'bank_on_strike' })).toBe('bank on strike');
});

test('every reason for a failed attempt has a title of its own, and one sentence of advice', () => {
  const titles = attemptErrors.map((error) => attemptResult({ error }));
  expect(new Set(titles).size).toBe(attemptErrors.length);
  for (const error of attemptErrors) expect(attemptAdvice({ error })).toMatch(/^[A-Z][^.]+(\.\d[^.]*)*\.$/);
  expect(attemptAdvice({ statusCode: 503 })).toBeUndefined();
  expect(attemptResult({ statusCode: 200, error: 'unreadable_response' })).toBe('HTTP 200');
  expect(attemptAdvice({ statusCode: 200, error: 'unreadable_response' })).toContain('HTTP/1.1');
  expect(attemptAdvice({ statusCode: 301 })).toContain('URL');
});

describe('time zones', () => {
  const zones = timeZoneOptions('Antarctica/Troll');
  const options = zones.map(({ value }) => value);

  test('begin with the American ones under plain names, and name each once', () => {
    expect(zones.slice(0, 5).map(({ label }) => label)).toEqual([
      'Eastern Time (New York)',
      'Central Time (Chicago)',
      'Mountain Time (Denver)',
      'Arizona Time (Phoenix)',
      'Pacific Time (Los Angeles)',
    ]);
    expect(new Set(options).size).toBe(options.length);
  });

  test('are all accepted by the service, and the current one is among them', () => {
    expect(options.filter((zone) => !isTimeZone(zone))).toEqual([]);
    expect(options).toContain('Antarctica/Troll');
  });
});

test.each([
  ['#0f766e', 'Text on it is white. It is hard to see on dark pages, so buttons get a gray edge there.'],
  ['#ffd700', 'Text on it is black. It is hard to see on light pages, so buttons get a gray edge there.'],
  ['#3b82f6', 'Text on it is black.'],
  ['teal', undefined],
])('what the payment page makes of %s', (color, words) => {
  expect(colorHint(color)).toBe(words);
});

test('entries of the audit log name their author', () => {
  const entry: Omit<AuditEntry, 'author'> = {
    practiceId: 'prc_1',
    entryId: 'aud_1',
    at: '2026-11-20T15:00:00.000Z',
    action: 'api_key.created',
  };
  expect(authorWords({ ...entry, author: { kind: 'user', userId: 'usr_1', address: '203.0.113.7' } })).toEqual({
    who: 'usr_1',
    from: '203.0.113.7',
  });
  const relayed = { kind: 'user', userId: 'usr_1', address: '203.0.113.7', sourceAddress: '192.0.2.1' } as const;
  expect(authorWords({ ...entry, author: relayed })).toMatchObject({ from: '203.0.113.7', connectedFrom: '192.0.2.1' });
  expect(authorWords({ ...entry, author: { kind: 'operator' } }).who).toBe('Service operator');
  const key = { kind: 'api_key', keyId: 'kVendor00001', name: 'Vendor', address: '192.0.2.7' } as const;
  expect(authorWords({ ...entry, author: key })).toEqual({ who: 'API key Vendor', from: '192.0.2.7' });
  const acting = { ...key, platformId: 'plt_harbor' };
  expect(authorWords({ ...entry, author: acting })).toMatchObject({ who: 'API key Vendor', actedFor: 'plt_harbor' });
});

test('details are shown as words and times', () => {
  expect(detailLabel('sessionLifetimeSeconds')).toBe('Session lifetime seconds');
  expect(detailLabel('eventId')).toBe('Event ID');
  expect(isTime('2026-11-20T15:00:00.000Z')).toBe(true);
  expect(isTime('2026-11-20 was a Friday')).toBe(false);
  expect(isTime('2026-99-99T99Z')).toBe(false);
});

test.each([
  ['mails', 'payment_failed daily_summary', 'Payments that failed; A daily summary'],
  ['mails', 'none', 'none'],
  ['role', 'staff', 'Staff'],
  ['status', 'succeeded', 'Paid'],
  ['amountCents', '18250', '$182.50'],
  ['removed', 'supportPhone', 'Support phone'],
  ['reason', 'failed', 'failed'],
])('the detail %s: %s is read as "%s"', (name, value, words) => {
  expect(detailText(name, value)).toBe(words);
});

test('every topic that can be emailed has words', () => {
  expect(mailTopics.toSorted()).toEqual(allTopics.toSorted());
});

test('no problem of a payment is described as one of a session', () => {
  const titles = Object.values(sessionRoutes).flatMap(({ problems }) =>
    Object.entries<{ readonly title: string }>(problems).map(([code, { title }]) => ({ code, title })),
  );
  const told = titles.map((problem) => problemWords(problem as ApiProblem).title);
  expect(told.filter((title) => /session/i.test(title))).toEqual([]);
});

test('any bytes become base64', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
});

describe('typed text', () => {
  describe('an amount as people type it', () => {
    test.each([
      ['182.50', 18250],
      ['182.5', 18250],
      ['182', 18200],
      ['182.', 18200],
      ['.99', 99],
      ['$1,182.07', 118207],
      [' 19.99 ', 1999],
      ['999999.99', 99999999],
    ])('%j is %i cents', (text, cents) => {
      expect(centsOf(text)).toBe(cents);
    });

    test.each(['', '.', '$', '12,50', '1.234', '-5', '1e3', '12 50', '1,1820'])('%j is not an amount', (text) => {
      expect(centsOf(text)).toBeUndefined();
    });
  });

  describe('JSON on several lines', () => {
    test('looks as indented JSON does', () => {
      const value = { id: 'evt_1', data: { a: [1, 2], empty: {}, none: [], text: 'a "b": {c}, [d]' } };
      expect(spreadJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    });

    test('keeps digits and escapes that parsing would change', () => {
      expect(spreadJson(String.raw`{"a":1.10,"b":"\u00e9"}`)).toBe('{\n  "a": 1.10,\n  "b": "\\u00e9"\n}');
    });

    test('leaves what is not JSON alone', () => {
      expect(spreadJson('<html>{"a":1</html>')).toBe('<html>{"a":1</html>');
    });
  });
});

const iso = (time: number) => new Date(time).toISOString();

describe('days in the time zone of a practice', () => {
  test.each([
    ['2026-11-20', 'America/New_York', '2026-11-20T05:00:00.000Z'],
    ['2026-07-04', 'America/New_York', '2026-07-04T04:00:00.000Z'],
    // Clocks change at 2 a.m. on these days.
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
    ['2026-03-09', 'America/New_York', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00.000Z'],
    ['2026-11-20', 'Pacific/Honolulu', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20', 'Pacific/Guam', '2026-11-19T14:00:00.000Z'],
    // Havana has no midnight on this day, and two of them on the other.
    ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ])('%s in %s begins at %s', (day, zone, start) => {
    expect(iso(startOfDay(day, zone))).toBe(start);
    expect(dayOf(startOfDay(day, zone), zone)).toBe(day);
    expect(dayOf(startOfDay(day, zone) - 1, zone)).toBe(addDays(day, -1));
  });

  test('a range includes its last day', () => {
    expect(createdBetween({ from: '2026-11-01', to: '2026-11-01' }, 'America/New_York')).toEqual({
      createdSince: '2026-11-01T04:00:00.000Z',
      createdBefore: '2026-11-02T05:00:00.000Z',
    });
  });

  test('a range can be open at either end', () => {
    expect(createdBetween({ from: '', to: 'yesterday' }, 'America/New_York')).toEqual({});
  });

  test('2026-02-30 is a mistake that the address can hold', () => {
    expect([isDay('2026-02-30'), isDay('2026-13-01'), isDay('2026-02-28')]).toEqual([false, false, true]);
  });
});

test('the first and the last day that can be chosen have their moments in every time zone', () => {
  for (const zone of ['Etc/GMT+12', 'America/New_York', 'Pacific/Kiritimati']) {
    const { createdSince, createdBefore } = createdBetween({ from: '2000-01-01', to: '9998-12-31' }, zone);
    expect([createdSince, createdBefore]).toEqual([
      expect.stringMatching(/^(1999|2000)-/),
      expect.stringMatching(/^999[89]-/),
    ]);
  }
  expect(['1999-12-31', '0000-01-01', '9999-01-01', '9999-12-31'].filter(isDay)).toEqual([]);
});

describe('how far away a time is', () => {
  test.each([
    ['2026-11-30T15:00:00.000Z', 'in 7 days'],
    ['2026-11-25T06:00:00.000Z', 'in 39 hours'],
    ['2026-11-22T00:00:00.000Z', '39 hours ago'],
    ['2026-11-23T15:00:00.000Z', 'now'],
  ])('is never called a day that it is not: %s', (time, words) => {
    expect(formatDistance(time, Date.parse('2026-11-23T15:00:00.000Z'))).toBe(words);
  });
});
