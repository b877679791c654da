import * as z from 'zod/mini';

/** ISO 8601 in UTC with milliseconds: sorts by time as plain text. */
export const isoTime = z.iso.datetime({ precision: 3 });

/** The current time. Times are in milliseconds since 1970, durations in milliseconds, unless a name says otherwise. */
export type Clock = () => number;

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Formats milliseconds since 1970 as ISO 8601 in UTC. */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Converts milliseconds to whole seconds, for DynamoDB TTL and webhook timestamps. */
export function toEpochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / second);
}
