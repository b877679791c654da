import { describe, expect, test } from 'vitest';
import { addDays, createdBetween, dayOf, isDay, startOfDay } from '../../../web/dashboard/days.ts';
import { formatDistance } from '../../../web/dashboard/format.ts';

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
