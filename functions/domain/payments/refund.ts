import * as z from 'zod/mini';
import { day, isoTime } from '../time.ts';

const totals = {
  /** Given back to the patient, or on its way. */
  amountCents: z.int(),
  /** The last refund's status. Absent if there was none. */
  status: z.optional(z.enum(['pending', 'succeeded', 'failed'])),
  /** On its way. */
  pendingCents: z.optional(z.int()),
  /** Refunds that the bank did not take: the practice has this money again. */
  failedCents: z.optional(z.int()),
};
const refundTotals = z.object(totals);

/** Totals of all refunds of one debit, as the processor reports them. */
export type RefundTotals = z.infer<typeof refundTotals>;

/** How much of a settled debit was refunded. The session stays succeeded. */
export const refund = z.object({ ...totals, refundedAt: isoTime });

/** A refund that an admin asked for. */
export const refundOrder = z.object({
  id: z.string(),
  amountCents: z.int(),
  /** When its audit entry was written, in milliseconds since 1970, to keep the row small. */
  at: z.int(),
  /** Present until the processor has accepted it. */
  isOpen: z.optional(z.literal(true)),
});
export type RefundOrder = z.infer<typeof refundOrder>;

/** How long a debit can be refunded after it settled. */
export const refundPeriod = 180 * day;

const none: RefundTotals = { amountCents: 0 };

/** Adds one more refund that is on its way. */
export function withPending(
  { amountCents, pendingCents = 0, ...rest }: RefundTotals = none,
  cents: number,
): RefundTotals {
  return { ...rest, amountCents: amountCents + cents, pendingCents: pendingCents + cents, status: 'pending' };
}

/** What has arrived at the patient's bank, in cents. */
export function givenBack({ amountCents, pendingCents = 0 }: RefundTotals = none): number {
  return amountCents - pendingCents;
}

interface Refunded {
  readonly amountCents: number;
  readonly claimsInvoice?: boolean | undefined;
  readonly refundReleased?: boolean | undefined;
  readonly return?: object | undefined;
}

/** A full refund releases the invoice, which can then be paid again. If that refund fails later, the session claims the invoice again. */
export function claimAfterRefund(session: Refunded, totals: RefundTotals): 'release' | 'claim' | 'keep' {
  const isWhole = givenBack(totals) >= session.amountCents;
  if (isWhole) return session.claimsInvoice === true ? 'release' : 'keep';
  return session.refundReleased === true && session.return === undefined ? 'claim' : 'keep';
}

/** Whether money was refunded or is on its way. A failed refund does not count. */
export function hasRefund<Refund extends RefundTotals>(refund: Refund | undefined): refund is Refund {
  return refund !== undefined && refund.amountCents > 0;
}

/** Whether the totals are the same as without any refund. */
export function isNothing({ amountCents, failedCents = 0 }: RefundTotals): boolean {
  return amountCents === 0 && failedCents === 0;
}

interface RefundStep {
  readonly totals: RefundTotals;
  /** Undefined if nobody is told: the refund is on its way. */
  readonly event: 'refund' | 'failRefund' | undefined;
}

/** The next step from what the session says to what the processor says. Undefined if they agree. */
export function nextRefundStep(known: RefundTotals = none, found: RefundTotals = none): RefundStep | undefined {
  const { failedCents: failed = 0 } = known;
  if (givenBack(found) > givenBack(known)) {
    const { failedCents: _, ...succeeded } = found;
    return { event: 'refund', totals: { ...succeeded, ...(failed > 0 && { failedCents: failed }) } };
  }
  if ((found.failedCents ?? 0) > failed) return { event: 'failRefund', totals: found };
  const agree =
    found.amountCents === known.amountCents &&
    (found.pendingCents ?? 0) === (known.pendingCents ?? 0) &&
    (found.failedCents ?? 0) === failed &&
    (isNothing(found) || (found.status ?? known.status) === known.status);
  return agree ? undefined : { event: undefined, totals: found };
}
