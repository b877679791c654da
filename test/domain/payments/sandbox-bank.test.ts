import { describe, expect, it } from 'vitest';
import {
  connectionOf,
  debitStateOf,
  fateOf,
  outcomesIn,
  outcomesAt,
  refundedAt,
  refundTotalsOf,
  sandboxAccount,
  type SandboxUser,
} from '../../../functions/domain/payments/sandbox-bank.ts';
import { toIso } from '../../../functions/domain/time.ts';

const [submitted, delay] = [1_000_000, 3000];

/** The states of a debit, by milliseconds after its submission. */
function courseOf(user: SandboxUser, advanced?: readonly number[]) {
  const fate = fateOf(user);
  if (!fate) throw new Error('no fate');
  const debit = {
    submittedAt: toIso(submitted),
    ...(advanced && { advanced: advanced.map((after) => toIso(submitted + after)) }),
  };
  const at = (after: number) => outcomesAt(fate, debit, delay, submitted + after);
  return {
    state: (after: number) => debitStateOf(fate, at(after)),
    next: (after: number) => {
      const { times, happened } = at(after);
      return (times[happened] ?? Number.NaN) - submitted;
    },
  };
}

describe('the sandbox bank', () => {
  it('settles user_good after one delay', () => {
    const { state, next } = courseOf('user_good');
    expect(state(delay - 1)).toEqual({ state: 'pending' });
    expect(state(delay)).toMatchObject({ state: 'succeeded', at: toIso(submitted + delay) });
    expect([next(0), next(delay)]).toEqual([delay, Number.NaN]);
  });

  it.each([
    ['user_insufficient_funds', 'insufficient_funds', 'R01'],
    ['user_account_closed', 'account_closed', 'R02'],
    ['user_declined', 'bank_declined', undefined],
  ] as const)('fails the debit of %s: %s', (user, code, achReturnCode) => {
    const state = courseOf(user).state(delay);
    expect(state).toMatchObject({ state: 'failed', failure: { code } });
    if (state.state === 'failed') expect(state.failure.achReturnCode).toBe(achReturnCode);
  });

  it('returns the debit of user_late_return one delay after it settled', () => {
    const { state, next } = courseOf('user_late_return');
    expect(state(delay)).toMatchObject({ state: 'succeeded' });
    expect(next(delay)).toBe(2 * delay);
    expect(state(2 * delay)).toMatchObject({ state: 'returned', return: { code: 'insufficient_funds' } });
  });

  it('does not return a debit by itself if its settlement was advanced', () => {
    const { state, next } = courseOf('user_late_return', [10]);
    expect(state(1e9)).toMatchObject({ state: 'succeeded', at: toIso(submitted + 10) });
    expect(next(10)).toBe(Number.NaN);
    expect(courseOf('user_late_return', [10, 20]).state(20)).toMatchObject({ state: 'returned' });
  });

  it('does not revert an advanced outcome, even by a clock that is behind', () => {
    expect(courseOf('user_insufficient_funds', [10]).state(0)).toMatchObject({ state: 'failed' });
    expect(courseOf('user_late_return', [10, 20]).state(0)).toMatchObject({ state: 'returned' });
  });

  it('counts the outcomes that led to a state', () => {
    const { state } = courseOf('user_late_return');
    expect([0, delay, 2 * delay].map((after) => outcomesIn(state(after)))).toEqual([0, 1, 2]);
    expect(outcomesIn(courseOf('user_declined').state(delay))).toBe(1);
    expect(outcomesIn({ state: 'voided' })).toBe(0);
  });

  it.each(['user_stuck', 'user_sent'] as const)('reports no outcome of %s by itself', (user) => {
    const { state, next } = courseOf(user);
    expect(state(1e9)).toEqual({ state: 'pending' });
    expect(next(0)).toBe(Number.NaN);
  });

  it('reports that user_sent paid once it is advanced, and then nothing more', () => {
    const { state, next } = courseOf('user_sent', [10]);
    expect(state(1e9)).toMatchObject({ state: 'succeeded', at: toIso(submitted + 10) });
    expect(next(10)).toBe(Number.NaN);
  });

  it('connects neither user_bad nor user_bank_down, for different reasons', () => {
    expect(connectionOf('user_bad')).toEqual({ connects: false, unavailable: false });
    expect(connectionOf('user_bank_down')).toEqual({ connects: false, unavailable: true });
  });

  it('gives each user one account', () => {
    expect(sandboxAccount('user_good')).toEqual(sandboxAccount('user_good'));
    expect(sandboxAccount('user_good').last4).toMatch(/^\d{4}$/);
    expect(sandboxAccount('user_good').last4).not.toBe(sandboxAccount('user_declined').last4);
  });
});

describe('a refund in the sandbox', () => {
  const refund = (amountCents: number, after: number) => ({
    refundId: `ref_${after}`,
    amountCents,
    createdAt: toIso(submitted + after),
  });

  it('arrives one delay after it was made', () => {
    const refunds = [refund(300, 0)];
    expect(refundedAt(refunds[0]!, delay)).toBe(submitted + delay);
    const onItsWay = { amountCents: 300, pendingCents: 300, status: 'pending' };
    expect(refundTotalsOf(refunds, delay, submitted + delay - 1)).toEqual(onItsWay);
    expect(refundTotalsOf(refunds, delay, submitted + delay)).toEqual({ amountCents: 300, status: 'succeeded' });
  });

  it('adds to the one before it', () => {
    const totals = refundTotalsOf([refund(300, 0), refund(50, 1)], delay, submitted + delay);
    expect(totals).toEqual({ amountCents: 350, pendingCents: 50, status: 'pending' });
  });

  it('is none until it is made', () => {
    expect(refundTotalsOf(undefined, delay, submitted)).toBeUndefined();
  });
});
