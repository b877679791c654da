/** What each test bank user simulates. An unknown user is described by its scenario. */
const simulated: Readonly<Record<string, string>> = {
  user_good: 'The payment succeeds.',
  user_bad: 'The bank refuses the password.',
  user_bank_down: 'The bank cannot be reached.',
  user_insufficient_funds: 'The payment fails: not enough money in the account (R01).',
  user_account_closed: 'The payment fails: the account is closed (R02).',
  user_declined: 'The payment fails: the bank declines the debit.',
  user_processor_error: 'The payment fails: the payment processor refuses the debit.',
  user_stuck: 'The payment stays in processing. It can be cancelled.',
  user_sent: 'The payment stays in processing. It is too late to cancel it.',
  user_late_return: 'The payment succeeds, and the bank returns it later (R01).',
};

export function simulates({ username, scenario }: { readonly username: string; readonly scenario: string }): string {
  return simulated[username] ?? scenario.replaceAll('_', ' ');
}
