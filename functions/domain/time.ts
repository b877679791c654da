import * as z from 'zod/mini';

export const isoTime = z.iso.datetime({ precision: 3 });

/** A time from a caller, at any offset from UTC, with or without milliseconds. Parsed into UTC, in the format of `isoTime`. */
export const givenTime = z.iso.datetime({ offset: true, abort: true }).check(z.overwrite(inUtc));

/** Times are milliseconds since 1970, durations milliseconds, unless a name says otherwise. */
export type Clock = () => number;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** An offset can lead to a year of five digits or a negative one, whose text does not sort like its time. */
function inUtc(time: string): string {
  const last = Date.parse('9999-12-31T23:59:59.999Z');
  return toIso(Math.min(Math.max(Date.parse(time), 0), last));
}

export function toEpochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / second);
}

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

/** From 0 to 23. */
export function hourIn(timeZone: string, time: number): number {
  return Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(time));
}

/** The last `count` days, oldest first. Days are dates, so clock changes do not matter. */
export function daysUntil(today: string, count: number): string[] {
  const midnight = Date.parse(today);
  return Array.from({ length: count }, (_, index) => toIso(midnight - (count - 1 - index) * day).slice(0, 10));
}
