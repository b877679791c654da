/** A deposit to the practice's bank account. */
export interface Payout {
  payoutId: string;
  createdAt: string;
  /** Like 2026-11-20. */
  arrivesOn: string;
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  /** Why it failed, in the processor's words. */
  failureCode?: string;
  /** US cents. */
  amountCents: number;
}

export interface OpenedPayout extends Payout {
  /** Whether the lines add up to the amount. Absent until the processor lists them. */
  addsUp?: boolean;
  /** If this payout failed: the later payout that delivers its money. */
  nextPayoutId?: string;
  lines: PayoutLine[];
}

/** A payment, refund or return that a payout includes. */
export interface PayoutLine {
  /** When it was paid, refunded or returned. */
  at: string;
  category: 'payment' | 'processing' | 'failure' | 'refund' | 'return' | 'payout' | 'payout_reversal' | 'other';
  /** This and the next two are absent if the processor does not say which payment the line is about. */
  sessionId?: string;
  invoiceId?: string;
  receiptNumber?: string;
  /** US cents. Negative if it was taken from the balance. */
  amountCents: number;
  feeCents: number;
  /** The part of the fee that goes to the operator of the service. */
  applicationFeeCents?: number;
  /** The amount without the fee. */
  netCents: number;
  payoutId?: string;
  /** The processor's ID for the line. */
  bookingId: string;
}

export interface PayoutFilters {
  /** Only payouts made from this time on. */
  since?: Date | string;
}
