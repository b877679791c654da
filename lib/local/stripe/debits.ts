import { invalid, StripeError } from './errors.ts';
import { book, bookFailure, directFeeOf, feeOf, schedulePayout, type Ledger } from './ledger.ts';
import { pendingCharge } from './pending-charge.ts';
import type { Charge, Intent, Outcome, PaymentMethod } from './records.ts';
import { newId, type Owner } from './state.ts';
import { payDestination } from './refunds.ts';

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly networkCode?: string;
  /** The bank account cannot be debited again. */
  readonly blocks?: string;
}

const refusals: Partial<Record<Outcome, Refusal>> = {
  insufficient_funds: {
    code: 'insufficient_funds',
    message: 'The customer’s account has insufficient funds to cover this payment.',
    networkCode: 'R01',
  },
  account_closed: {
    code: 'account_closed',
    message: 'The customer’s bank account has been closed.',
    networkCode: 'R02',
    blocks: 'bank_account_closed',
  },
  debit_not_authorized: {
    code: 'debit_not_authorized',
    message: 'The customer has notified their bank that this payment was unauthorized.',
    networkCode: 'R10',
    blocks: 'debit_not_authorized',
  },
  processor_error: { code: 'processing_error', message: 'An error occurred while processing the payment.' },
};

interface Acceptance {
  readonly customer_acceptance: Record<string, unknown>;
}

/** Sends a debit to the bank. Throws Stripe's error if the account cannot be debited. */
export function confirmDebit(
  ledger: Ledger,
  owner: Owner,
  intent: Intent,
  method: PaymentMethod,
  acceptance: Acceptance,
): Intent {
  const { state } = ledger;
  const outcome =
    state.outcomes.find(owner, method.us_bank_account.financial_connections_account)?.outcome ?? 'success';
  if (outcome === 'account_unusable' || method.us_bank_account.status_details !== null)
    throw refuseConfirmation(ledger, owner, intent, {
      type: 'invalid_request_error',
      code: 'bank_account_unusable',
      message: 'The bank account cannot be debited. Use another account.',
      network_decline_code: method.us_bank_account.status_details?.blocked.network_code ?? 'R02',
      payment_method: method,
    });
  if (outcome === 'unconfirmable')
    throw invalid('The PaymentMethod cannot be used with this PaymentIntent.', {
      code: 'payment_intent_incompatible_payment_method',
      payment_intent: intent,
    });
  if (outcome === 'over_limit')
    throw refuseConfirmation(ledger, owner, intent, {
      type: 'invalid_request_error',
      code: 'charge_exceeds_transaction_limit',
      message: 'The charge exceeds your processing limit per transaction.',
      payment_method: method,
    });
  if (outcome === 'needs_deposits') return askForDeposits(ledger, owner, intent);
  const mandate = state.mandates.put(owner, {
    id: newId('mandate'),
    object: 'mandate',
    livemode: state.livemode,
    customer_acceptance: acceptance.customer_acceptance,
    on_behalf_of: intent.on_behalf_of,
    payment_method: method.id,
    payment_method_details: { type: 'us_bank_account', us_bank_account: {} },
    single_use: { amount: intent.amount, currency: intent.currency },
    status: 'active',
    type: 'single_use',
  });
  const created = state.charges.put(owner, pendingCharge(ledger, intent, method, mandate.id));
  const booked = book(ledger, owner, {
    category: 'charge',
    amount: created.amount,
    fee: feeOf(created.amount),
    applicationFee: directFeeOf(created),
    source: created.id,
  });
  const charge = state.charges.change(owner, created.id, { balance_transaction: booked.id });
  const processing = state.intents.change(owner, intent.id, {
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    status: 'processing',
  });
  ledger.record(owner, 'charge.pending', charge);
  ledger.record(owner, 'payment_intent.processing', processing);
  if (outcome !== 'stays_processing' && outcome !== 'cancel_refused')
    state.tasks.put(owner, { id: intent.id, does: 'settle', outcome, dueAt: state.now() + ledger.outcomeDelay });
  return processing;
}

/** Used for an account that was not verified instantly. */
function askForDeposits(ledger: Ledger, owner: Owner, intent: Intent): Intent {
  const verification = {
    arrival_date: ledger.state.seconds() + 2 * 86_400,
    hosted_verification_url: `https://payments.stripe.com/microdeposit/${intent.id}`,
    microdeposit_type: 'descriptor_code',
  };
  const asking = ledger.state.intents.change(owner, intent.id, {
    next_action: { type: 'verify_with_microdeposits', verify_with_microdeposits: verification },
    status: 'requires_action',
  });
  ledger.record(owner, 'payment_intent.requires_action', asking);
  return asking;
}

