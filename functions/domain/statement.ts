import type { Booking, BookingCategory, Payout } from './booking.ts';

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
}

interface StatementPayout extends Amounts {
  readonly payoutId: string;
  readonly day: string;
  readonly arrivesOn: string;
  readonly status: Payout['status'];
  readonly amountCents: number;
  /** The parts add up to the amount. Undefined until the processor says what the parts are. */
  readonly addsUp: boolean | undefined;
}

/** What the bookings of some days add up to, per day and payout. `dayOf` knows the practice's time zone. */
export function statementOf(
  { bookings, payouts }: { readonly bookings: readonly Booking[]; readonly payouts: readonly Payout[] },
  days: readonly string[],
  dayOf: (time: number) => string,
): { days: StatementDay[]; payouts: StatementPayout[] } {
  const earned = bookings.filter(({ category }) => category !== 'payout');
  const arrived = new Set(payouts.flatMap(({ status, payoutId }) => (status === 'paid' ? [payoutId] : [])));
  const byDay = groupBy(earned, ({ bookedAt }) => dayOf(Date.parse(bookedAt)));
  const byPayout = groupBy(bookings, ({ payoutId }) => payoutId);
  return {
    days: days.flatMap((day) => {
      const ofDay = byDay.get(day);
      if (!ofDay) return [];
      const waiting = ofDay.filter(({ payoutId }) => payoutId === undefined || !arrived.has(payoutId));
      const payoutIds = [...new Set(ofDay.flatMap(({ payoutId }) => payoutId ?? []))];
      return [{ day, ...amountsOf(ofDay), inTransitCents: sum(waiting, 'netCents'), payoutIds }];
    }),
    payouts: payouts.flatMap(({ payoutId, createdAt, arrivesOn, status, amountCents, itemized }) => {
      const day = dayOf(Date.parse(createdAt));
      if (!days.includes(day)) return [];
      // Of the payouts among them, all but this one itself: a payout that failed is paid out again.
      const parts = byPayout
        .get(payoutId)
        ?.filter((each) => each.category !== 'payout' || each.netCents !== -amountCents);
      const amounts = amountsOf(parts ?? []);
      const addsUp = itemized ? amounts.netCents === amountCents : undefined;
      return [{ payoutId, day, arrivesOn, status, amountCents, ...amounts, addsUp }];
    }),
  };
}

function amountsOf(bookings: readonly Booking[]): Amounts {
  const of = (category: BookingCategory) =>
    sum(
      bookings.filter((each) => each.category === category),
      'amountCents',
    );
  return {
    grossCents: of('payment'),
    refundedCents: of('refund'),
    returnedCents: of('return'),
    otherCents: of('other') + of('payout'),
    feeCents: sum(bookings, 'feeCents'),
    netCents: sum(bookings, 'netCents'),
  };
}

function sum(bookings: readonly Booking[], field: 'amountCents' | 'feeCents' | 'netCents'): number {
  return bookings.reduce((total, each) => total + each[field], 0);
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
