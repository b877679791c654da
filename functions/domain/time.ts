import * as z from 'zod/mini';

export const isoTime = z.iso.datetime({ precision: 3 });

/** A time from a caller, at any offset from UTC, with or without milliseconds. Parsed, it is as exact as `isoTime` and in UTC. */
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
