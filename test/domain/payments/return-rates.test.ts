import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../functions/domain/payments/debit.ts';
import { returnRatesOf } from '../../../functions/domain/payments/return-rates.ts';

const paid = {};
const failed = (code: Failure['code'], achReturnCode?: string) => ({
  failure: { code, message: 'x', ...(achReturnCode !== undefined && { achReturnCode }) },
});
const returns = (...debits: Parameters<typeof returnRatesOf>[0]) =>
  Object.fromEntries(returnRatesOf(debits).rates.map((each) => [each.kind, each.returns]));

describe('the return rates', () => {
  it('are shares of all debits', () => {
    const { rates } = returnRatesOf([failed('account_closed', 'R02'), ...Array.from({ length: 49 }, () => paid)]);
    expect(rates.map(({ kind, rate }) => [kind, rate])).toEqual([
      ['unauthorized', 0],
      ['administrative', 0.02],
      ['overall', 0.02],
    ]);
  });

  it("are compared with Nacha's ceilings", () => {
    expect(returnRatesOf([]).rates.map(({ rate, ceiling }) => [rate, ceiling])).toEqual([
      [0, 0.005],
      [0, 0.03],
      [0, 0.15],
    ]);
  });

  it.each([
    ['R10', { unauthorized: 1, administrative: 0, overall: 1 }],
    ['R03', { unauthorized: 0, administrative: 1, overall: 1 }],
    ['R01', { unauthorized: 0, administrative: 0, overall: 1 }],
  ])('count the code %s by its kind, whatever we call it', (code, counted) => {
    expect(returns(failed('bank_declined', code))).toEqual(counted);
  });

  it('count late returns without a code by their reason', () => {
    const late = { return: { code: 'debit_not_authorized', returnedAt: '2026-11-20T10:00:00.000Z' } } as const;
    expect(returns(late, paid)).toEqual({ unauthorized: 1, administrative: 0, overall: 1 });
  });

  it.each(['account_closed', 'account_not_found'] as const)('count %s without a code as administrative', (code) => {
    expect(returns(failed(code), failed('bank_declined'))).toEqual({ unauthorized: 0, administrative: 1, overall: 2 });
  });

  it('count what the bank returned, even if the processor says only that it failed', () => {
    expect(returnRatesOf([failed('processor_error', 'R17')])).toMatchObject({ debits: 1 });
    expect(returns(failed('processor_error', 'R17'))).toMatchObject({ overall: 1 });
  });

  it.each([
    'account_unusable',
    'account_frozen',
    'practice_account_restricted',
    'processor_limit_exceeded',
    'authorization_invalid',
    'authorization_expired',
  ] as const)('leave out %s, with which no bank saw the debit', (code) => {
    expect(returnRatesOf([failed(code), paid])).toMatchObject({ debits: 1 });
    expect(returns(failed(code), paid)).toMatchObject({ overall: 0 });
  });

  it('are shares of the debits without those that failed at the processor', () => {
    const times = <Debit>(count: number, debit: Debit) => Array.from({ length: count }, () => debit);
    const authorized = [
      ...times(40, failed('processor_error')),
      ...times(9, failed('insufficient_funds', 'R01')),
      ...times(51, paid),
    ];
    const { rates, debits } = returnRatesOf(authorized);
    expect(debits).toBe(60);
    expect(rates).toMatchObject([
      { kind: 'unauthorized', returns: 0, rate: 0 },
      { kind: 'administrative', returns: 0, rate: 0 },
      { kind: 'overall', returns: 9, rate: 0.15 },
    ]);
  });
});
