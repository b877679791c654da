import { hour, minute, toIso } from './time.ts';

const shards = 8;

/** How long the sweep leaves a row alone for which a ticket or an event is under way. */
export const ticketGrace = 2 * minute;

const longestSweepWait = 6 * hour;

/** Milliseconds after which a row is stuck that the sweep has taken again and again. */
export const stuckAfter = 1 * hour;

/**
 * Milliseconds until the sweep takes a row again that it has taken `times` times (1, 2, …) without anything coming of it: two minutes, then twice
 * as long each time, at most six hours. So what fails on our side costs little, and once that is mended waits about as long again at most.
 */
export function sweepWait(times: number): number {
  return Math.min(ticketGrace * 2 ** (times - 1), longestSweepWait);
}

/** The rows that the sweep looks for, by what is to be done with them when their time has come. */
export type DueWork = 'expiry' | 'debit' | 'cancellation' | 'dispatch' | 'delivery' | 'outcome';

function shardOf(key: string): number {
  let hash = 0;
  for (const character of key) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % shards;
}

/** The attributes that put a row into its table's sparse due index; several shards, so that no partition runs hot. */
export function due(work: DueWork, key: string, at: number): { dueShard: string; dueAt: string } {
  return { dueShard: `${work}#${shardOf(key)}`, dueAt: toIso(at) };
}

export function dueShards(work: DueWork): string[] {
  return Array.from({ length: shards }, (_, shard) => `${work}#${shard}`);
}
