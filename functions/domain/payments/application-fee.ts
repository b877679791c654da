/** What the operator, who owns the account at the processor, takes of each debit. */
interface FeeTerms {
  readonly cents: number;
  /** Hundredths of a percent of the amount. */
  readonly basisPoints: number;
}

/** As a practice's row has them. */
export function feeTermsOf({
  applicationFeeCents: cents = 0,
  applicationFeeBasisPoints: basisPoints = 0,
}: {
  readonly applicationFeeCents?: number | undefined;
  readonly applicationFeeBasisPoints?: number | undefined;
}): FeeTerms {
  return { cents, basisPoints };
}

/** In cents, rounded half up. */
export function applicationFee({ cents, basisPoints }: FeeTerms, amountCents: number): number {
  return cents + Math.floor((amountCents * basisPoints + 5000) / 10_000);
}

/** The smallest amount in cents that leaves the practice something. */
export function leastAmount(terms: FeeTerms): number {
  let amountCents = terms.cents + 1;
  while (applicationFee(terms, amountCents) >= amountCents) amountCents += 1;
  return amountCents;
}
