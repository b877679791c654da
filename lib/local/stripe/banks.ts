import type { Outcome } from './records.ts';

interface TestBank {
  readonly id: string;
  readonly name: string;
  /** What the picker says about it. */
  readonly does: string;
  /** None: no account can be connected. */
  readonly outcome: Outcome | undefined;
}

export const testBanks: readonly TestBank[] = [
  { id: 'success', name: 'Test Bank', does: 'pays', outcome: 'success' },
  { id: 'insufficient_funds', name: 'Empty Bank', does: 'fails: insufficient funds', outcome: 'insufficient_funds' },
  { id: 'account_closed', name: 'Closed Bank', does: 'fails: account closed', outcome: 'account_closed' },
  {
    id: 'debit_not_authorized',
    name: 'Refusing Bank',
    does: 'fails: debit not authorized',
    outcome: 'debit_not_authorized',
  },
  { id: 'processor_error', name: 'Broken Bank', does: 'fails: processor error', outcome: 'processor_error' },
  { id: 'account_unusable', name: 'Blocked Bank', does: 'is refused at once', outcome: 'account_unusable' },
  {
    id: 'unconfirmable',
    name: 'Puzzled Bank',
    does: 'makes Stripe call the request invalid',
    outcome: 'unconfirmable',
  },
  { id: 'over_limit', name: 'Thrifty Bank', does: 'is over a limit of Stripe', outcome: 'over_limit' },
  { id: 'needs_deposits', name: 'Doubting Bank', does: 'wants test deposits first', outcome: 'needs_deposits' },
  { id: 'stays_processing', name: 'Slow Bank', does: 'stays processing, can be canceled', outcome: 'stays_processing' },
  {
    id: 'cancel_refused',
    name: 'Stubborn Bank',
    does: 'stays processing, cannot be canceled',
    outcome: 'cancel_refused',
  },
  { id: 'late_return', name: 'Second-Thoughts Bank', does: 'pays, then takes it back', outcome: 'late_return' },
  { id: 'bank_down', name: 'Sleeping Bank', does: 'is down', outcome: undefined },
];
