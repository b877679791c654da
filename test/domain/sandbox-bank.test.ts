import { describe, expect, it } from 'vitest';
import {
  connectionOf,
  debitStateAt,
  fateOf,
  nextOutcomeAt,
  sandboxAccount,
} from '../../functions/domain/sandbox-bank.ts';

const [submitted, delay] = [1_000_000, 3000];

function fate(user: Parameters<typeof fateOf>[0]) {
  const found = fateOf(user);
  if (!found) throw new Error('no fate');
  return found;
}

describe('the sandbox bank', () => {
  it('settles user_good after one delay', () => {
    expect(debitStateAt(fate('user_good'), submitted, delay, submitted + delay - 1)).toEqual({ state: 'pending' });
    expect(debitStateAt(fate('user_good'), submitted, delay, submitted + delay)).toMatchObject({ state: 'succeeded' });
    expect(nextOutcomeAt(fate('user_good'), submitted, delay, submitted)).toBe(submitted + delay);
    expect(nextOutcomeAt(fate('user_good'), submitted, delay, submitted + delay)).toBeUndefined();
  });

  it.each([
    ['user_insufficient_funds', 'insufficient_funds', 'R01'],
    ['user_account_closed', 'account_closed', 'R02'],
    ['user_declined', 'bank_declined', undefined],
  ] as const)('fails the debit of %s: %s', (user, code, achReturnCode) => {
    const state = debitStateAt(fate(user), submitted, delay, submitted + delay);
    expect(state).toMatchObject({ state: 'failed', failure: { code } });
    if (state.state === 'failed') expect(state.failure.achReturnCode).toBe(achReturnCode);
  });

  it('returns the debit of user_late_return one delay after it settled', () => {
    expect(debitStateAt(fate('user_late_return'), submitted, delay, submitted + delay)).toMatchObject({
      state: 'succeeded',
    });
    expect(nextOutcomeAt(fate('user_late_return'), submitted, delay, submitted + delay)).toBe(submitted + 2 * delay);
    expect(debitStateAt(fate('user_late_return'), submitted, delay, submitted + 2 * delay)).toMatchObject({
      state: 'returned',
      return: { code: 'insufficient_funds' },
    });
  });

  it.each(['user_stuck', 'user_sent'] as const)('never reports an outcome of %s', (user) => {
    expect(debitStateAt(fate(user), submitted, delay, submitted + 1e9)).toEqual({ state: 'pending' });
    expect(nextOutcomeAt(fate(user), submitted, delay, submitted)).toBeUndefined();
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
