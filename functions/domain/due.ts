import * as z from 'zod/mini';
import { hour, isoTime, minute, toIso } from './time.ts';

const shards = 8;

/** How long the sweep waits for a ticket or event to do the work. */
export const ticketGrace = 2 * minute;

const maximumSweepWait = 6 * hour;

export const stuckAfter = 1 * hour;

export function sweepWait(times: number): number {
  return Math.min(ticketGrace * 2 ** (times - 1), maximumSweepWait);
}

export type DutyName =
  | 'expiry'
  | 'debit'
  | 'cancellation'
  | 'refund'
  | 'dispatch'
  | 'delivery'
  | 'outcome'
  | 'notification';

export function due(duty: DutyName, key: string, at: number): { dueShard: string; dueAt: string } {
  return { dueShard: `${duty}#${shardOf(key)}`, dueAt: toIso(at) };
}

export function dueShards(duty: DutyName): string[] {
  return Array.from({ length: shards }, (_, shard) => `${duty}#${shard}`);
}

export const sweepMark = z.object({
  /** As the sweep set it. If the row's own `dueAt` has changed since, the mark no longer counts. */
  dueAt: z.string(),
  firstDueAt: isoTime,
  times: z.int(),
});
export type SweepMark = z.infer<typeof sweepMark>;

function shardOf(key: string): number {
  let hash = 0;
  for (const character of key) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % shards;
}
