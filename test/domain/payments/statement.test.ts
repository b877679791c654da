import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Booking, Payout } from '../../../functions/domain/payments/booking.ts';
import { partsOf, statementOf, withoutFailures } from '../../../functions/domain/payments/statement.ts';
import { daysIn, daysUntil, toIso } from '../../../functions/domain/time.ts';

const days = daysUntil('2026-11-30', 30);
const dayOf = daysIn('America/Los_Angeles');
const first = Date.parse('2026-11-01T07:00:00.000Z');
const last = Date.parse('2026-12-01T07:59:59.000Z');

const payoutIds = ['po_1', 'po_2', 'po_3'];
const aBooking: fc.Arbitrary<Booking> = fc
  .record({
    at: fc.integer({ min: first, max: last }),
    category: fc.constantFrom<Booking['category'][]>('payment', 'processing', 'failure', 'refund', 'return', 'other'),
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

const isEarned = ({ category }: Booking) => category !== 'payout' && category !== 'payout_reversal';

type Step = { readonly book: number } | 'pay_out' | 'arrive' | 'fail';
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ book: fc.integer({ min: -100_000, max: 1_000_000 }) }),
  fc.constantFrom('pay_out', 'arrive', 'fail'),
);

/** An account at the processor: each payout takes everything in it, and a failed payout puts it back. */
function play(steps: readonly Step[]) {
  const bookings: Booking[] = [];
  const payouts: Payout[] = [];
  const waiting = () => bookings.filter(({ payoutId }) => payoutId === undefined);
  const takeAll = (payoutId: string) => {
    for (const each of waiting()) bookings[bookings.indexOf(each)] = { ...each, payoutId };
  };
  function book(category: Booking['category'], cents: number, sourcePayoutId?: string) {
    const bookedAt = toIso(first + bookings.length * 3_600_000);
    const amounts = { amountCents: cents, feeCents: 0, netCents: cents };
    const bookingId = `${bookedAt}#${bookings.length}`;
    bookings.push({
      practiceId: 'prc_1',
      bookingId,
      bookedAt,
      category,
      ...amounts,
      ...(sourcePayoutId && { sourcePayoutId }),
    });
  }
  for (const step of steps) {
    const last = payouts.at(-1);
    if (typeof step === 'object') book('payment', step.book);
    else if (step === 'pay_out') {
      const amountCents = sumOf(waiting().map(({ netCents }) => netCents));
      const payoutId = `po_${payouts.length + 1}`;
      if (amountCents <= 0) continue;
      book('payout', -amountCents, payoutId);
      takeAll(payoutId);
      const [template] = payoutsOf([], []);
      payouts.push({ ...template!, payoutId, payoutKey: payoutId, amountCents });
    } else if (last?.status === 'in_transit') {
      payouts[payouts.length - 1] = { ...last, status: step === 'fail' ? 'failed' : 'paid' };
      if (step === 'fail') book('payout_reversal', last.amountCents, last.payoutId);
    }
  }
  const arrivedCents = sumOf(payouts.filter(({ status }) => status === 'paid').map(({ amountCents }) => amountCents));
  return { bookings, payouts, arrivedCents };
}

