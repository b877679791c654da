import * as z from 'zod/mini';
import type { Evidence } from '../../domain/payments/evidence.ts';
import { payerOf } from '../../domain/sessions/patient-name.ts';
import type { EnteredDebit } from '../../domain/payments/processor-debit.ts';
import { toEpochSeconds } from '../../domain/time.ts';
import type { DebitOrder } from '../processor.ts';
import { bankOf, chargingOf, readAccount } from './account.ts';
import type { CallStripe } from './client.ts';
import { disputes, paymentIntent, paymentIntents, type Dispute, type PaymentIntent } from './payment-intent.ts';

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
          customer,
          ...(bankAccount.startsWith('pm_')
            ? { payment_method: bankAccount }
            : { payment_method_data: bankOf(bankAccount, payerOf(evidence) ?? '') }),
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
