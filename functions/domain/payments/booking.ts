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
  /** When a payment was paid: it is booked when its debit is made. */
  paidAt: z.optional(isoTime),
  /** The payout that includes this booking. */
  payoutId: z.optional(z.string()),
  /** The payout that this booking paid out, or that it reversed. */
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

/** The day of this time is the booking's day in a statement. */
export function timeOf({ bookedAt, paidAt }: Booking): string {
  return paidAt ?? bookedAt;
}

export function bookingKey(bookedAt: string, id: string): string {
  return `${bookedAt}#${id}`;
}
