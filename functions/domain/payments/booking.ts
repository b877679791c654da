import * as z from 'zod/mini';
import { isoTime } from '../time.ts';

const categories = [
  /** A debit that the bank has paid. */
  'payment',
  /** A debit that the bank has not answered. It becomes a payment or a failure. */
  'processing',
  /** A debit that failed or was voided, and the booking that takes its money back. */
  'failure',
  'refund',
  'return',
  'payout',
  'payout_reversal',
  'other',
] as const;
export type BookingCategory = (typeof categories)[number];

/** A change of a practice's balance at the processor. Negative amounts shrink the balance. */
export const booking = z.object({
  practiceId: z.string(),
  /** Starts with the time, so that a query can name a period. */
  bookingId: z.string(),
  bookedAt: isoTime,
  category: z.enum(categories),
  amountCents: z.int(),
  feeCents: z.int(),
  /** The operator's part of the fee, if it takes one. */
  applicationFeeCents: z.optional(z.int()),
  netCents: z.int(),
  /** Absent if the processor does not say which debit the booking is about. */
  sessionId: z.optional(z.string()),
  /** When a payment was paid. It is booked earlier, when its debit is made. */
  paidAt: z.optional(isoTime),
  /** The payout that includes this booking. */
  payoutId: z.optional(z.string()),
  /** The payout that this booking paid out or reversed. */
  sourcePayoutId: z.optional(z.string()),
});
export type Booking = z.infer<typeof booking>;

const payoutStatuses = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

export const payout = z.object({
  practiceId: z.string(),
  payoutKey: z.string(),
  payoutId: z.string(),
  createdAt: isoTime,
  /** Like 2026-11-20. */
  arrivesOn: z.string(),
  amountCents: z.int(),
  status: z.enum(payoutStatuses),
  /** Whether the processor has listed the bookings in this payout. */
  itemized: z.boolean(),
  /** The processor's word, such as `account_closed`. */
  failureCode: z.optional(z.string()),
});
export type Payout = z.infer<typeof payout>;

/** A statement lists the booking on the day of this time. */
export function timeOf({ bookedAt, paidAt }: Booking): string {
  return paidAt ?? bookedAt;
}

export function bookingKey(bookedAt: string, id: string): string {
  return `${bookedAt}#${id}`;
}

/** Everything before `from` has been read; from `from` to `to`, everything up to `after`. */
const progress = z.object({ from: isoTime, to: z.optional(isoTime), after: z.optional(z.string()) });
export type Progress = z.infer<typeof progress>;

/** How far an account at the processor has been compared with our records. */
export const reconciliation = z.object({
  account: z.string(),
  /** The practice that has or had the account. Absent for our own account. */
  practiceId: z.optional(z.string()),
  notifications: z.optional(progress),
  disputes: z.optional(progress),
  bookings: z.optional(progress),
  payouts: z.optional(progress),
  /** The account's available balance, in cents. Negative if more was taken back than it held. */
  balance: z.optional(z.object({ availableCents: z.int(), at: isoTime })),
  /** How far the evidence archive was checked. Only in the platform's row. */
  evidence: z.optional(progress),
});
export type Reconciliation = z.infer<typeof reconciliation>;

/** Our own account, which makes the destination charges. */
export const platformAccount = 'platform';
