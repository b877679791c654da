import * as z from 'zod/mini';

/** A moment as our API, tables and events write it: ISO 8601, UTC, milliseconds, so that text order is time order. */
export const isoTime = z.iso.datetime({ precision: 3 });

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Writes a time in milliseconds since 1970 as ISO 8601 in UTC. */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Seconds since 1970, as DynamoDB's time to live and webhook timestamps count. */
export function toEpochSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / second);
}
