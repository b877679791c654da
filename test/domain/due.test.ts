import { describe, expect, it } from 'vitest';
import { due, dueShards, sweepWait } from '../../functions/domain/due.ts';

const hours = (count: number) => count * 3_600_000;

describe('due work', () => {
  it('is left alone by the sweep for 2 minutes, then twice as long each time, at most 6 hours', () => {
    expect([1, 2, 3, 7, 8, 9, 50].map(sweepWait)).toEqual(
      [2, 4, 8, 128, 256, 360, 360].map((minutes) => minutes * 60_000),
    );
    expect(sweepWait(50)).toBe(hours(6));
  });

  it('is spread over the eight shards of its duty, always the same for a row', () => {
    const shards = dueShards('delivery');
    expect(shards).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((shard) => `delivery#${shard}`));
    const at = Date.parse('2026-11-20T10:00:00.000Z');
    const used = Array.from({ length: 200 }, (_, index) => due('delivery', `evt_${index}`, at).dueShard);
    expect(new Set(used)).toEqual(new Set(shards));
    expect(due('expiry', 'ses_1', at)).toEqual(due('expiry', 'ses_1', at));
    expect(due('expiry', 'ses_1', at).dueAt).toBe('2026-11-20T10:00:00.000Z');
  });
});
