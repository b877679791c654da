import type { BalanceTransaction, Charge, StripeEvent } from './records.ts';
import { newId, type Owner, type State } from './state.ts';

export interface Ledger {
  readonly state: State;
  /** Milliseconds until a bank answers. */
  readonly outcomeDelay: number;
  /** Milliseconds from the first money to a payout. By default, there are no payouts. */
  readonly payoutDelay?: number | undefined;
  /** Records an event about an object as it is now. */
  record(owner: Owner, type: string, object: StripeEvent['data']['object']): void;
}

/** In cents: 0.8%, at most $5. */
export function feeOf(amount: number): number {
  return Math.min(Math.round(amount * 0.008), 500);
}

/** Money from a debit that the bank has not answered yet. No payout includes it. */
export function isProcessing({ state }: Ledger, owner: Owner, { source }: Pick<BalanceTransaction, 'source'>): boolean {
  return state.charges.find(owner, source ?? '')?.status === 'pending';
}

/** In cents. Only money that the banks have not answered for is pending. */
export function balancesOf(ledger: Ledger, owner: Owner): { available: number; pending: number } {
  const bookings = ledger.state.balanceTransactions.list(owner);
  const pending = sum(bookings.filter((each) => isProcessing(ledger, owner, each)));
  return { available: sum(bookings) - pending, pending };
}

function sum(bookings: readonly BalanceTransaction[]): number {
  return bookings.reduce((total, { net }) => total + net, 0);
}

/** In cents, including what is not available yet. */
export function balanceOf({ state }: Ledger, owner: Owner): number {
  return sum(state.balanceTransactions.list(owner));
}

export const payoutTask = 'payout';
const daysUntilAvailable = 4;

export function schedulePayout({ state, payoutDelay }: Ledger, owner: Owner): void {
  if (payoutDelay !== undefined && !state.tasks.find(owner, payoutTask))
    state.tasks.put(owner, { id: payoutTask, does: 'pay_out', outcome: 'success', dueAt: state.now() + payoutDelay });
}

/** The types of bookings, by their category in reports. */
const types = {
  charge: 'payment',
  charge_failure: 'payment_failure_refund',
  dispute: 'adjustment',
  dispute_reversal: 'adjustment',
  payout: 'payout',
  platform_earning: 'application_fee',
  platform_earning_refund: 'application_fee_refund',
  payout_reversal: 'payout_failure',
  refund: 'payment_refund',
  refund_failure: 'refund_failure',
  transfer: 'transfer',
  transfer_reversal: 'transfer_refund',
};

interface Entry extends Pick<BalanceTransaction, 'amount' | 'source'> {
  readonly category: keyof typeof types;
  readonly fee?: number;
  readonly applicationFee?: number;
}

/** Books what an object does to a balance. `amount` and the fees are in cents. The platform gets the application fee. */
export function book(ledger: Ledger, owner: Owner, entry: Entry): BalanceTransaction {
  const { category, amount, source, fee: ownFee = 0, applicationFee = 0 } = entry;
  const fee = ownFee + applicationFee;
  const { state } = ledger;
  if (amount > 0 && !isProcessing(ledger, owner, entry)) schedulePayout(ledger, owner);
  const details = [
    { amount: ownFee, currency: 'usd', description: 'Stripe fees', type: 'stripe_fee' },
    { amount: applicationFee, currency: 'usd', description: 'Application fee', type: 'application_fee' },
  ];
  if (applicationFee !== 0)
    book(ledger, '', {
      category: applicationFee > 0 ? 'platform_earning' : 'platform_earning_refund',
      amount: applicationFee,
      source: newId('fee'),
    });
  return state.balanceTransactions.put(owner, {
    id: newId('txn'),
    amount,
    source,
    type: types[category],
    reporting_category: category,
    object: 'balance_transaction',
    created: state.seconds(),
    available_on: state.seconds() + daysUntilAvailable * 86_400,
    balance_type: 'payments',
    currency: 'usd',
    description: null,
    exchange_rate: null,
    fee,
    fee_details: details.filter((each) => each.amount !== 0),
    net: amount - fee,
    status: 'pending',
  });
}

/** The fee of a direct charge, taken along with it. A destination charge's fee is taken when the money is transferred. */
export function directFeeOf({ application_fee_amount: fee, transfer_data: destination }: Charge): number {
  return destination ? 0 : (fee ?? 0);
}

/**
 * Takes a pending debit's money back, with the fees. Stripe does not say whether this booking names the charge: here, it does
 * for a failed debit, but not for a canceled one.
 */
export function bookFailure(ledger: Ledger, owner: Owner, charge: Charge, source: string | null): void {
  const { amount } = charge;
  book(ledger, owner, {
    category: 'charge_failure',
    amount: -amount,
    fee: -feeOf(amount),
    applicationFee: -directFeeOf(charge),
    source,
  });
}
