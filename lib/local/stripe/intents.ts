import * as z from 'zod';
import { createPaymentMethod } from './connections.ts';
import { cancelDebit, confirmDebit } from './debits.ts';
import { invalid } from './errors.ts';
import type { Ledger } from './ledger.ts';
import type { Intent } from './records.ts';
import { newId, type Owner } from './state.ts';

const acceptance = z.object({ customer_acceptance: z.record(z.string(), z.unknown()) });

const intentInput = z.object({
  amount: z.number(),
  application_fee_amount: z.number().optional(),
  confirm: z.boolean().default(false),
  currency: z.string(),
  customer: z.string().optional(),
  mandate_data: acceptance.optional(),
  metadata: z.record(z.string(), z.string()).default({}),
  on_behalf_of: z.string().optional(),
  payment_method: z.string().optional(),
  payment_method_data: z.record(z.string(), z.unknown()).optional(),
  payment_method_options: z.record(z.string(), z.unknown()).default({}),
  // The new name. Stripe's own package no longer has the old one.
  allowed_payment_method_types: z.array(z.string()).optional(),
  payment_method_types: z.array(z.string()).optional(),
  statement_descriptor: z.string().optional(),
  transfer_data: z.object({ destination: z.string() }).optional(),
  transfer_group: z.string().optional(),
});

/** In cents. */
const [minimumAmount, maximumAmount] = [50, 99_999_999];

export function createIntent(ledger: Ledger, owner: Owner, input: unknown): Intent {
  const { state } = ledger;
  const order = intentInput.parse(input);
  const { amount, statement_descriptor: descriptor = null, transfer_data: destination = null } = order;
  if (amount < minimumAmount)
    throw invalid('Amount must be at least $0.50 usd', { code: 'amount_too_small', param: 'amount' });
  if (amount > maximumAmount)
    throw invalid('Amount must be no more than $999,999.99', { code: 'amount_too_large', param: 'amount' });
  const { application_fee_amount: fee = null } = order;
  if (fee !== null && (fee > amount || (owner === '' && destination === null)))
    throw invalid('An application fee needs a connected account, and at most the amount.', {
      param: 'application_fee_amount',
    });
  if (descriptor !== null && !/^(?=.*[A-Za-z])[^<>\\'"*]{5,22}$/.test(descriptor))
    throw invalid('The statement descriptor must have 5 to 22 characters.', { param: 'statement_descriptor' });
  const types = order.allowed_payment_method_types ?? order.payment_method_types ?? [];
  if (types.join() !== 'us_bank_account')
    throw invalid('This stand-in takes only us_bank_account.', { param: 'allowed_payment_method_types' });
  for (const needed of [owner, destination?.destination, order.on_behalf_of]) requireReady(ledger, needed ?? '');
  if (order.customer !== undefined) state.customers.get(owner, order.customer);
  if (order.payment_method !== undefined) state.paymentMethods.get(owner, order.payment_method);
  const method = order.payment_method_data && createPaymentMethod(ledger, owner, order.payment_method_data);
  const methodId = method?.id ?? order.payment_method ?? null;
  const id = newId('pi');
  const intent = state.intents.put(owner, {
    id,
    object: 'payment_intent',
    created: state.seconds(),
    livemode: state.livemode,
    amount,
    amount_received: 0,
    application_fee_amount: fee,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    currency: order.currency,
    customer: order.customer ?? null,
    last_payment_error: null,
    latest_charge: null,
    metadata: order.metadata,
    next_action: null,
    on_behalf_of: order.on_behalf_of ?? null,
    payment_method: methodId,
    payment_method_options: order.payment_method_options,
    allowed_payment_method_types: types,
    payment_method_types: types,
    statement_descriptor: descriptor,
    status: methodId === null ? 'requires_payment_method' : 'requires_confirmation',
    transfer_data: destination,
    transfer_group: order.transfer_group ?? null,
  });
  ledger.record(owner, 'payment_intent.created', intent);
  return order.confirm ? confirm(ledger, owner, intent, order) : intent;
}

const confirmation = z.object({ payment_method: z.string().optional(), mandate_data: acceptance.optional() });

export function confirmIntent(ledger: Ledger, owner: Owner, id: string, input: unknown): Intent {
  return confirm(ledger, owner, ledger.state.intents.get(owner, id), confirmation.parse(input));
}

function confirm(ledger: Ledger, owner: Owner, intent: Intent, given: z.output<typeof confirmation>): Intent {
  if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_confirmation')
    throw invalid(`You cannot confirm this PaymentIntent because it has a status of ${intent.status}.`, {
      code: 'payment_intent_unexpected_state',
      payment_intent: intent,
    });
  const methodId = given.payment_method ?? intent.payment_method;
  if (methodId === null)
    throw invalid('You cannot confirm this PaymentIntent without a payment method.', { param: 'payment_method' });
  const method = ledger.state.paymentMethods.get(owner, methodId);
  if (given.mandate_data?.customer_acceptance['online'] === undefined)
    throw invalid('A us_bank_account needs mandate_data with an online acceptance.', { param: 'mandate_data' });
  return confirmDebit(ledger, owner, intent, method, given.mandate_data);
}

const cancellation = z.object({ cancellation_reason: z.string().optional() });

export function cancelIntent(ledger: Ledger, owner: Owner, id: string, input: unknown): Intent {
  const { cancellation_reason: reason = null } = cancellation.parse(input);
  return cancelDebit(ledger, owner, ledger.state.intents.get(owner, id), reason);
}

function requireReady({ state }: Ledger, accountId: string): void {
  if (accountId === '') return;
  const { capabilities } = state.accounts.get('', accountId);
  if (capabilities['us_bank_account_ach_payments'] === 'active') return;
  throw invalid(`The account ${accountId} lacks the active capability us_bank_account_ach_payments.`, {
    code: 'capability_not_active',
  });
}
