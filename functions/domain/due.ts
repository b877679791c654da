import { hour, minute, toIso } from './time.ts';

const shards = 8;

/** How long the sweep waits for a row's ticket or event to do the work first, in milliseconds. */
export const ticketGrace = 2 * minute;

const longestSweepWait = 6 * hour;

/** How long a row can stay overdue before it counts as stuck, in milliseconds. */
export const stuckAfter = 1 * hour;

/** Milliseconds to the sweep's next retry after `times` runs: exponential backoff, from 2 minutes to 6 hours. */
export function sweepWait(times: number): number {
  return Math.min(ticketGrace * 2 ** (times - 1), longestSweepWait);
}

/** The kinds of work that the sweep retries. */
export type DueWork = 'expiry' | 'debit' | 'cancellation' | 'dispatch' | 'delivery' | 'outcome';

/** The attributes that put a row into its table's sparse due index, sharded to avoid a hot partition. */
export function due(work: DueWork, key: string, at: number): { dueShard: string; dueAt: string } {
  return { dueShard: `${work}#${shardOf(key)}`, dueAt: toIso(at) };
}

export function dueShards(work: DueWork): string[] {
  return Array.from({ length: shards }, (_, shard) => `${work}#${shard}`);
}

function shardOf(key: string): number {
  let hash = 0;
  for (const character of key) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % shards;
}
