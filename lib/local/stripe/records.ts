import * as z from 'zod';

// Objects as Stripe returns them, with the fields that a US bank debit needs.

const identified = { id: z.string(), created: z.number(), livemode: z.boolean() };
const metadata = z.record(z.string(), z.string());
const optionalText = z.string().nullable();

/** What the chosen test bank does with a debit. */
export const outcome = z.enum([
  'success',
  'insufficient_funds',
  'account_closed',
  'debit_not_authorized',
  'processor_error',
  'account_unusable',
  'unconfirmable',
  'over_limit',
  'needs_deposits',
  'stays_processing',
  'cancel_refused',
  'late_return',
]);
export type Outcome = z.infer<typeof outcome>;

const externalAccount = z.object({
  id: z.string(),
  object: z.literal('bank_account'),
  account: z.string(),
  bank_name: z.string(),
  country: z.string(),
  currency: z.string(),
  default_for_currency: z.boolean(),
  fingerprint: z.string(),
  last4: z.string(),
  status: z.string(),
});

export const account = z.object({
  id: z.string(),
  object: z.literal('account'),
  created: z.number(),
  type: z.enum(['custom', 'express', 'none', 'standard']),
  country: z.string(),
  default_currency: z.string(),
  email: optionalText,
  business_type: optionalText,
  business_profile: z.record(z.string(), z.unknown()),
  controller: z.record(z.string(), z.unknown()),
  capabilities: z.record(z.string(), z.enum(['active', 'inactive', 'pending'])),
  charges_enabled: z.boolean(),
  payouts_enabled: z.boolean(),
  details_submitted: z.boolean(),
  external_accounts: z.object({
    object: z.literal('list'),
    data: z.array(externalAccount),
    has_more: z.boolean(),
    url: z.string(),
  }),
  requirements: z.object({
    currently_due: z.array(z.string()),
    eventually_due: z.array(z.string()),
    past_due: z.array(z.string()),
    pending_verification: z.array(z.string()),
    errors: z.array(z.object({ code: z.string(), reason: z.string(), requirement: z.string() })),
    disabled_reason: optionalText,
    current_deadline: z.number().nullable(),
  }),
  settings: z.record(z.string(), z.unknown()),
  metadata,
});
export type Account = z.infer<typeof account>;

/** A link to the onboarding, which works once. */
export const accountLink = z.object({
  id: z.string(),
  account: z.string(),
  expires_at: z.number(),
  refresh_url: z.string(),
  return_url: z.string(),
  used: z.boolean(),
});

export const customer = z.object({
  ...identified,
  object: z.literal('customer'),
  email: optionalText,
  name: optionalText,
  metadata,
});

export const bankAccount = z.object({
  ...identified,
  object: z.literal('financial_connections.account'),
  account_holder: z.record(z.string(), z.string()),
  category: z.literal('cash'),
  display_name: z.string(),
  institution_name: z.string(),
  last4: z.string(),
  permissions: z.array(z.string()),
  status: z.enum(['active', 'disconnected', 'inactive']),
  subcategory: z.enum(['checking', 'savings']),
  supported_payment_method_types: z.array(z.string()),
});

/** Not part of what Stripe returns. */
export const bankAccountOutcome = z.object({ id: z.string(), outcome });

export const connection = z.object({
  id: z.string(),
  object: z.literal('financial_connections.session'),
  livemode: z.boolean(),
  account_holder: z.record(z.string(), z.string()),
  accounts: z.array(z.string()),
  client_secret: z.string(),
  filters: z.record(z.string(), z.unknown()),
  permissions: z.array(z.string()),
});
export type Connection = z.infer<typeof connection>;