describe('a statement', () => {
  it('adds up: what was booked is paid out or in transit, and each line to its net', () => {
    fc.assert(
      fc.property(fc.array(aBooking), fc.subarray(payoutIds), (bookings, paid) => {
        const payouts = payoutsOf(bookings, paid);
        const found = statementOf({ bookings, payouts }, days, dayOf);
        const booked = sumOf(bookings.map(({ netCents }) => netCents));
        const processing = sumOf(found.days.map(({ processingCents }) => processingCents));
        expect(sumOf(found.days.map(({ netCents }) => netCents)) + processing).toBe(booked);
        const arrived = found.payouts.filter(({ status }) => status === 'paid').map(({ amountCents }) => amountCents);
        const inTransit = sumOf(found.days.map(({ inTransitCents }) => inTransitCents));
        expect(sumOf(arrived) + inTransit + processing).toBe(booked);
        for (const line of [...found.days, ...found.payouts]) {
          const { grossCents, refundedCents, returnedCents, otherCents, feeCents } = line;
          expect(grossCents + refundedCents + returnedCents + otherCents - feeCents).toBe(line.netCents);
        }
        expect(found.payouts.every(({ addsUp }) => addsUp)).toBe(true);
      }),
    );
  });

  it('has no gross and no return of a debit that failed, and none yet of one that is processing', () => {
    const made = '2026-11-05T12:00:00.000Z';
    const [template] = fc.sample(aBooking, 1);
    const book = (category: Booking['category'], cents: number, bookedAt = made): Booking => {
      const [feeCents, netCents] = [cents / 100, cents - cents / 100];
      return { ...template!, category, amountCents: cents, feeCents, netCents, bookedAt, payoutId: undefined };
    };
    const failed = book('failure', 3000);
    const bookedBack = book('failure', -3000, '2026-11-09T12:00:00.000Z');
    const bookings = [book('payment', 10_000), failed, book('processing', 70_000)];
    const ofMonth = (all: Booking[]) => statementOf({ bookings: all, payouts: [] }, days, dayOf).days;
    const settled = { day: '2026-11-05', grossCents: 10_000, feeCents: 100, returnedCents: 0, otherCents: 0 };
    const amounts = { ...settled, netCents: 9900, inTransitCents: 9900 };
    expect(ofMonth([...bookings, bookedBack])).toMatchObject([{ ...amounts, processingCents: 69_300 }]);
    expect(ofMonth(bookings)).toMatchObject([{ ...amounts, processingCents: 69_300 + 2970 }]);
    const withFee = { ...bookedBack, feeCents: 370, netCents: -3370 };
    expect(ofMonth([failed, withFee])).toMatchObject([
      { day: '2026-11-09', otherCents: 0, feeCents: 400, netCents: -400 },
    ]);
  });

  it("adds up the operator's part of the fees, also of a debit that failed and of what took its money back", () => {
    const [template] = fc.sample(aBooking, 1);
    const at = { ...template!, bookedAt: '2026-11-05T12:00:00.000Z', payoutId: undefined };
    const payments = [30, 20].map(
      (applicationFeeCents) => ({ ...at, category: 'payment', applicationFeeCents }) as const,
    );
    const debit = { ...at, category: 'failure', amountCents: 3000, feeCents: 30, netCents: 2970 } as const;
    const back = { ...debit, amountCents: -3000, netCents: -3030 };
    const partOf = (bookings: Booking[]) =>
      statementOf({ bookings, payouts: [] }, days, dayOf).days[0]?.applicationFeeCents;
    expect(partOf(payments)).toBe(50);
    expect(partOf([debit, back])).toBe(0);
    expect(
      partOf([
        { ...debit, applicationFeeCents: 7 },
        { ...back, applicationFeeCents: 4 },
      ]),
    ).toBe(11);
  });

  it('pairs no failed debit of one payout with money that another payout took back', () => {
    const [template] = fc.sample(aBooking, 1);
    const amounts = { amountCents: 3000, feeCents: 0, netCents: 3000 };
    const debit: Booking = { ...template!, category: 'failure', ...amounts, payoutId: 'po_1' };
    const back = { ...debit, amountCents: -3000, netCents: -3000 };
    expect(withoutFailures([debit, { ...back, payoutId: 'po_2' }])).toHaveLength(2);
    expect(withoutFailures([debit, back])).toEqual([]);
  });

  it('has a payment on the day when it was paid, not when its debit was made', () => {
    const [booking] = fc.sample(aBooking, 1);
    const paid = { ...booking!, bookedAt: '2026-10-30T12:00:00.000Z', paidAt: '2026-11-04T12:00:00.000Z' };
    expect(statementOf({ bookings: [paid], payouts: [] }, days, dayOf).days).toMatchObject([{ day: '2026-11-04' }]);
  });

  it("uses the practice's days", () => {
    const [booking] = fc.sample(aBooking, 1);
    const late = { ...booking!, category: 'payment' as const, bookedAt: '2026-11-10T07:59:00.000Z' };
    expect(statementOf({ bookings: [late], payouts: [] }, days, dayOf).days).toMatchObject([{ day: '2026-11-09' }]);
  });

  it('adds up whichever payouts fail, and counts money of failed payouts as in transit', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 40 }), (steps) => {
        const { bookings, payouts, arrivedCents } = play(steps);
        const found = statementOf({ bookings, payouts }, days, dayOf);
        const earned = sumOf(bookings.filter(isEarned).map(({ netCents }) => netCents));
        const inTransit = sumOf(found.days.map(({ inTransitCents }) => inTransitCents));
        expect(sumOf(found.days.map(({ netCents }) => netCents))).toBe(earned);
        expect(arrivedCents + inTransit).toBe(earned);
        expect(found.payouts.map(({ addsUp }) => addsUp)).toEqual(payouts.map(() => true));
        const failed = new Set(payouts.flatMap(({ status, payoutId }) => (status === 'failed' ? [payoutId] : [])));
        for (const day of found.days) {
          expect(day.payoutIds.filter((id) => failed.has(id))).toEqual([]);
          expect(day.failedPayoutIds.every((id) => failed.has(id))).toBe(true);
        }
      }),
    );
  });

  it('says which payout failed, and which one delivers its money', () => {
    const steps = [{ book: 500 }, 'pay_out', 'fail', { book: 700 }, 'pay_out', 'fail', 'pay_out'] as const;
    const { bookings, payouts } = play(steps);
    const found = statementOf({ bookings, payouts }, days, dayOf);
    expect(found.payouts).toMatchObject([
      { payoutId: 'po_1', status: 'failed', nextPayoutId: 'po_3', failedPayoutIds: [], amountCents: 500 },
      { payoutId: 'po_2', status: 'failed', nextPayoutId: 'po_3', failedPayoutIds: ['po_1'], amountCents: 1200 },
      { payoutId: 'po_3', status: 'in_transit', failedPayoutIds: ['po_2'], grossCents: 0, otherCents: 1200 },
    ]);
    expect(found.days.flatMap(({ payoutIds }) => payoutIds)).toEqual(['po_3']);
    expect(found.days.flatMap(({ failedPayoutIds }) => failedPayoutIds)).toEqual(['po_1', 'po_2']);
    expect(sumOf(found.days.map(({ inTransitCents }) => inTransitCents))).toBe(1200);
  });

  it.each(['failed', 'canceled'] as const)(
    'knows no payout that delivers the money of one that %s until it is booked back',
    (status) => {
      const { bookings, payouts } = play([{ book: 500 }, 'pay_out']);
      const ended = payouts.map((each) => ({ ...each, status }));
      const found = statementOf({ bookings, payouts: ended }, days, dayOf);
      expect(found.days).toMatchObject([{ payoutIds: [], failedPayoutIds: ['po_1'], inTransitCents: 500 }]);
      expect(found.payouts).toMatchObject([{ payoutId: 'po_1', nextPayoutId: undefined }]);
    },
  );

  it('has in a payout only what that payout brought, without the booking that paid it out', () => {
    const { bookings } = play([{ book: 500 }, 'pay_out', 'arrive', { book: 700 }, 'pay_out']);
    expect(partsOf(bookings, 'po_1').map(({ amountCents }) => amountCents)).toEqual([500]);
    expect(partsOf(bookings, 'po_2').map(({ amountCents }) => amountCents)).toEqual([700]);
  });

  it('lists no payout of another day, and no next payout while none has failed', () => {
    const { bookings, payouts } = play([{ book: 500 }, 'pay_out', 'arrive']);
    const [template] = payouts;
    const earlier = { ...template!, payoutId: 'po_0', createdAt: '2026-10-31T12:00:00.000Z' };
    const found = statementOf({ bookings, payouts: [earlier, ...payouts] }, days, dayOf);
    expect(found.payouts.map(({ payoutId, nextPayoutId }) => [payoutId, nextPayoutId])).toEqual([['po_1', undefined]]);
  });

  it('says when the parts of a payout do not add up to it', () => {
    const [payout] = payoutsOf([], ['po_1']);
    expect(statementOf({ bookings: [], payouts: [payout!] }, days, dayOf).payouts).toMatchObject([
      { addsUp: true, failedPayoutIds: [] },
    ]);
    const listing = { ...payout!, itemized: false };
    expect(statementOf({ bookings: [], payouts: [listing] }, days, dayOf).payouts[0]?.addsUp).toBeUndefined();
    const { payouts } = statementOf({ bookings: [], payouts: [{ ...payout!, amountCents: 5 }] }, days, dayOf);
    expect(payouts).toMatchObject([{ addsUp: false }]);
  });
});
