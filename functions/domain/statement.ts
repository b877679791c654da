import type { Booking, BookingCategory, Payout } from './booking.ts';
import { tracePayouts } from './payout-trace.ts';

/** In cents. `net` is the sum of the others, less the fee. */
interface Amounts {
  readonly grossCents: number;
  readonly refundedCents: number;
  readonly returnedCents: number;
  readonly otherCents: number;
  readonly feeCents: number;
  readonly netCents: number;
}

interface StatementDay extends Amounts {
  readonly day: string;
  /** Of the net, what no payout brought to the bank yet. */
  readonly inTransitCents: number;
  readonly payoutIds: string[];
  /** They should have brought it. */
  readonly failedPayoutIds: string[];
}

interface StatementPayout extends Amounts {
  readonly payoutId: string;
  readonly day: string;
  readonly arrivesOn: string;
  readonly status: Payout['status'];
  readonly failureCode: string | undefined;
  readonly amountCents: number;
  /** The parts add up to the amount. Undefined until the processor says what the parts are. */
  readonly addsUp: boolean | undefined;
  /** Whose money it brings again. */
  readonly failedPayoutIds: string[];
  /** Brings its money again, because it failed. */
  readonly nextPayoutId: string | undefined;
}

/** What the bookings of some days add up to, per day and payout. `dayOf` knows the practice's time zone. */
export function statementOf(
  { bookings, payouts }: { readonly bookings: readonly Booking[]; readonly payouts: readonly Payout[] },
  days: readonly string[],
  dayOf: (time: number) => string,
): { days: StatementDay[]; payouts: StatementPayout[] } {
  const earned = bookings.filter(({ category }) => category !== 'payout' && category !== 'payout_reversal');
  const arrived = new Set(payouts.flatMap(({ status, payoutId }) => (status === 'paid' ? [payoutId] : [])));
  const traceOf = tracePayouts({ bookings, payouts });
  const byDay = Map.groupBy(earned, ({ bookedAt }) => dayOf(Date.parse(bookedAt)));
  const byPayout = Map.groupBy(bookings, ({ payoutId }) => payoutId);
  return {
    days: days.flatMap((day) => {
      const ofDay = byDay.get(day)?.map((each) => ({ ...each, ...traceOf(each.payoutId) }));
      if (!ofDay) return [];
      const waiting = ofDay.filter(({ broughtBy }) => broughtBy === undefined || !arrived.has(broughtBy));
      return [
        {
          day,
          ...amountsOf(ofDay),
          inTransitCents: sum(waiting, 'netCents'),
          payoutIds: unique(ofDay.flatMap(({ broughtBy }) => broughtBy ?? [])),
          failedPayoutIds: unique(ofDay.flatMap(({ failed }) => failed)),
        },
      ];
    }),
    payouts: payouts.flatMap(({ payoutId, createdAt, arrivesOn, status, failureCode, amountCents, itemized }) => {
      const day = dayOf(Date.parse(createdAt));
      if (!days.includes(day)) return [];
      // All but what it took out itself.
      const parts = byPayout.get(payoutId)?.filter(({ sourcePayoutId: source }) => source !== payoutId) ?? [];
      const amounts = amountsOf(parts);
      const { failed, broughtBy } = traceOf(payoutId);
      return [
        {
          payoutId,
          day,
          arrivesOn,
          status,
          failureCode,
          amountCents,
          ...amounts,
          addsUp: itemized ? amounts.netCents === amountCents : undefined,
          failedPayoutIds: unique(
            parts.flatMap(({ category, sourcePayoutId }) => (category === 'payout_reversal' && sourcePayoutId) || []),
          ),
          nextPayoutId: failed.length > 0 ? broughtBy : undefined,
        },
      ];
    }),
  };
}

function amountsOf(bookings: readonly Booking[]): Amounts {
  const of = (...categories: BookingCategory[]) =>
    sum(
      bookings.filter(({ category }) => categories.includes(category)),
      'amountCents',
    );
  return {
    grossCents: of('payment'),
    refundedCents: of('refund'),
    returnedCents: of('return'),
    otherCents: of('other', 'payout', 'payout_reversal'),
    feeCents: sum(bookings, 'feeCents'),
    netCents: sum(bookings, 'netCents'),
  };
}

function sum(bookings: readonly Booking[], field: 'amountCents' | 'feeCents' | 'netCents'): number {
  return bookings.reduce((total, each) => total + each[field], 0);
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