export const paymentMethod = z.object({
  ...identified,
  object: z.literal('payment_method'),
  type: z.literal('us_bank_account'),
  billing_details: z.object({ name: z.string(), email: optionalText, phone: optionalText, address: z.unknown() }),
  customer: optionalText,
  us_bank_account: z.object({
    account_holder_type: z.enum(['company', 'individual']),
    account_type: z.enum(['checking', 'savings']),
    bank_name: z.string(),
    financial_connections_account: z.string(),
    fingerprint: z.string(),
    last4: z.string(),
    networks: z.object({ preferred: z.string(), supported: z.array(z.string()) }),
    routing_number: z.string(),
    status_details: z.object({ blocked: z.object({ network_code: optionalText, reason: z.string() }) }).nullable(),
  }),
  metadata,
});
export type PaymentMethod = z.infer<typeof paymentMethod>;

const paymentError = z.object({
  type: z.enum(['card_error', 'invalid_request_error']),
  code: z.string(),
  message: z.string(),
  charge: z.string().optional(),
  network_decline_code: z.string().optional(),
  payment_method: paymentMethod.optional(),
});
export type PaymentError = z.infer<typeof paymentError>;

export const intent = z.object({
  ...identified,
  object: z.literal('payment_intent'),
  amount: z.number(),
  amount_received: z.number(),
  application_fee_amount: z.number().nullable(),
  canceled_at: z.number().nullable(),
  cancellation_reason: optionalText,
  capture_method: z.string(),
  client_secret: z.string(),
  confirmation_method: z.string(),
  currency: z.string(),
  customer: optionalText,
  last_payment_error: paymentError.nullable(),
  latest_charge: optionalText,
  metadata,
  next_action: z.record(z.string(), z.unknown()).nullable(),
  on_behalf_of: optionalText,
  payment_method: optionalText,
  payment_method_options: z.record(z.string(), z.unknown()),
  allowed_payment_method_types: z.array(z.string()),
  payment_method_types: z.array(z.string()),
  statement_descriptor: optionalText,
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'processing',
    'succeeded',
    'canceled',
  ]),
  transfer_data: z.object({ destination: z.string() }).nullable(),
  transfer_group: optionalText,
});
export type Intent = z.infer<typeof intent>;

export const charge = z.object({
  ...identified,
  object: z.literal('charge'),
  amount: z.number(),
  amount_captured: z.number(),
  amount_refunded: z.number(),
  application_fee_amount: z.number().nullable(),
  balance_transaction: optionalText,
  billing_details: z.record(z.string(), z.unknown()),
  captured: z.boolean(),
  currency: z.string(),
  customer: optionalText,
  disputed: z.boolean(),
  failure_code: optionalText,
  failure_message: optionalText,
  metadata,
  on_behalf_of: optionalText,
  outcome: z.object({ network_decline_code: optionalText, network_status: z.string(), type: z.string() }).nullable(),
  paid: z.boolean(),
  payment_intent: optionalText,
  payment_method: optionalText,
  payment_method_details: z.record(z.string(), z.unknown()),
  refunded: z.boolean(),
  source_transfer: optionalText,
  statement_descriptor: optionalText,
  status: z.enum(['pending', 'succeeded', 'failed']),
  transfer: optionalText,
  transfer_data: z.object({ destination: z.string() }).nullable(),
});
export type Charge = z.infer<typeof charge>;

export const mandate = z.object({
  id: z.string(),
  object: z.literal('mandate'),
  livemode: z.boolean(),
  customer_acceptance: z.record(z.string(), z.unknown()),
  on_behalf_of: optionalText,
  payment_method: z.string(),
  payment_method_details: z.record(z.string(), z.unknown()),
  single_use: z.object({ amount: z.number(), currency: z.string() }),
  status: z.enum(['active', 'inactive', 'pending']),
  type: z.literal('single_use'),
});

export const dispute = z.object({
  ...identified,
  object: z.literal('dispute'),
  amount: z.number(),
  balance_transactions: z.array(z.unknown()),
  charge: z.string(),
  currency: z.string(),
  enhanced_eligibility_types: z.array(z.string()),
  evidence: z.record(z.string(), z.unknown()),
  evidence_details: z.record(z.string(), z.unknown()),
  is_charge_refundable: z.boolean(),
  metadata,
  payment_intent: optionalText,
  reason: z.string(),
  status: z.enum(['lost', 'needs_response', 'under_review', 'won']),
});

