import * as z from 'zod';
import { closedBankAccount, stopPayouts } from './accounts.ts';
import { invalid } from './errors.ts';
import { book, isProcessing, payoutTask, type Ledger } from './ledger.ts';
import { newId, type Owner } from './state.ts';

/** Makes no payout if the money was returned first. */
export function payOutWhenDue(ledger: Ledger, owner: Owner): void {
  const { state } = ledger;
  state.tasks.delete(owner, payoutTask);
  const account = state.accounts.find('', owner);
  if (account?.payouts_enabled === false || unpaidOf(ledger, owner).amount <= 0) return;
  const { id } = payOut(ledger, owner);
  if (account?.external_accounts.data.some(({ last4 }) => last4 === closedBankAccount))
    failPayout(ledger, owner, id, 'account_closed');
}

const withdraws = z.object({ payouts: z.object({ debit_negative_balances: z.literal(true) }) });

/** Pays out what no earlier payout of the account included. If the account owes money, its bank is debited: a negative payout. */
export function payOut(ledger: Ledger, owner: Owner) {
  const { state } = ledger;
  const { parts, amount } = unpaidOf(ledger, owner);
  const settings = state.accounts.find('', owner)?.settings;
  if (amount === 0 || (amount < 0 && !withdraws.safeParse(settings).success))
    throw invalid('The balance is not positive.', { code: 'balance_insufficient' });
  const id = newId('po');
  const booked = book(ledger, owner, { category: 'payout', amount: -amount, source: id });
  for (const part of [...parts, booked]) {
    state.payoutParts.put(owner, { id: part.id, payout: id });
    state.balanceTransactions.change(owner, part.id, { status: 'available', available_on: state.seconds() });
  }
  const payout = state.payouts.put(owner, {
    id,
    object: 'payout',
    created: state.seconds(),
    livemode: state.livemode,
    amount,
    arrival_date: state.seconds(),
    automatic: true,
    balance_transaction: booked.id,
    currency: 'usd',
    destination: 'ba_stand_in',
    failure_balance_transaction: null,
    failure_code: null,
    metadata: {},
    method: 'standard',
    reconciliation_status: 'completed',
    source_type: 'bank_account',
    statement_descriptor: null,
    status: 'paid',
    type: 'bank_account',
  });
  for (const type of ['created', 'paid', 'reconciliation_completed']) ledger.record(owner, `payout.${type}`, payout);
  return payout;
}

/** The bank sends a payout back. Its money becomes part of the next one. */
export function failPayout(ledger: Ledger, owner: Owner, payoutId: string, failureCode: string) {
  const { state } = ledger;
  const { amount, status } = state.payouts.get(owner, payoutId);
  if (status === 'failed') throw invalid('The payout has failed already.');
  const booked = book(ledger, owner, { category: 'payout_reversal', amount, source: payoutId });
  const failed = state.payouts.change(owner, payoutId, {
    status: 'failed',
    failure_code: failureCode,
    failure_balance_transaction: booked.id,
  });
  ledger.record(owner, 'payout.failed', failed);
  if (owner !== '') stopPayouts(ledger, owner);
  return failed;
}

function unpaidOf(ledger: Ledger, owner: Owner) {
  const { state } = ledger;
  const parts = state.balanceTransactions
    .list(owner)
    .filter((each) => !state.payoutParts.find(owner, each.id) && !isProcessing(ledger, owner, each));
  return { parts, amount: parts.reduce((sum, { net }) => sum + net, 0) };
}
