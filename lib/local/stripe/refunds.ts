import { invalid } from './errors.ts';
import { book, type Ledger } from './ledger.ts';
import type { Charge, Refund } from './records.ts';
import { newId, type Owner } from './state.ts';
import { reverseTransfer } from './transfers.ts';

interface Order {
  /** In cents. By default, all that is left. */
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
  readonly reverseTransfer?: boolean | undefined;
  readonly metadata?: Record<string, string> | undefined;
}

export function createRefund(ledger: Ledger, owner: Owner, charge: Charge, order: Order): Refund {
  const { state } = ledger;
  if (charge.status !== 'succeeded') throw invalid('The charge has not succeeded.', { code: 'charge_not_refundable' });
  if (charge.disputed) throw invalid('The charge has been charged back.', { code: 'charge_disputed' });
  const left = charge.amount - charge.amount_refunded;
  const amount = order.amount ?? left;
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (amount <= 0 || amount > left)
    throw invalid(`Refund amount (${amount}) is not between 1 and the amount left (${left}).`, { param: 'amount' });
  const id = newId('pyr');
  const reversed =
    order.reverseTransfer === true && charge.transfer !== null
      ? reverseTransfer(ledger, charge.transfer, { amount, sourceRefund: id }).id
      : null;
  const booked = book(ledger, owner, {
    type: 'payment_refund',
    reporting_category: 'refund',
    amount: -amount,
    source: id,
  });
  const refund = state.refunds.put(owner, {
    id,
    object: 'refund',
    created: state.seconds(),
    amount,
    balance_transaction: booked.id,
    charge: charge.id,
    currency: charge.currency,
    metadata: order.metadata ?? {},
    payment_intent: charge.payment_intent,
    reason: order.reason ?? null,
    source_transfer_reversal: null,
    status: 'pending',
    transfer_reversal: reversed,
  });
  const changed = state.charges.change(owner, charge.id, {
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  });
  state.tasks.put(owner, { id, does: 'refund', outcome: 'success', dueAt: state.now() + ledger.outcomeDelay });
  ledger.record(owner, 'refund.created', refund);
  ledger.record(owner, 'charge.refunded', changed);
  return refund;
}

export function finishRefund(ledger: Ledger, owner: Owner, id: string): void {
  ledger.state.tasks.delete(owner, id);
  ledger.record(owner, 'refund.updated', ledger.state.refunds.change(owner, id, { status: 'succeeded' }));
}
