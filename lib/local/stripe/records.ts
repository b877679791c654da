import * as z from 'zod';

// Stripe's objects, with the fields that the stand-in reads back. The other fields are added where the response is made,
// and `missingInAnswer` compares them with the published schemas.

const optionalText = z.string().nullable();
const time = z.number();

function stored<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject({ id: z.string(), object: z.string(), ...shape });
}

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

export const account = stored({
  capabilities: z.record(z.string(), z.enum(['active', 'inactive'])),
  payouts_enabled: z.boolean(),
  external_accounts: z.looseObject({ data: z.array(z.looseObject({ last4: z.string() })) }),
  requirements: z.looseObject({}),
  settings: z.record(z.string(), z.unknown()),
});
export type Account = z.infer<typeof account>;

/** A link to the onboarding, which works once. */
export const accountLink = z.object({
  id: z.string(),
  account: z.string(),
  expires_at: time,
  refresh_url: z.string(),
  return_url: z.string(),
  used: z.boolean(),
});

export const customer = stored({});

export const bankAccount = stored({
  institution_name: z.string(),
  last4: z.string(),
  subcategory: z.enum(['checking', 'savings']),
});

/** Not part of what Stripe returns. */
export const bankAccountOutcome = z.object({ id: z.string(), outcome });

export const connection = stored({
  account_holder: z.record(z.string(), z.string()),
  accounts: z.array(z.string()),
  client_secret: z.string(),
  permissions: z.array(z.string()),
});
export type Connection = z.infer<typeof connection>;

export const paymentMethod = stored({
  billing_details: z.looseObject({ name: z.string() }),
  us_bank_account: z.looseObject({
    account_holder_type: z.enum(['company', 'individual']),
    account_type: z.enum(['checking', 'savings']),
    bank_name: z.string(),
    financial_connections_account: z.string(),
    fingerprint: z.string(),
    last4: z.string(),
    routing_number: z.string(),
    status_details: z.object({ blocked: z.object({ network_code: optionalText, reason: z.string() }) }).nullable(),
  }),
});
export type PaymentMethod = z.infer<typeof paymentMethod>;

const transferData = z.object({ destination: z.string() }).nullable();

export const intent = stored({
  created: time,
  amount: z.number(),
  application_fee_amount: z.number().nullable(),
  currency: z.string(),
  customer: optionalText,
  latest_charge: optionalText,
  metadata: z.record(z.string(), z.string()),
  on_behalf_of: optionalText,
  payment_method: optionalText,
  statement_descriptor: optionalText,
  status: z.enum([
    'requires_payment_method',
    'requires_confirmation',
    'requires_action',
    'processing',
    'succeeded',
    'canceled',
  ]),
  transfer_data: transferData,
});
export type Intent = z.infer<typeof intent>;

export const charge = stored({
  amount: z.number(),
  amount_refunded: z.number(),
  application_fee_amount: z.number().nullable(),
  currency: z.string(),
  disputed: z.boolean(),
  payment_intent: optionalText,
  payment_method_details: z.looseObject({ us_bank_account: z.looseObject({ mandate: z.string() }) }),
  status: z.enum(['pending', 'succeeded', 'failed']),
  transfer: optionalText,
  transfer_data: transferData,
});
export type Charge = z.infer<typeof charge>;

export const mandate = stored({});

export const dispute = stored({
  created: time,
  amount: z.number(),
  balance_transactions: z.array(z.unknown()),
  payment_intent: optionalText,
  status: z.enum(['lost', 'won']),
});

export const refundOutcomes = ['succeeded', 'failed'] as const;

export const refund = stored({
  created: time,
  amount: z.number(),
  charge: z.string(),
  status: z.enum(['pending', ...refundOutcomes]),
});
export type Refund = z.infer<typeof refund>;

export const transfer = stored({
  amount: z.number(),
  amount_reversed: z.number(),
  currency: z.string(),
  destination: z.string(),
  destination_payment: z.string(),
  reversals: z.looseObject({ data: z.array(z.unknown()) }),
});

export const transferReversal = stored({ amount: z.number() });

export const balanceTransaction = stored({
  created: time,
  amount: z.number(),
  net: z.number(),
  source: optionalText,
});
export type BalanceTransaction = z.infer<typeof balanceTransaction>;

/** Which payout includes a balance transaction. Not part of what Stripe returns. */
export const payoutPart = z.object({ id: z.string(), payout: z.string() });

export const payout = stored({ created: time, amount: z.number(), status: z.enum(['paid', 'failed']) });

export const stripeEvent = stored({
  created: time,
  account: z.string().optional(),
  data: z.object({ object: z.looseObject({ id: z.string(), object: z.string() }) }),
  type: z.string(),
});
export type StripeEvent = z.infer<typeof stripeEvent>;

/** What will happen to a debit, a refund or a balance later. */
export const task = z.object({
  id: z.string(),
  dueAt: time,
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
