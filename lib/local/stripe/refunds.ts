import { invalid } from './errors.ts';
import { book, type Ledger, balanceOf } from './ledger.ts';
import type { Charge, Refund, refundOutcomes } from './records.ts';
import { newId, type Owner } from './state.ts';

interface Order {
  /** In cents. Defaults to all that is left. */
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
  readonly reverseTransfer?: boolean | undefined;
  readonly refundApplicationFee?: boolean | undefined;
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
  if (order.refundApplicationFee === true && charge.application_fee_amount === null)
    throw invalid('The charge has no application fee.', { param: 'refund_application_fee' });
  const id = newId('pyr');
  const feePart = order.refundApplicationFee === true ? feePartOf(charge, charge.amount_refunded, amount) : 0;
  const reversed =
    order.reverseTransfer === true && charge.transfer !== null
      ? reverseTransfer(ledger, charge.transfer, { amount, sourceRefund: id, applicationFee: feePart }).id
      : null;
  const ofDirect = charge.transfer_data ? 0 : -feePart;
  const booked = book(ledger, owner, { category: 'refund', amount: -amount, applicationFee: ofDirect, source: id });
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

/** Proportional, and the full fee once everything is refunded. Stripe does not say how it rounds. */
function feePartOf({ amount, application_fee_amount: fee }: Charge, before: number, refunded: number): number {
  const upTo = (cents: number) => Math.round(((fee ?? 0) * cents) / amount);
  return upTo(before + refunded) - upTo(before);
}

type Outcome = (typeof refundOutcomes)[number];

/** The bank's answer to a refund. It can also send back one that has succeeded. */
export function finishRefund(ledger: Ledger, owner: Owner, id: string, outcome: Outcome = 'succeeded'): void {
  const { state } = ledger;
  state.tasks.delete(owner, id);
  const { status } = state.refunds.get(owner, id);
  if (status === 'failed' || status === outcome) return;
  if (outcome === 'failed') failRefund(ledger, owner, id);
  else ledger.record(owner, 'refund.updated', state.refunds.change(owner, id, { status: outcome }));
}

/** Only the refund's own account gets its money back: a transfer that the refund reversed stays reversed. */
function failRefund(ledger: Ledger, owner: Owner, id: string): void {
  const { state } = ledger;
  const { amount, charge: chargeId } = state.refunds.get(owner, id);
  const booked = book(ledger, owner, { category: 'refund_failure', amount, source: id });
  const failed = state.refunds.change(owner, id, {
    status: 'failed',
    failure_reason: 'unknown',
    failure_balance_transaction: booked.id,
  });
  const { amount_refunded: refunded } = state.charges.get(owner, chargeId);
  state.charges.change(owner, chargeId, { amount_refunded: refunded - amount, refunded: false });
  ledger.record(owner, 'refund.updated', failed);
  ledger.record(owner, 'refund.failed', failed);
}

/** Transfers a destination charge to the connected account. Returns the transfer's ID. */
export function payDestination(ledger: Ledger, charge: Charge, destination: string): string {
  const { state } = ledger;
  const { amount, application_fee_amount: fee } = charge;
  const [id, paymentId] = [newId('tr'), newId('py')];
  const received = book(ledger, destination, {
    category: 'charge',
    amount,
    applicationFee: fee ?? 0,
    source: paymentId,
  });
  state.charges.put(destination, {
    ...charge,
    id: paymentId,
    amount,
    amount_captured: amount,
    balance_transaction: received.id,
    customer: null,
    metadata: {},
    paid: true,
    payment_intent: null,
    payment_method: null,
    source_transfer: id,
    status: 'succeeded',
    transfer_data: null,
  });
  const sent = book(ledger, '', { category: 'transfer', amount: -amount, source: id });
  const transfer = state.transfers.put('', {
    id,
    object: 'transfer',
    created: state.seconds(),
    livemode: state.livemode,
    amount,
    amount_reversed: 0,
    balance_transaction: sent.id,
    currency: charge.currency,
    destination,
    destination_payment: paymentId,
    metadata: {},
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: charge.id,
    source_type: 'card',
    transfer_group: null,
  });
  ledger.record('', 'transfer.created', transfer);
  return id;
}

interface ReversalOrder {
  /** In cents. Defaults to all that is left. */
  readonly amount?: number | undefined;
  readonly sourceRefund?: string;
  /** In cents: how much of its fee the platform returns. */
  readonly applicationFee?: number;
  /** By default, the platform keeps it. */
  readonly refundApplicationFee?: boolean | undefined;
  readonly metadata?: Record<string, string>;
}

/** Reverses a transfer, or a part of it, if the account still has the money. */
export function reverseTransfer(ledger: Ledger, transferId: string, order: ReversalOrder) {
  const { state } = ledger;
  const { amount, sourceRefund = null, metadata = {} } = order;
  const transfer = state.transfers.get('', transferId);
  const left = transfer.amount - transfer.amount_reversed;
  const reversed = amount ?? left;
  const passedOn = state.charges.get(transfer.destination, transfer.destination_payment);
  const feePart =
    order.refundApplicationFee === true
      ? feePartOf(passedOn, transfer.amount_reversed, reversed)
      : (order.applicationFee ?? 0);
  if (reversed <= 0 || reversed > left)
    throw invalid(`Transfer reversal amount (${reversed}) is not between 1 and the amount left (${left}).`, {
      param: 'amount',
    });
  if (balanceOf(ledger, transfer.destination) < reversed - feePart)
    throw invalid('Insufficient funds in the account to reverse this transfer.', { code: 'balance_insufficient' });
  const id = newId('trr');
  const refundId = newId('pyr');
  const booked = book(ledger, '', { category: 'transfer_reversal', amount: reversed, source: id });
  const returned = book(ledger, transfer.destination, {
    category: 'refund',
    amount: -reversed,
    applicationFee: -feePart,
    source: refundId,
  });
  state.refunds.put(transfer.destination, {
    id: refundId,
    object: 'refund',
    created: state.seconds(),
    amount: reversed,
    balance_transaction: returned.id,
    charge: transfer.destination_payment,
    currency: transfer.currency,
    metadata: {},
    payment_intent: null,
    reason: null,
    source_transfer_reversal: id,
    status: 'succeeded',
    transfer_reversal: null,
  });
  const reversal = state.reversals.put('', {
    id,
    object: 'transfer_reversal',
    created: state.seconds(),
    amount: reversed,
    balance_transaction: booked.id,
    currency: transfer.currency,
    destination_payment_refund: refundId,
    metadata,
    source_refund: sourceRefund,
    transfer: transferId,
  });
  const changed = state.transfers.change('', transferId, {
    amount_reversed: transfer.amount_reversed + reversed,
    reversed: reversed === left,
    reversals: { ...transfer.reversals, data: [...transfer.reversals.data, reversal] },
  });
  ledger.record('', 'transfer.reversed', changed);
  return reversal;
}
