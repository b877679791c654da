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

it('is read from an older payment that stores it as JSON', () => {
  const older = JSON.stringify(['direct', 'acct_1', 'cus_1', 'pm_1', 'LAKESIDE FAMILY PRACTICE']);
  expect(readAccount(older)).toEqual(account);
});

it('is refused if it is not a Stripe account', () => {
  for (const other of ['user_good', '["direct","acct_1"]', ''])
    expect(() => readAccount(other)).toThrow('not a Stripe account');
});
