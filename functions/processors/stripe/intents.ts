import * as z from 'zod/mini';
import type { Evidence } from '../../domain/payments/evidence.ts';
import type { EnteredDebit } from '../../domain/payments/debit.ts';
import { toEpochSeconds } from '../../domain/time.ts';
import type { DebitOrder, DebitRefund } from '../processor.ts';
import { bankOf, chargingOf, readAccount } from './account.ts';
import type { CallStripe } from './client.ts';

const error = z.object({ code: z.nullish(z.string()), network_decline_code: z.nullish(z.string()) });
const charge = z.object({
  created: z.int(),
  disputed: z.boolean(),
  payment_method_details: z.nullish(
    z.object({
      us_bank_account: z.nullish(
        z.object({
          mandate: z.nullish(z.string()),
          payment_reference: z.nullish(z.string()),
          routing_number: z.nullish(z.string()),
        }),
      ),
    }),
  ),
  application_fee_amount: z.nullish(z.int()),
  /** A destination charge's transfer to the practice's account. */
  transfer: z.nullish(z.string()),
});

const paymentIntent = z.object({
  id: z.string(),
  status: z.enum([
    'canceled',
    'processing',
    'requires_action',
    'requires_capture',
    'requires_confirmation',
    'requires_payment_method',
    'succeeded',
  ]),
  created: z.int(),
  last_payment_error: z.nullish(error),
  cancellation_reason: z.nullish(z.string()),
  /** Just an ID unless expanded. */
  latest_charge: z.nullish(z.union([z.string(), charge])),
});
export type PaymentIntent = z.infer<typeof paymentIntent>;

const paymentIntents = z.object({ data: z.array(paymentIntent) });

export function chargeOf({ latest_charge: expanded }: PaymentIntent): z.infer<typeof charge> | undefined {
  return typeof expanded === 'object' && expanded ? expanded : undefined;
}

const dispute = z.object({ status: z.string(), reason: z.string() });
export type Dispute = z.infer<typeof dispute>;
const disputes = z.object({ data: z.array(dispute) });

/** A refund of a bank debit can stay `pending` for days: https://docs.stripe.com/api/refunds/object */
const refund = z.object({
  amount: z.int(),
  status: z.string(),
  metadata: z.nullish(z.record(z.string(), z.string())),
});
export type Refund = z.infer<typeof refund>;
const refunds = z.object({ data: z.array(refund) });

type Placed = Pick<EnteredDebit, 'debitId' | 'chargeType' | 'account'>;

/** Moves no money until it is confirmed. */
export async function createIntent(
  call: CallStripe,
  order: DebitOrder,
  evidence: Evidence,
  key: string,
): Promise<Placed> {
  const { deposit, customer, bankAccount, statementDescriptor } = readAccount(order.processorAccount);
  const { request, payment } = chargingOf(deposit);
  const { id } = await call(async (stripe) =>
    z.parse(
      paymentIntent,
      await stripe.paymentIntents.create(
        {
          amount: order.amountCents,
          currency: 'usd',
          ...(order.feeCents !== undefined && { application_fee_amount: order.feeCents }),
          customer,
          payment_method_data: bankOf(bankAccount, evidence.payerName),
          allowed_payment_method_types: ['us_bank_account'],
          payment_method_options: {
            us_bank_account: { verification_method: 'instant', transaction_purpose: 'services' },
          },
          statement_descriptor: statementDescriptor,
          metadata: { sessionId: order.sessionId, practiceId: order.practiceId },
          ...payment,
        },
        { ...request, idempotencyKey: key },
      ),
    ),
  );
  return { debitId: id, ...deposit };
}

/** Finds the session's intent by its customer, which belongs to the session. Prefers the known one, then one that was confirmed. */
export async function findIntent(
  call: CallStripe,
  { processorAccount, debitId }: DebitOrder,
): Promise<Placed | undefined> {
  const { deposit, customer } = readAccount(processorAccount);
  const { data } = await call(async (stripe) =>
    z.parse(paymentIntents, await stripe.paymentIntents.list({ customer, limit: 100 }, chargingOf(deposit).request)),
  );
  const found =
    debitId === undefined
      ? (data.find(({ status }) => status !== 'requires_confirmation') ?? data[0])
      : data.find(({ id }) => id === debitId);
  return found && { debitId: found.id, ...deposit };
}

export async function confirmIntent(
  call: CallStripe,
  debit: Placed,
  { authorizedAt, viewerAddress, sourceAddress, userAgent }: Evidence,
  key: string,
): Promise<PaymentIntent> {
  const online = { ip_address: viewerAddress ?? sourceAddress, user_agent: userAgent || 'unknown' };
  const accepted_at = toEpochSeconds(Date.parse(authorizedAt));
  return call(async (stripe) =>
    z.parse(
      paymentIntent,
      await stripe.paymentIntents.confirm(
        debit.debitId,
        { mandate_data: { customer_acceptance: { type: 'online', accepted_at, online } } },
        { ...chargingOf(debit).request, idempotencyKey: key },
      ),
    ),
  );
}

export async function cancelIntent(
  call: CallStripe,
  debit: Placed,
  reason: 'abandoned' | 'requested_by_customer',
  key: string,
): Promise<PaymentIntent> {
  return call(async (stripe) =>
    z.parse(
      paymentIntent,
      await stripe.paymentIntents.cancel(
        debit.debitId,
        { cancellation_reason: reason },
        { ...chargingOf(debit).request, idempotencyKey: key },
      ),
    ),
  );
}

export async function retrieveIntent(call: CallStripe, debit: Placed): Promise<PaymentIntent> {
  return call(async (stripe) =>
    z.parse(
      paymentIntent,
      await stripe.paymentIntents.retrieve(debit.debitId, { expand: ['latest_charge'] }, chargingOf(debit).request),
    ),
  );
}

export async function listDisputes(call: CallStripe, debit: Placed): Promise<Dispute[]> {
  return call(async (stripe) => {
    const page = await stripe.disputes.list({ payment_intent: debit.debitId }, chargingOf(debit).request);
    return z.parse(disputes, page).data;
  });
}

/** Newest first. */
export async function listRefunds(call: CallStripe, debit: Placed): Promise<Refund[]> {
  return call(async (stripe) => {
    const page = await stripe.refunds.list({ payment_intent: debit.debitId, limit: 100 }, chargingOf(debit).request);
    return z.parse(refunds, page).data;
  });
}

/**
 * A destination charge was transferred to the practice's account, so the refund takes it back from there. Stripe returns
 * the same share of the operator's fee as of the amount.
 */
export async function createRefund(
  call: CallStripe,
  debit: Placed,
  { sessionId, practiceId, refundId, amountCents, feeCents }: DebitRefund,
  key: string,
): Promise<void> {
  await call(async (stripe) =>
    stripe.refunds.create(
      {
        payment_intent: debit.debitId,
        amount: amountCents,
        metadata: { sessionId, practiceId, refundId },
        ...(debit.chargeType === 'destination' && { reverse_transfer: true }),
        ...(feeCents !== undefined && { refund_application_fee: true }),
      },
      { ...chargingOf(debit).request, idempotencyKey: key },
    ),
  );
}
