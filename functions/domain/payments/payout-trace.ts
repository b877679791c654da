import type { Booking, Payout } from './booking.ts';

interface Trace {
  /** The payouts that failed to bring the money, oldest first. */
  readonly failed: readonly string[];
  /** The payout that brought it or is about to. Undefined while it waits for one. */
  readonly broughtBy: string | undefined;
}

/** Follows the money of a failed payout: it is booked back, and that booking is part of a later payout. */
export function tracePayouts({
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
