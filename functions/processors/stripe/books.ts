import type Stripe from 'stripe';
import * as z from 'zod/mini';
import {
  bookingKey,
  payout as anyPayout,
  type BookingCategory,
  platformAccount,
} from '../../domain/payments/booking.ts';
import { second, toIso } from '../../domain/time.ts';
import type { Database } from '../../store/database.ts';
import { findSessionOfDebit } from '../../store/payments/processor-debits.ts';
import type { FoundBooking, ListPage, ProcessorBooks } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { createdIn, pageParams } from './receive-event.ts';

const source = z.object({
  id: z.string(),
  object: z.string(),
  payment_intent: z.nullish(z.string()),
  /** A charge's status: pending, succeeded or failed. */
  status: z.nullish(z.string()),
  /** Present if the charge is the account's side of a destination charge. */
  source_transfer: z.nullish(z.string()),
  /** Present if the refund reverses a transfer to the account. */
  source_transfer_reversal: z.nullish(z.string()),
  charge: z.nullish(z.string()),
});
type Source = z.infer<typeof source>;
const transactions = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      created: z.int(),
      amount: z.int(),
      fee: z.int(),
      fee_details: z.array(z.object({ amount: z.int(), type: z.string() })),
      net: z.int(),
      reporting_category: z.string(),
      source: z.nullish(z.union([z.string(), source])),
    }),
  ),
  has_more: z.boolean(),
});
type Transaction = z.infer<typeof transactions>['data'][number];

const payouts = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      created: z.int(),
      arrival_date: z.int(),
      amount: z.int(),
      automatic: z.boolean(),
      status: anyPayout.shape.status,
      reconciliation_status: z.string(),
      failure_code: z.nullish(z.string()),
    }),
  ),
  has_more: z.boolean(),
});

const balance = z.object({ available: z.array(z.object({ amount: z.int() })) });

const disputes = z.object({
  data: z.array(z.object({ id: z.string(), payment_intent: z.nullish(z.string()) })),
  has_more: z.boolean(),
});

const categories: Readonly<Record<string, BookingCategory>> = {
  charge: 'payment',
  // A debit that failed while pending. A debit that fails later is disputed.
  charge_failure: 'failure',
  dispute: 'return',
  dispute_reversal: 'return',
  refund: 'refund',
  refund_failure: 'refund',
  payout: 'payout',
  payout_reversal: 'payout_reversal',
};

const on = (account: string) => (account === platformAccount ? {} : { stripeAccount: account });
const toTime = (created: number) => toIso(created * second);

