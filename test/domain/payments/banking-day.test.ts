import { describe, expect, it } from 'vitest';
import { authorizationExpiry, nextBankingDay } from '../../../functions/domain/payments/authorization.ts';
import { day, toIso } from '../../../functions/domain/time.ts';

const after = (time: string) => nextBankingDay(Date.parse(time));

describe('the next banking day', () => {
  it.each([
    ['a Tuesday', '2026-11-17', '2026-11-18'],
    ['a Friday', '2026-11-20', '2026-11-23'],
    ['a Saturday', '2026-11-21', '2026-11-23'],
    ['a Sunday', '2026-11-22', '2026-11-23'],
    ['the day before a leap day', '2028-02-28', '2028-02-29'],
  ])('after %s, %s, is %s', (_, date, next) => {
    expect(after(`${date}T17:00:00.000Z`)).toBe(next);
  });

  it.each([
    ["New Year's Day", '2026-12-31', '2027-01-04'],
    ["New Year's Day on a Sunday, observed on Monday", '2022-12-30', '2023-01-03'],
    ["New Year's Day on a Saturday, with Friday open", '2027-12-30', '2027-12-31'],
    ["the first days after New Year's Day on a Saturday", '2027-12-31', '2028-01-03'],
    ['Martin Luther King Jr. Day', '2026-01-16', '2026-01-20'],
    ['Martin Luther King Jr. Day at its earliest', '2029-01-12', '2029-01-16'],
    ['Martin Luther King Jr. Day at its latest', '2030-01-18', '2030-01-22'],
    ["Presidents' Day", '2026-02-13', '2026-02-17'],
    ["Presidents' Day at its latest", '2028-02-18', '2028-02-22'],
    ['Memorial Day', '2026-05-22', '2026-05-26'],
    ['Memorial Day on the 31st', '2027-05-28', '2027-06-01'],
    ['Juneteenth', '2026-06-18', '2026-06-22'],
    ['Juneteenth on a Saturday', '2027-06-17', '2027-06-18'],
    ['Juneteenth on a Sunday', '2022-06-17', '2022-06-21'],
    ['Independence Day', '2025-07-03', '2025-07-07'],
    ['Independence Day on a Saturday', '2026-07-02', '2026-07-03'],
    ['Independence Day on a Sunday', '2027-07-02', '2027-07-06'],
    ['Labor Day', '2026-09-04', '2026-09-08'],
    ['Labor Day on the 1st', '2025-08-29', '2025-09-02'],
    ['Columbus Day', '2026-10-09', '2026-10-13'],
    ['Columbus Day at its latest', '2030-10-11', '2030-10-15'],
    ['Veterans Day', '2026-11-10', '2026-11-12'],
    ['Veterans Day on a Saturday', '2028-11-09', '2028-11-10'],
    ['Veterans Day on a Sunday', '2029-11-09', '2029-11-13'],
    ['Thanksgiving Day', '2026-11-25', '2026-11-27'],
    ['Thanksgiving Day at its earliest', '2029-11-21', '2029-11-23'],
    ['Christmas Day', '2026-12-24', '2026-12-28'],
    ['Christmas Day on a Saturday', '2027-12-23', '2027-12-24'],
    ['Christmas Day on a Sunday', '2022-12-23', '2022-12-27'],
  ])('skips %s: after %s comes %s', (_, date, next) => {
    expect(after(`${date}T17:00:00.000Z`)).toBe(next);
  });

  // Weekdays when the Reserve Banks are closed: https://www.richmondfed.org/about_us/holiday_schedule
  it.each([
    [2025, '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
    [2026, '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
  ])('in %i is every weekday on which the Reserve Banks are open', (year, closed) => {
    const noons = Array.from({ length: 365 }, (_, index) => Date.UTC(year, 0, 1, 17) + index * day);
    const open = new Set(noons.map((noon) => nextBankingDay(noon - day)));
    const weekdays = noons
      .filter((noon) => ![0, 6].includes(new Date(noon).getUTCDay()))
      .map((noon) => toIso(noon).slice(0, 10));
    expect(weekdays.filter((date) => !open.has(date))).toEqual(closed.split(' ').map((date) => `${year}-${date}`));
  });

  it('counts from today in New York, in winter and summer', () => {
    expect(after('2026-11-18T04:59:59.999Z')).toBe('2026-11-18');
    expect(after('2026-11-18T05:00:00.000Z')).toBe('2026-11-19');
    expect(after('2026-07-15T03:59:59.999Z')).toBe('2026-07-15');
    expect(after('2026-07-15T04:00:00.000Z')).toBe('2026-07-16');
    expect(after('2027-01-01T04:30:00.000Z')).toBe('2027-01-04');
  });
});

describe('an authorization', () => {
  it.each([
    ['a weekday', '2026-11-16T15:00:00.000Z', '2026-11-20T05:00:00.000Z'],
    ['a Friday before a holiday', '2026-11-20T15:00:00.000Z', '2026-11-26T05:00:00.000Z'],
    ['the day before a holiday', '2026-11-25T15:00:00.000Z', '2026-12-02T05:00:00.000Z'],
    ['an evening, which is the next day in UTC', '2026-11-17T04:30:00.000Z', '2026-11-20T05:00:00.000Z'],
  ])('of %s, %s, is good for three banking days, until %s', (_, authorizedAt, expiry) => {
    expect(toIso(authorizationExpiry(authorizedAt))).toBe(expiry);
  });
});
