import { invalid } from './errors.ts';
import { book, type Ledger } from './ledger.ts';
import { newId, type Owner } from './state.ts';

/** In cents. */
const returnFee = 400;

/** The bank returns a settled debit, which is a dispute that is lost at once. */
export function returnDebit(ledger: Ledger, owner: Owner, intentId: string, reason = 'insufficient_funds') {
  const { state } = ledger;
  state.tasks.delete(owner, intentId);
  const intent = state.intents.get(owner, intentId);
  const charge = state.charges.get(owner, intent.latest_charge ?? '');
  if (intent.status !== 'succeeded' || charge.disputed) throw invalid('Only a settled debit can be returned, once.');
  const id = newId('du');
  const booked = book(ledger, owner, {
    category: 'dispute',
    amount: -charge.amount,
    fee: returnFee,
    source: id,
  });
  const dispute = state.disputes.put(owner, {
    id,
    object: 'dispute',
    created: state.seconds(),
    livemode: state.livemode,
    amount: charge.amount,
    balance_transactions: [booked],
    charge: charge.id,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: { due_by: null, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: false,
    metadata: {},
    payment_intent: intent.id,
    reason,
    status: 'lost',
  });
  state.charges.change(owner, charge.id, { disputed: true });
  const { mandate } = charge.payment_method_details.us_bank_account;
  for (const type of ['created', 'funds_withdrawn', 'closed']) ledger.record(owner, `charge.dispute.${type}`, dispute);
  ledger.record(owner, 'mandate.updated', state.mandates.change(owner, mandate, { status: 'inactive' }));
  return dispute;
}

/** The bank gives the money back after all. */
export function winDispute(ledger: Ledger, owner: Owner, intentId: string) {
  const { state } = ledger;
  const lost = state.disputes.list(owner).find((each) => each.payment_intent === intentId && each.status === 'lost');
  if (lost === undefined) throw invalid('The payment has no dispute that was lost.');
  const booked = book(ledger, owner, { category: 'dispute_reversal', amount: lost.amount, source: lost.id });
  const won = state.disputes.change(owner, lost.id, {
    status: 'won',
    balance_transactions: [...lost.balance_transactions, booked],
  });
  for (const type of ['funds_reinstated', 'closed']) ledger.record(owner, `charge.dispute.${type}`, won);
  return won;
}
