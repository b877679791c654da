import type { Booking } from './booking.ts';

/**
 * Leaves out debits that failed or were voided with the bookings that took their money back: they change a balance by
 * nothing, or by a fee. Pairs them by their amount, because the processor may not say which debit failed. What has no
 * counterpart stays.
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
    if (netCents !== 0) left.add({ ...each, amountCents: 0, feeCents, netCents });
  }
  return [...left];
}
