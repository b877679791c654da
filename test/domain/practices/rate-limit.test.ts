import { describe, expect, it } from 'vitest';
import {
  blockOf,
  limitHeader,
  policyHeader,
  quotaOf,
  windowEnd,
} from '../../../functions/domain/practices/rate-limit.ts';

describe('the rate limit', () => {
  it('admits ten seconds of requests in each ten seconds', () => {
    expect(quotaOf(100)).toBe(1000);
    expect(policyHeader(1000)).toBe('"practice";q=1000;w=10');
    expect(limitHeader(3, 7)).toBe('"practice";r=3;t=7');
    const start = Date.parse('2026-11-20T15:00:00.000Z');
    expect([0, 1, 9_999, 10_000].map((after) => windowEnd(start + after) - start)).toEqual([
      10_000, 10_000, 10_000, 20_000,
    ]);
  });

  it('gives an environment a fiftieth of it at once, from 1 to 20 requests', () => {
    expect([10, 99, 100, 500, 1000, 9000].map(blockOf)).toEqual([1, 1, 2, 10, 20, 20]);
  });
});
