import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Booking, Payout } from '../../functions/domain/booking.ts';
import { statementOf } from '../../functions/domain/statement.ts';
import { daysIn, daysUntil } from '../../functions/domain/time-zone.ts';
import { toIso } from '../../functions/domain/time.ts';

const days = daysUntil('2026-11-30', 30);
const dayOf = daysIn('America/Los_Angeles');
const first = Date.parse('2026-11-01T07:00:00.000Z');
const last = Date.parse('2026-12-01T07:59:59.000Z');

const payoutIds = ['po_1', 'po_2', 'po_3'];
const aBooking: fc.Arbitrary<Booking> = fc
  .record({
    at: fc.integer({ min: first, max: last }),
    category: fc.constantFrom<Booking['category'][]>('payment', 'refund', 'return', 'other'),
    amountCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    feeCents: fc.integer({ min: 0, max: 500 }),
    payoutId: fc.option(fc.constantFrom(...payoutIds), { nil: undefined }),
  })
  .map(({ at, payoutId, ...rest }) => ({
    practiceId: 'prc_1',
    bookingId: `${toIso(at)}#txn`,
    bookedAt: toIso(at),
    netCents: rest.amountCents - rest.feeCents,
    ...rest,
    ...(payoutId !== undefined && { payoutId }),
  }));

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** Payouts as the processor makes them: each is what its bookings add up to. */
function payoutsOf(bookings: readonly Booking[], paid: readonly string[]): Payout[] {
  return payoutIds.map((payoutId) => ({
    practiceId: 'prc_1',
    payoutKey: payoutId,
    payoutId,
    createdAt: '2026-11-20T12:00:00.000Z',
    arrivesOn: '2026-11-22',
    amountCents: sumOf(bookings.filter((each) => each.payoutId === payoutId).map(({ netCents }) => netCents)),
    status: paid.includes(payoutId) ? 'paid' : 'in_transit',
    itemized: true,
  }));
}

describe('a statement', () => {
  it('adds up: what was booked is paid out or in transit, and each line to its net', () => {
    fc.assert(
      fc.property(fc.array(aBooking), fc.subarray(payoutIds), (bookings, paid) => {
        const payouts = payoutsOf(bookings, paid);
        const found = statementOf({ bookings, payouts }, days, dayOf);
        const booked = sumOf(bookings.map(({ netCents }) => netCents));
        expect(sumOf(found.days.map(({ netCents }) => netCents))).toBe(booked);
        const arrived = found.payouts.filter(({ status }) => status === 'paid').map(({ amountCents }) => amountCents);
        expect(sumOf(arrived) + sumOf(found.days.map(({ inTransitCents }) => inTransitCents))).toBe(booked);
        for (const line of [...found.days, ...found.payouts]) {
          const { grossCents, refundedCents, returnedCents, otherCents, feeCents } = line;
          expect(grossCents + refundedCents + returnedCents + otherCents - feeCents).toBe(line.netCents);
        }
        expect(found.payouts.every(({ addsUp }) => addsUp)).toBe(true);
      }),
    );
  });

  it("uses the practice's days", () => {
    const [booking] = fc.sample(aBooking, 1);
    const late = { ...booking!, bookedAt: '2026-11-10T07:59:00.000Z' };
    expect(statementOf({ bookings: [late], payouts: [] }, days, dayOf).days).toMatchObject([{ day: '2026-11-09' }]);
  });

  it('adds up where a payout brings what an earlier one failed to bring', () => {
    const [sample] = fc.sample(aBooking, 1);
    const book = (category: Booking['category'], amountCents: number): Booking => ({
      ...sample!,
      category,
      amountCents,
      feeCents: 0,
      netCents: amountCents,
      payoutId: 'po_1',
    });
    const bookings = [book('payment', 500), book('payout', 700), book('payout', -1200)];
    const [payout] = payoutsOf([], ['po_1']);
    const { payouts } = statementOf({ bookings, payouts: [{ ...payout!, amountCents: 1200 }] }, days, dayOf);
    expect(payouts).toMatchObject([{ grossCents: 500, otherCents: 700, netCents: 1200, addsUp: true }]);
  });

  it('says when the parts of a payout do not add up to it', () => {
    const [payout] = payoutsOf([], ['po_1']);
    const { payouts } = statementOf({ bookings: [], payouts: [{ ...payout!, amountCents: 5 }] }, days, dayOf);
    expect(payouts).toMatchObject([{ addsUp: false }]);
  });
});
