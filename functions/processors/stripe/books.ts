import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { bookingKey, payout as anyPayout, type BookingCategory } from '../../domain/booking.ts';
import { platformAccount } from '../../domain/reconciliation.ts';
import { second, toIso } from '../../domain/time.ts';
import type { Database } from '../../store/database.ts';
import { findSessionOfDebit } from '../../store/processor-debits.ts';
import type { FoundBooking, ListPage, ProcessorBooks } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { createdIn } from './repair-notifications.ts';

const source = z.nullish(z.union([z.string(), z.object({ payment_intent: z.nullish(z.string()) })]));
const transactions = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      created: z.int(),
      amount: z.int(),
      fee: z.int(),
      net: z.int(),
      reporting_category: z.string(),
      source,
    }),
  ),
  has_more: z.boolean(),
});

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
    }),
  ),
  has_more: z.boolean(),
});

const categories: Readonly<Record<string, BookingCategory>> = {
  charge: 'payment',
  // A debit that failed after it had succeeded.
  charge_failure: 'return',
  dispute: 'return',
  dispute_reversal: 'return',
  refund: 'refund',
  refund_failure: 'refund',
  payout: 'payout',
  payout_reversal: 'payout',
};

const on = (account: string) => (account === platformAccount ? {} : { stripeAccount: account });
const toTime = (created: number) => toIso(created * second);

export function stripeBooks(database: Database<'processorDebits'>, call: CallStripe): ProcessorBooks {
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
    return { bookings: data.map(toBooking), after: hasMore ? data.at(-1)?.id : undefined, data };
  }

  return {
    async listBookings(account, page) {
      const { bookings, after, data } = await list(account, { created: createdIn(page) }, page.after);
      const debitIds = new Set(
        data.flatMap((each) => (typeof each.source === 'object' && each.source?.payment_intent) || []),
      );
      const sessions = await Promise.all([...debitIds].map((debitId) => findSessionOfDebit(database, debitId)));
      return { bookings, after, sessionIds: sessions.filter((found) => found !== undefined) };
    },

    async listPayouts(account, page: ListPage) {
      const { data, has_more: hasMore } = await call(async (stripe) =>
        z.parse(
          payouts,
          await stripe.payouts.list(
            {
              created: createdIn(page),
              limit: 100,
              ...(page.after !== undefined && { starting_after: page.after }),
            },
            on(account),
          ),
        ),
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
        })),
        after: hasMore ? data.at(-1)?.id : undefined,
      };
    },

    async listPayoutBookings(account, payoutId, after) {
      return list(account, { payout: payoutId }, after);
    },
  };
}

function toBooking(each: z.infer<typeof transactions>['data'][number]): FoundBooking {
  const bookedAt = toTime(each.created);
  return {
    bookingId: bookingKey(bookedAt, each.id),
    bookedAt,
    category: categories[each.reporting_category] ?? 'other',
    amountCents: each.amount,
    feeCents: each.fee,
    netCents: each.net,
  };
}
