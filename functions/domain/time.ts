import * as z from 'zod/mini';

export const isoTime = z.iso.datetime({ precision: 3 });

/** A time from a caller, with or without milliseconds. */
export const givenTime = z.iso.datetime();

/** Times are milliseconds since 1970, durations milliseconds, unless a name says otherwise. */
export type Clock = () => number;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export function toEpochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / second);
}
