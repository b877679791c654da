import { day, toIso } from './time.ts';

/** New Year's Day, Juneteenth, Independence Day, Veterans Day and Christmas Day, as month and day. */
const fixedHolidays = ['01-01', '06-19', '07-04', '11-11', '12-25'];

const [sunday, monday, thursday, saturday] = [0, 1, 4, 6];

/** The others, each a weekday of a week of its month that begins with the `from`th. */
const floatingHolidays = [
  { name: 'Martin Luther King Jr. Day', month: 1, weekday: monday, from: 15 },
  { name: "Presidents' Day", month: 2, weekday: monday, from: 15 },
  { name: 'Memorial Day', month: 5, weekday: monday, from: 25 },
  { name: 'Labor Day', month: 9, weekday: monday, from: 1 },
  { name: 'Columbus Day', month: 10, weekday: monday, from: 8 },
  { name: 'Thanksgiving Day', month: 11, weekday: thursday, from: 22 },
];

/**
 * Whether the Federal Reserve Banks settle on the day that begins at `midnight` in UTC. A holiday on a Saturday leaves Friday open; one on a Sunday
 * closes Monday. Source: frbservices.org, "Federal Reserve Bank Holiday Schedules", and richmondfed.org/about_us/holiday_schedule.
 */
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

/** The calendar day that it is in US Eastern time, which the Reserve Banks keep; Canada writes dates as ISO 8601 does. */
function easternDay(time: number): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: 'America/New_York',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(time);
}

/** The first banking day after the US Eastern day that `time`, in milliseconds since 1970, falls on: `YYYY-MM-DD`. */
export function nextBankingDay(time: number): string {
  let midnight = Date.parse(easternDay(time)) + day;
  while (!isBankingDay(midnight)) midnight += day;
  return toIso(midnight).slice(0, 10);
}
