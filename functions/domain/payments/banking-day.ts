import { daysIn } from '../time-zone.ts';
import { day, toIso } from '../time.ts';

/** The Reserve Banks use US Eastern time. */
export const easternDay = daysIn('America/New_York');

const fixedHolidays = ['01-01', '06-19', '07-04', '11-11', '12-25'];

const [sunday, monday, thursday, saturday] = [0, 1, 4, 6];

const floatingHolidays = [
  { name: 'Martin Luther King Jr. Day', month: 1, weekday: monday, from: 15 },
  { name: "Presidents' Day", month: 2, weekday: monday, from: 15 },
  { name: 'Memorial Day', month: 5, weekday: monday, from: 25 },
  { name: 'Labor Day', month: 9, weekday: monday, from: 1 },
  { name: 'Columbus Day', month: 10, weekday: monday, from: 8 },
  { name: 'Thanksgiving Day', month: 11, weekday: thursday, from: 22 },
];

export function nextBankingDay(time: number): string {
  let midnight = Date.parse(easternDay(time)) + day;
  while (!isBankingDay(midnight)) midnight += day;
  return toIso(midnight).slice(0, 10);
}

/** A Saturday holiday leaves Friday open; Sunday's closes Monday (frbservices.org, Holiday Schedules). */
function isBankingDay(midnight: number): boolean {
  const date = new Date(midnight);
  const [weekday, month, dayOfMonth] = [date.getUTCDay(), date.getUTCMonth() + 1, date.getUTCDate()];
  if (weekday === saturday || weekday === sunday) return false;
  if (
    floatingHolidays.some(
      (holiday) =>
        holiday.month === month &&
        holiday.weekday === weekday &&
        dayOfMonth >= holiday.from &&
        dayOfMonth < holiday.from + 7,
    )
  )
    return false;
  const observed = weekday === monday ? [midnight - day, midnight] : [midnight];
  return !observed.some((time) => fixedHolidays.includes(toIso(time).slice(5, 10)));
}
