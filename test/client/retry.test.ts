import { describe, expect, it } from 'vitest';
import { PaymentConnectionError } from '../../web/client/index.ts';
import { retryWait } from '../../web/client/retry.ts';

const fault = new PaymentConnectionError('x');

describe('the wait before a retry', () => {
  it('doubles up to eight seconds, with full jitter', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7].map((attempt) => retryWait(fault, attempt, 1));
    expect(longest).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
    expect(retryWait(fault, 4, 0.5)).toBe(1000);
    expect(retryWait(fault, 4, 0)).toBe(0);
  });

  it('does not happen after an error in the program', () => {
    expect(retryWait(new TypeError('x'), 1, 1)).toBeUndefined();
  });
});
