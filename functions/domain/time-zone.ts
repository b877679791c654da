import { day, toIso } from './time.ts';

export const defaultTimeZone = 'America/New_York';

/** Rejects offsets such as +05:00, which Intl accepts: they have no daylight saving time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Returns a function that formats days like 2026-11-20. Reuse it: the formatter is slow to create. */
export function daysIn(timeZone: string): (time: number) => string {
  // Created on first use, because it would add ten milliseconds to a cold start.
  let format: Intl.DateTimeFormat | undefined;
  return (time) => {
    format ??= new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    return format.format(time);
  };
}

/** The last `count` days, oldest first. Days are dates, so clock changes do not matter. */
export function daysUntil(today: string, count: number): string[] {
  const midnight = Date.parse(today);
  return Array.from({ length: count }, (_, index) => toIso(midnight - (count - 1 - index) * day).slice(0, 10));
}
