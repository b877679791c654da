import { describe, expect, it } from 'vitest';
import {
  claimAfterRefund,
  givenBack,
  hasRefund,
  isNothing,
  nextRefundStep,
  withPending,
  type RefundTotals,
} from '../../../functions/domain/payments/refund.ts';

const pending = { amountCents: 300, pendingCents: 300, status: 'pending' } as const;
const succeeded = { amountCents: 300, status: 'succeeded' } as const;
const failed = { amountCents: 0, status: 'failed', failedCents: 300 } as const;

describe('a refund that is on its way', () => {
  it('adds to what was given back before, and has not arrived', () => {
    expect(withPending(undefined, 300)).toEqual(pending);
    const second = withPending({ ...succeeded, failedCents: 7 }, 50);
    expect(second).toEqual({ amountCents: 350, pendingCents: 50, status: 'pending', failedCents: 7 });
    expect(withPending(second, 1)).toMatchObject({ amountCents: 351, pendingCents: 51 });
    expect([undefined, pending, succeeded, second].map(givenBack)).toEqual([0, 0, 300, 300]);
  });
});

it('a session has a refund from the first cent, but not because of one that failed', () => {
  expect([undefined, failed, { amountCents: 1 }, pending].map(hasRefund)).toEqual([false, false, true, true]);
});

it('totals say nothing if nothing was refunded and nothing failed', () => {
  expect([{ amountCents: 0 }, failed, succeeded].map(isNothing)).toEqual([true, false, false]);
});

describe('what the processor says of refunds', () => {
  const both = { amountCents: 350, status: 'succeeded' } as const;

  it.each<[string, RefundTotals | undefined, RefundTotals | undefined]>([
    ['neither has any', undefined, undefined],
    ['the processor has none and the session had nothing', { amountCents: 0 }, undefined],
    ['nothing is left of a refund, whatever its status', { amountCents: 0 }, { amountCents: 0, status: 'failed' }],
    ['it is on its way', pending, pending],
    ['it arrived', succeeded, succeeded],
    ['it failed', failed, failed],
    ['the processor does not name the status', succeeded, { amountCents: 300 }],
  ])('changes nothing if %s', (_, known, found) => {
    expect(nextRefundStep(known, found)).toBeUndefined();
  });

  it.each<[string, RefundTotals | undefined, RefundTotals]>([
    ['one that nobody asked us for arrived', undefined, succeeded],
    ['it was on its way', pending, succeeded],
    ['a second one arrived', succeeded, both],
    ['a part of it arrived', pending, { amountCents: 300, pendingCents: 299, status: 'pending' }],
  ])('is an event for the practice if %s', (_, known, found) => {
    expect(nextRefundStep(known, found)).toEqual({ event: 'refund', totals: found });
  });

  it('is an event of its own if the bank did not take a refund, and then once', () => {
    expect(nextRefundStep(pending, failed)).toEqual({ event: 'failRefund', totals: failed });
    expect(nextRefundStep(undefined, failed)).toEqual({ event: 'failRefund', totals: failed });
    const more = { ...failed, failedCents: 301 };
    expect(nextRefundStep(failed, more)).toEqual({ event: 'failRefund', totals: more });
  });

  it('is two events if one refund arrived and another failed: the failure comes second', () => {
    const found = { amountCents: 300, status: 'failed', failedCents: 50 } as const;
    const first = nextRefundStep(undefined, found);
    expect(first).toEqual({ event: 'refund', totals: { amountCents: 300, status: 'failed' } });
    expect(nextRefundStep(first?.totals, found)).toEqual({ event: 'failRefund', totals: found });
    const next = { ...found, amountCents: 301 };
    expect(nextRefundStep(found, next)).toEqual({ event: 'refund', totals: next });
  });

  it.each<[string, RefundTotals | undefined, RefundTotals]>([
    ['on its way', undefined, pending],
    ['on its way in a larger part', { ...pending, pendingCents: 299 }, pending],
    ['on its way again', failed, { ...failed, amountCents: 300, pendingCents: 300 }],
    ['smaller than the session says', succeeded, { ...succeeded, amountCents: 299 }],
    ['known by another status', succeeded, { ...succeeded, status: 'pending' }],
    ['no longer counted as failed', failed, { ...failed, failedCents: 299 }],
    ['larger by what is on its way', succeeded, { ...succeeded, amountCents: 301, pendingCents: 1 }],
  ])('is stored without an event if a refund is %s', (_, known, found) => {
    expect(nextRefundStep(known, found)).toEqual({ event: undefined, totals: found });
  });
});

describe("a session's invoice after a refund", () => {
  const whole = { amountCents: 100 };
  const claiming = { amountCents: 100, claimsInvoice: true };
  const released = { amountCents: 100, claimsInvoice: false, refundReleased: true };

  it.each([
    ['is released once everything was given back', claiming, whole, 'release'],
    ['is kept after a part', claiming, { amountCents: 99 }, 'keep'],
    ['is kept while a part is on its way', claiming, { amountCents: 100, pendingCents: 1 }, 'keep'],
    ['is not released twice', released, whole, 'keep'],
    ['is claimed again if a refund that released it failed', released, { amountCents: 0, failedCents: 100 }, 'claim'],
    ['is not claimed again after a return', { ...released, return: {} }, { amountCents: 0 }, 'keep'],
    ['is not claimed by a session that never claimed it', { amountCents: 100 }, { amountCents: 0 }, 'keep'],
    ['is not released by a session that never claimed it', { amountCents: 100 }, whole, 'keep'],
  ] as const)('%s', (_, session, totals, next) => {
    expect(claimAfterRefund(session, totals)).toBe(next);
  });
});
