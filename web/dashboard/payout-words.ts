import type { Statement } from '../../functions/contract/payments/dashboard-payouts.ts';

type Payout = Statement['payouts'][number];

const reasons: Readonly<Record<string, string>> = {
  account_closed: 'The bank account is closed.',
  account_frozen: 'The bank account is frozen.',
  bank_account_restricted: 'The bank account does not take deposits of this kind.',
  debit_not_authorized: 'The bank account does not take deposits of this kind.',
  declined: 'The bank declined it.',
  incorrect_account_holder_name: 'The name of the account holder is wrong.',
  invalid_account_number: 'The account number is invalid.',
  no_account: 'The bank has no such account.',
};

/** Why a payout failed, by Stripe's code. */
export function failureReason({ failureCode = '' }: Pick<Payout, 'failureCode'>): string {
  return reasons[failureCode] ?? 'The bank sent it back.';
}
