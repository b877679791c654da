import * as z from 'zod/mini';
import { hour, isoTime, minute, toIso } from './time.ts';

const shards = 8;

/** How long the sweep waits for a row's ticket or event to do the work first, in milliseconds. */
export const ticketGrace = 2 * minute;

const maximumSweepWait = 6 * hour;

/** How long a row can stay overdue before it counts as stuck, in milliseconds. */
export const stuckAfter = 1 * hour;

/** Milliseconds to the sweep's next retry after `times` runs: exponential backoff, from 2 minutes to 6 hours. */
export function sweepWait(times: number): number {
  return Math.min(ticketGrace * 2 ** (times - 1), maximumSweepWait);
}

export type DutyName = 'expiry' | 'debit' | 'cancellation' | 'dispatch' | 'delivery' | 'outcome';

/** The attributes that put a row into its table's sparse due index, sharded to avoid a hot partition. */
export function due(duty: DutyName, key: string, at: number): { dueShard: string; dueAt: string } {
  return { dueShard: `${duty}#${shardOf(key)}`, dueAt: toIso(at) };
}

export function dueShards(duty: DutyName): string[] {
  return Array.from({ length: shards }, (_, shard) => `${duty}#${shard}`);
}

/** The sweep's mark on a row that it takes. While `dueAt` is still the row's own, the row has made no progress. */
export const taken = z.object({
  dueAt: z.string(),
  /** When the row was due before it was first taken. */
  firstDueAt: isoTime,
  /** How often it was taken since. */
  times: z.int(),
});
export type Taken = z.infer<typeof taken>;

function shardOf(key: string): number {
  let hash = 0;
  for (const character of key) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % shards;
}
