import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { debitWait, webhookWait } from '../../../functions/domain/webhooks/retry-schedule.ts';

describe('the schedule of webhook attempts', () => {
  // https://github.com/frain-dev/convoy/issues/2110: each wait was one step behind.
  it('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, and ends after the tenth attempt', () => {
    const waits = Array.from({ length: 10 }, (_, index) => webhookWait(index + 1, 0));
    expect(waits).toEqual(
      [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
        .map((seconds) => seconds * 1000)
        .concat([undefined] as never[]),
    );
  });

  it('takes 75 h 35 min 5 s without jitter', () => {
    const total = [1, 2, 3, 4, 5, 6, 7, 8, 9].reduce((sum, attempt) => sum + (webhookWait(attempt, 0) ?? 0), 0);
    expect(total).toBe(272_105_000);
  });

  it.each([
    [1, 1],
    [2, 15],
    [3, 90],
    [4, 360],
    [5, 450],
    [9, 450],
  ])('after attempt %i adds %i s of jitter for a random number in the middle', (attempt, seconds) => {
    expect((webhookWait(attempt, 0.5) ?? 0) - (webhookWait(attempt, 0) ?? 0)).toBe(seconds * 1000);
  });

  it('adds jitter of at most a tenth, but up to 2 s and never over 15 minutes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, random) => {
          const base = webhookWait(attempt, 0) ?? 0;
          const jitter = (webhookWait(attempt, random) ?? 0) - base;
          expect(jitter).toBeGreaterThanOrEqual(0);
          expect(jitter).toBeLessThanOrEqual(Math.min(Math.max(2000, base / 10), 900_000));
        },
      ),
    );
  });
});

describe('the schedule of unknown debits', () => {
  it('waits 30 s, 2 min, 10 min and then an hour each time', () => {
    expect([1, 2, 3, 4, 5, 50].map(debitWait)).toEqual([30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000]);
  });
});
