import { expect, it } from 'vitest';
import { readAccount, writeAccount } from '../../../functions/processors/stripe/account.ts';

const account = {
  deposit: { chargeType: 'direct', account: 'acct_1' },
  customer: 'cus_1',
  paymentMethod: 'pm_1',
  statementDescriptor: 'LAKESIDE FAMILY PRACTICE',
} as const;

it('is read as it was written', () => {
  expect(readAccount(writeAccount(account))).toEqual(account);
});

it('is read from a payment that began before accounts were of words, or its debit would never be made', () => {
  const older = JSON.stringify(['direct', 'acct_1', 'cus_1', 'pm_1', 'LAKESIDE FAMILY PRACTICE']);
  expect(readAccount(older)).toEqual(account);
});

it('is refused if it is not of Stripe', () => {
  for (const other of ['user_good', '["direct","acct_1"]', ''])
    expect(() => readAccount(other)).toThrow('not of Stripe');
});
