import { day, toIso } from './time.ts';

export const defaultTimeZone = 'America/New_York';

/** Intl also takes offsets such as +05:00, which know no summer time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Writes days like 2026-11-20, as the en-CA locale does. Keep the result: making it is slow. */
export function daysIn(timeZone: string): (time: number) => string {
  // Made on first use: it takes ten milliseconds, which a cold start need not spend.
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