export function stripeBooks(database: Database, call: CallStripe): ProcessorBooks {
  async function list(account: string, filter: Stripe.BalanceTransactionListParams, after: string | undefined) {
    const params = {
      ...filter,
      limit: 100,
      expand: ['data.source'],
      ...(after !== undefined && { starting_after: after }),
    };
    const { data, has_more: hasMore } = await call(async (stripe) =>
      z.parse(transactions, await stripe.balanceTransactions.list(params, on(account))),
    );
    const bookings = [];
    for (const each of data) bookings.push(await toBooking(account, each));
    return { bookings, after: hasMore ? data.at(-1)?.id : undefined };
  }

  async function toBooking(account: string, each: Transaction): Promise<FoundBooking> {
    const bookedAt = toTime(each.created);
    const about = sourceOf(each);
    const transfer = about && (await transferOf(call, account, about));
    const debitId = transfer ? transfer.source_transaction?.payment_intent : about?.payment_intent;
    const sessionId = debitId ? await findSessionOfDebit(database, debitId) : undefined;
    const ofOperator = each.fee_details.reduce(
      (sum, { type, amount }) => sum + (type === 'application_fee' ? amount : 0),
      0,
    );
    return {
      bookingId: bookingKey(bookedAt, each.id),
      bookedAt,
      category: categoryOf(each, about, transfer),
      amountCents: each.amount,
      feeCents: each.fee,
      ...(ofOperator !== 0 && { applicationFeeCents: ofOperator }),
      netCents: each.net,
      ...(sessionId !== undefined && { sessionId }),
      ...(about?.object === 'payout' && { sourcePayoutId: about.id }),
    };
  }

  async function sessionsOf(debitIds: Iterable<string>): Promise<string[]> {
    const found = await Promise.all([...new Set(debitIds)].map((debitId) => findSessionOfDebit(database, debitId)));
    return found.filter((sessionId) => sessionId !== undefined);
  }

  return {
    async listBookings(account, page) {
      return list(account, { created: createdIn(page) }, page.after);
    },

    async listDisputes(account, page) {
      const { data, has_more: hasMore } = await call(async (stripe) =>
        z.parse(disputes, await stripe.disputes.list(pageParams(page), on(account))),
      );
      const sessionIds = await sessionsOf(data.flatMap((each) => each.payment_intent ?? []));
      return { sessionIds, after: hasMore ? data.at(-1)?.id : undefined };
    },

    async listPayouts(account, page: ListPage) {
      const { data, has_more: hasMore } = await call(async (stripe) =>
        z.parse(payouts, await stripe.payouts.list(pageParams(page), on(account))),
      );
      return {
        payouts: data.map((each) => ({
          payoutId: each.id,
          payoutKey: bookingKey(toTime(each.created), each.id),
          createdAt: toTime(each.created),
          arrivesOn: toTime(each.arrival_date).slice(0, 10),
          amountCents: each.amount,
          status: each.status,
          itemized: each.automatic && each.reconciliation_status === 'completed',
          ...(each.failure_code && { failureCode: each.failure_code }),
        })),
        after: hasMore ? data.at(-1)?.id : undefined,
      };
    },

    async readBalance(account) {
      const { available } = await call(async (stripe) =>
        z.parse(balance, await stripe.balance.retrieve({}, on(account))),
      );
      return available.reduce((sum, { amount }) => sum + amount, 0);
    },

    async listPayoutBookings(account, payoutId, after) {
      return list(account, { payout: payoutId }, after);
    },
  };
}

function sourceOf({ source: about }: Transaction): Source | undefined {
  return typeof about === 'object' && about ? about : undefined;
}

function categoryOf(
  { reporting_category: category }: Transaction,
  about: Source | undefined,
  transfer: Transfer | undefined,
): BookingCategory {
  const listed = categories[category] ?? 'other';
  if (listed === 'payment' && about?.status === 'pending') return 'processing';
  if (listed === 'payment' && about?.status === 'failed') return 'failure';
  // A reversed transfer is booked as a refund. So is the reversal for a refund to the patient.
  const reversalId = about?.source_transfer_reversal;
  const reversal = transfer?.reversals.data.find(({ id }) => id === reversalId);
  return listed === 'refund' && reversalId && transfer && !reversal?.source_refund ? 'return' : listed;
}

const charge = z.object({ source_transfer: z.nullish(z.string()) });
const anyTransfer = z.object({
  source_transaction: z.nullish(z.object({ payment_intent: z.nullish(z.string()) })),
  reversals: z.object({ data: z.array(z.object({ id: z.string(), source_refund: z.nullish(z.string()) })) }),
});
type Transfer = z.infer<typeof anyTransfer>;

/** The transfer that brought a destination charge to the account. Undefined for a direct charge. */
async function transferOf(call: CallStripe, account: string, about: Source): Promise<Transfer | undefined> {
  const { source_transfer: known, source_transfer_reversal: reversalId, charge: chargeId } = about;
  if (!known && !(reversalId && chargeId)) return undefined;
  return call(async (stripe) => {
    const transferId =
      known ?? z.parse(charge, await stripe.charges.retrieve(chargeId ?? '', {}, on(account))).source_transfer;
    if (!transferId) return undefined;
    return z.parse(anyTransfer, await stripe.transfers.retrieve(transferId, { expand: ['source_transaction'] }));
  });
}
