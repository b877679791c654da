import { timeOf, type Booking, type BookingCategory, type Payout } from './booking.ts';

/** Adds up the bookings per day and per payout. `dayOf` returns the day in the practice's time zone. */
export function statementOf(
  { bookings, payouts }: { readonly bookings: readonly Booking[]; readonly payouts: readonly Payout[] },
  days: readonly string[],
  dayOf: (time: number) => string,
) {
  const shown = withoutFailures(bookings).filter(({ category }) => !isPayout(category));
  const arrived = new Set(payouts.flatMap(({ status, payoutId }) => (status === 'paid' ? [payoutId] : [])));
  const traceOf = tracePayouts({ bookings, payouts });
  const byDay = Map.groupBy(shown, (each) => dayOf(Date.parse(timeOf(each))));
  const byPayout = Map.groupBy(bookings, ({ payoutId }) => payoutId);
  return {
    days: days.flatMap((day) => {
      const all = byDay.get(day);
      if (!all) return [];
      const [processing, settled] = [all.filter(isProcessing), all.filter((each) => !isProcessing(each))];
      const ofDay = settled.map((each) => ({ ...each, ...traceOf(each.payoutId) }));
      const waiting = ofDay.filter(({ broughtBy }) => broughtBy === undefined || !arrived.has(broughtBy));
      return [
        {
          day,
          ...amountsOf(ofDay),
          processingCents: sum(processing, 'netCents'),
          inTransitCents: sum(waiting, 'netCents'),
          payoutIds: unique(ofDay.flatMap(({ broughtBy }) => broughtBy ?? [])),
          failedPayoutIds: unique(ofDay.flatMap(({ failed }) => failed)),
        },
      ];
    }),
    payouts: payouts.flatMap(({ payoutId, createdAt, arrivesOn, status, failureCode, amountCents, itemized }) => {
      const day = dayOf(Date.parse(createdAt));
      if (!days.includes(day)) return [];
      const parts = partsOf(byPayout.get(payoutId) ?? [], payoutId);
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

/** Everything in the payout except the booking that paid it out. */
export function partsOf(bookings: readonly Booking[], payoutId: string): Booking[] {
  return bookings.filter((each) => each.payoutId === payoutId && each.sourcePayoutId !== payoutId);
}

function isPayout(category: BookingCategory): boolean {
  return category === 'payout' || category === 'payout_reversal';
}

/** Includes a failed debit whose money is not booked back yet. Whatever is part of a payout is settled. */
export function isProcessing({ category, amountCents, payoutId }: Booking): boolean {
  if (payoutId !== undefined) return false;
  return category === 'processing' || (category === 'failure' && amountCents > 0);
}

/** `netCents` is the sum of the other amounts, less the fee. */
function amountsOf(bookings: readonly Booking[]) {
  const of = (...categories: BookingCategory[]) =>
    sum(
      bookings.filter(({ category }) => categories.includes(category)),
      'amountCents',
    );
  return {
    grossCents: of('payment', 'processing'),
    refundedCents: of('refund'),
    returnedCents: of('return'),
    otherCents: of('other', 'failure', 'payout', 'payout_reversal'),
    feeCents: sum(bookings, 'feeCents'),
    applicationFeeCents: bookings.reduce((total, { applicationFeeCents = 0 }) => total + applicationFeeCents, 0),
    netCents: sum(bookings, 'netCents'),
  };
}

function sum(bookings: readonly Booking[], field: 'amountCents' | 'feeCents' | 'netCents'): number {
  return bookings.reduce((total, each) => total + each[field], 0);
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

interface Trace {
  /** The payouts that failed to deliver the money, oldest first. */
  readonly failed: readonly string[];
  /** The payout that delivered it or is about to. Undefined while it waits for one. */
  readonly broughtBy: string | undefined;
}

/** Follows the money of a failed payout: it is booked back, and that booking is part of a later payout. */
function tracePayouts({
  bookings,
  payouts,
}: {
  readonly bookings: readonly Booking[];
  readonly payouts: readonly Payout[];
}): (payoutId: string | undefined) => Trace {
  const ended = payouts.filter(({ status }) => status === 'failed' || status === 'canceled');
  const next = new Map<string, string | undefined>(ended.map(({ payoutId }) => [payoutId, undefined]));
  for (const { category, sourcePayoutId, payoutId } of bookings)
    if (category === 'payout_reversal' && sourcePayoutId !== undefined) next.set(sourcePayoutId, payoutId);

  return (payoutId) => {
    const failed: string[] = [];
    let broughtBy = payoutId;
    while (broughtBy !== undefined && next.has(broughtBy) && !failed.includes(broughtBy)) {
      failed.push(broughtBy);
      broughtBy = next.get(broughtBy);
    }
    return { failed, broughtBy };
  };
}

/**
 * Drops debits that failed or were voided, along with the bookings that took their money back: together they change a
 * balance by nothing, or by a fee. Pairs them by amount, because the processor may not say which debit failed. Unpaired
 * ones stay.
 */
export function withoutFailures(bookings: readonly Booking[]): Booking[] {
  const open = new Map<string, Booking[]>();
  const left = new Set(bookings);
  for (const each of bookings) {
    if (each.category !== 'failure') continue;
    const key = (amountCents: number) => `${each.payoutId ?? ''} ${amountCents}`;
    const debit = open.get(key(-each.amountCents))?.shift();
    if (!debit) {
      open.set(key(each.amountCents), [...(open.get(key(each.amountCents)) ?? []), each]);
      continue;
    }
    left.delete(debit);
    left.delete(each);
    const [feeCents, netCents] = [debit.feeCents + each.feeCents, debit.netCents + each.netCents];
    const applicationFeeCents = (debit.applicationFeeCents ?? 0) + (each.applicationFeeCents ?? 0);
    if (netCents !== 0) left.add({ ...each, amountCents: 0, feeCents, applicationFeeCents, netCents });
  }
  return [...left];
}