export const refund = z.object({
  id: z.string(),
  created: z.number(),
  object: z.literal('refund'),
  amount: z.number(),
  balance_transaction: optionalText,
  charge: z.string(),
  currency: z.string(),
  failure_reason: z.string().optional(),
  metadata,
  payment_intent: optionalText,
  reason: optionalText,
  /** Set for a refund that reverses a transfer to the account. */
  source_transfer_reversal: optionalText,
  status: z.enum(['pending', 'succeeded', 'failed', 'canceled']),
  transfer_reversal: optionalText,
});
export type Refund = z.infer<typeof refund>;

export const transfer = z.object({
  ...identified,
  object: z.literal('transfer'),
  amount: z.number(),
  amount_reversed: z.number(),
  balance_transaction: optionalText,
  currency: z.string(),
  destination: z.string(),
  destination_payment: optionalText,
  metadata,
  reversals: z.object({
    object: z.literal('list'),
    data: z.array(z.unknown()),
    has_more: z.boolean(),
    url: z.string(),
  }),
  reversed: z.boolean(),
  source_transaction: optionalText,
  source_type: z.string(),
  transfer_group: optionalText,
});

export const transferReversal = z.object({
  id: z.string(),
  object: z.literal('transfer_reversal'),
  created: z.number(),
  amount: z.number(),
  balance_transaction: optionalText,
  currency: z.string(),
  destination_payment_refund: optionalText,
  metadata,
  source_refund: optionalText,
  transfer: z.string(),
});

export const balanceTransaction = z.object({
  id: z.string(),
  object: z.literal('balance_transaction'),
  created: z.number(),
  amount: z.number(),
  available_on: z.number(),
  balance_type: z.literal('payments'),
  currency: z.string(),
  description: optionalText,
  exchange_rate: z.number().nullable(),
  fee: z.number(),
  fee_details: z.array(
    z.object({ amount: z.number(), currency: z.string(), description: z.string(), type: z.string() }),
  ),
  net: z.number(),
  reporting_category: z.string(),
  source: optionalText,
  status: z.enum(['available', 'pending']),
  type: z.enum([
    'adjustment',
    'payment',
    'payment_failure_refund',
    'payment_refund',
    'payout',
    'payout_failure',
    'transfer',
    'transfer_refund',
  ]),
});
export type BalanceTransaction = z.infer<typeof balanceTransaction>;

/** Which payout includes a balance transaction. Not part of what Stripe returns. */
export const payoutPart = z.object({ id: z.string(), payout: z.string() });

export const payout = z.object({
  ...identified,
  object: z.literal('payout'),
  amount: z.number(),
  arrival_date: z.number(),
  automatic: z.boolean(),
  balance_transaction: optionalText,
  currency: z.string(),
  destination: optionalText,
  failure_balance_transaction: optionalText,
  failure_code: optionalText,
  metadata,
  method: z.string(),
  reconciliation_status: z.string(),
  source_type: z.string(),
  statement_descriptor: optionalText,
  status: z.enum(['paid', 'pending', 'in_transit', 'canceled', 'failed']),
  type: z.literal('bank_account'),
});

export const stripeEvent = z.object({
  ...identified,
  object: z.literal('event'),
  account: z.string().optional(),
  api_version: z.string(),
  data: z.object({ object: z.looseObject({ id: z.string(), object: z.string() }) }),
  pending_webhooks: z.number(),
  request: z.object({ id: optionalText, idempotency_key: optionalText }),
  type: z.string(),
});
export type StripeEvent = z.infer<typeof stripeEvent>;

/** What happens later to a debit, a refund or a balance. */
export const task = z.object({
  id: z.string(),
  dueAt: z.number(),
  does: z.enum(['settle', 'return', 'refund', 'pay_out']),
  outcome,
});

export const answered = z.object({
  id: z.string(),
  fingerprint: z.string(),
  status: z.number(),
  body: z.string(),
  /** Milliseconds. */
  at: z.number(),
});
