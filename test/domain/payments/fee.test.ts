import { expect, it } from 'vitest';
import { applicationFee, feeTermsOf, leastAmount } from '../../../functions/domain/payments/debit.ts';

it('without terms the operator takes nothing', () => {
  expect(feeTermsOf({})).toEqual({ cents: 0, basisPoints: 0 });
  expect(applicationFee(feeTermsOf({}), 99_999_999)).toBe(0);
});

it.each([
  ['nothing', {}, 1],
  ['30 cents', { applicationFeeCents: 30 }, 31],
  ['half', { applicationFeeBasisPoints: 5_000 }, 2],
  ['30 cents and half', { applicationFeeCents: 30, applicationFeeBasisPoints: 5_000 }, 62],
])('the least amount of an operator who takes %s leaves the practice a cent', (_, fees, least) => {
  const terms = feeTermsOf(fees);
  expect(leastAmount(terms)).toBe(least);
  expect(least - applicationFee(terms, least)).toBe(1);
  expect(applicationFee(terms, least - 1)).toBe(least - 1);
});
