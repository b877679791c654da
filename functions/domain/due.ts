import { minute, toIso } from './time.ts';

const shards = 8;

/** How long the sweep leaves a row alone for which a ticket or an event is under way. */
export const ticketGrace = 2 * minute;

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