interface ConfirmationError {
  readonly type: 'invalid_request_error';
  readonly code: string;
  readonly message: string;
  readonly network_decline_code?: string;
  readonly payment_method: PaymentMethod;
}

/** The intent loses the payment method and keeps the error. */
function refuseConfirmation(ledger: Ledger, owner: Owner, intent: Intent, error: ConfirmationError): StripeError {
  const refused = ledger.state.intents.change(owner, intent.id, {
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: error,
  });
  ledger.record(owner, 'payment_intent.payment_failed', refused);
  const { type, message, ...details } = error;
  return new StripeError(402, type, message, { ...details, payment_intent: refused });
}

/** The bank's answer to a processing debit. */
export function settleDebit(ledger: Ledger, owner: Owner, intentId: string, outcome: Outcome): void {
  const { state } = ledger;
  state.tasks.delete(owner, intentId);
  const intent = state.intents.get(owner, intentId);
  const charge = state.charges.find(owner, intent.latest_charge ?? '');
  if (intent.status !== 'processing' || charge === undefined) return;
  const refusal = refusals[outcome];
  if (refusal) refuse(ledger, owner, intent, charge, refusal);
  else {
    succeed(ledger, owner, intent, charge);
    if (outcome === 'late_return')
      state.tasks.put(owner, { id: intentId, does: 'return', outcome, dueAt: state.now() + ledger.outcomeDelay });
  }
}

function succeed(ledger: Ledger, owner: Owner, intent: Intent, charge: Charge): void {
  const { state } = ledger;
  schedulePayout(ledger, owner);
  const transfer = intent.transfer_data ? payDestination(ledger, charge, intent.transfer_data.destination) : null;
  const paid = state.charges.change(owner, charge.id, {
    status: 'succeeded',
    paid: true,
    captured: true,
    amount_captured: charge.amount,
    transfer,
    outcome: { network_decline_code: null, network_status: 'approved_by_network', type: 'authorized' },
  });
  const succeeded = state.intents.change(owner, intent.id, { status: 'succeeded', amount_received: intent.amount });
  ledger.record(owner, 'charge.succeeded', paid);
  ledger.record(owner, 'payment_intent.succeeded', succeeded);
}

function refuse(ledger: Ledger, owner: Owner, intent: Intent, charge: Charge, refusal: Refusal): void {
  const { state } = ledger;
  const { code, message, networkCode, blocks } = refusal;
  const method = state.paymentMethods.get(owner, intent.payment_method ?? '');
  const left = blocks
    ? state.paymentMethods.change(owner, method.id, {
        us_bank_account: {
          ...method.us_bank_account,
          status_details: { blocked: { network_code: networkCode ?? null, reason: blocks } },
        },
      })
    : method;
  const failed = state.charges.change(owner, charge.id, {
    status: 'failed',
    failure_code: code,
    failure_message: message,
    outcome: {
      network_decline_code: networkCode ?? null,
      network_status: 'declined_by_network',
      type: 'issuer_declined',
    },
  });
  const refused = state.intents.change(owner, intent.id, {
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: {
      type: 'invalid_request_error',
      code,
      message,
      charge: charge.id,
      payment_method: left,
      ...(networkCode !== undefined && { network_decline_code: networkCode }),
    },
  });
  bookFailure(ledger, owner, failed, failed.id);
  ledger.record(owner, 'charge.failed', failed);
  ledger.record(owner, 'payment_intent.payment_failed', refused);
}

/** Throws Stripe's error if it is too late. */
export function cancelDebit(ledger: Ledger, owner: Owner, intent: Intent, reason: string | null): Intent {
  const { state } = ledger;
  const method = state.paymentMethods.find(owner, intent.payment_method ?? '');
  const outcome = state.outcomes.find(owner, method?.us_bank_account.financial_connections_account ?? '')?.outcome;
  const tooLate = intent.status === 'processing' && outcome === 'cancel_refused';
  if (tooLate || intent.status === 'succeeded' || intent.status === 'canceled')
    throw invalid(`You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`, {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    });
  state.tasks.delete(owner, intent.id);
  const charge = state.charges.find(owner, intent.latest_charge ?? '');
  if (charge?.status === 'pending') {
    state.charges.change(owner, charge.id, { status: 'failed', failure_code: 'payment_intent_canceled' });
    bookFailure(ledger, owner, charge, null);
  }
  const canceled = state.intents.change(owner, intent.id, {
    status: 'canceled',
    canceled_at: state.seconds(),
    cancellation_reason: reason,
    next_action: null,
  });
  ledger.record(owner, 'payment_intent.canceled', canceled);
  return canceled;
}
