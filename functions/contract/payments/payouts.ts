import * as z from 'zod/mini';
import { booking, payout } from '../../domain/payments/booking.ts';
import { givenTime, isoTime } from '../../domain/time.ts';
import { invalidCursor, pageParameters, pageQuery } from '../page.ts';
import { keyProblems, type PracticeRoute, withKey } from '../practice-route.ts';
import { invalidRequest, type Problems } from '../problems.ts';

/** A booking, with the practice's own references for its payment. */
export const payoutLine = z.object({
  /** When it was paid, refunded, returned or paid out, depending on `category`. */
  at: isoTime,
  category: booking.shape.category,
  /** The next three are absent if the processor does not say which payment the booking is about. */
  sessionId: z.optional(z.string()),
  invoiceId: z.optional(z.string()),
  receiptNumber: z.optional(z.string()),
  amountCents: z.int(),
  feeCents: z.int(),
  /** The part of the fee that the operator takes. Absent if it takes none. */
  applicationFeeCents: z.optional(z.int()),
  netCents: z.int(),
  /** The payout that includes this booking, or that this booking paid out. */
  payoutId: z.optional(z.string()),
  /** The booking's ID at the processor. */
  bookingId: z.string(),
});
export type PayoutLine = z.infer<typeof payoutLine>;

const payoutFields = {
  payoutId: z.string(),
  createdAt: isoTime,
  /** Like 2026-11-20. */
  arrivesOn: z.string(),
  status: payout.shape.status,
  /** The processor's code, if the payout failed. */
  failureCode: z.optional(z.string()),
  amountCents: z.int(),
};

export const listedPayout = z.object(payoutFields);
export const payoutList = z.object({ data: z.array(listedPayout), nextCursor: z.nullable(z.string()) });
export const openedPayout = z.object({
  ...payoutFields,
  /** Whether the lines add up to the amount. Absent until the processor lists them. */
  addsUp: z.optional(z.boolean()),
  /** If this payout failed: the later payout that delivers its money. */
  nextPayoutId: z.optional(z.string()),
  lines: z.array(payoutLine),
});

export const payoutNotFound = {
  payout_not_found: { status: 404, title: 'The payout was not found.' },
} as const satisfies Problems;

export const practicePayoutRoutes = {
  listPayouts: {
    ...withKey('payouts:read', 'GET', '/api/practice/payouts'),
    summary: 'List payouts',
    description:
      'The deposits to the bank account of the practice, newest first, one page at a time. Up to a day old. A sandbox pays nothing out, so its list is empty.',
    query: z.strictObject({ since: z.optional(givenTime), ...pageQuery }),
    parameters: { since: 'Only payouts made at this time or later.', ...pageParameters },
    response: payoutList,
    problems: { ...keyProblems, ...invalidRequest, ...invalidCursor },
  },
  getPayout: {
    ...withKey('payouts:read', 'GET', '/api/practice/payouts/{payoutId}'),
    summary: 'Get a payout',
    description:
      "A deposit with the invoices, refunds, returns and fees that it is made of. Up to a day old. Another practice's payout is reported as not found.",
    params: z.object({ payoutId: z.string() }),
    parameters: { payoutId: 'The `payoutId` of the payout.' },
    response: openedPayout,
    problems: { ...keyProblems, ...payoutNotFound },
  },
} as const satisfies Readonly<Record<string, PracticeRoute>>;
