import * as z from 'zod/mini';
import { isoTime } from '../time.ts';
import type { Mode } from '../mode.ts';

/** Live: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export const leastCents: Readonly<Record<Mode, number>> = { sandbox: 1, live: 50 };
export const mostCents = 99_999_999;

export const bankAccount = z.object({
  bankName: z.string(),
  accountType: z.enum(['checking', 'savings']),
  last4: z.string(),
});
export type BankAccount = z.infer<typeof bankAccount>;

const returnCodes = [
  'insufficient_funds',
  'account_closed',
  'account_not_found',
  'debit_not_authorized',
  'account_frozen',
  'bank_declined',
  'processor_error',
] as const;

/** Codes that mean that no bank has seen the debit. */
const unsentCodes = [
  'account_unusable',
  'practice_account_restricted',
  'processor_limit_exceeded',
  'authorization_invalid',
  'authorization_expired',
] as const;

export const failure = z.object({
  code: z.enum([...returnCodes, ...unsentCodes]),
  message: z.string(),
  achReturnCode: z.optional(z.string()),
});
export type Failure = z.infer<typeof failure>;

/** Whether a bank refused the debit. The bank's own return code proves it. */
export function reachedBank({ code, achReturnCode }: Failure): boolean {
  // `account_frozen` without a return code means that the processor refused a restricted account.
  const unsent: readonly string[] = [...unsentCodes, 'processor_error', 'account_frozen'];
  return achReturnCode !== undefined || !unsent.includes(code);
}

export const debitReturn = z.object({
  code: z.enum(returnCodes),
  achReturnCode: z.optional(z.string()),
  returnedAt: isoTime,
});
export type DebitReturn = z.infer<typeof debitReturn>;

/** The processor's and the bank's references for the debit. Each is absent until the processor reports it. */
export const debitReferences = z.object({
  mandate: z.optional(z.string()),
  payment: z.optional(z.string()),
  routingNumberLast4: z.optional(z.string()),
});
export type DebitReferences = z.infer<typeof debitReferences>;

export type DebitState =
  | { readonly state: 'pending' }
  | { readonly state: 'voided' }
  | { readonly state: 'succeeded'; readonly at: string }
  | { readonly state: 'failed'; readonly at: string; readonly failure: Failure }
  | { readonly state: 'returned'; readonly at: string; readonly return: Omit<DebitReturn, 'returnedAt'> };

export const chargeTypes = ['direct', 'destination'] as const;
export type ChargeType = (typeof chargeTypes)[number];

/** The account that makes the charge, or that a destination charge is transferred to. */
const deposit = z.object({ chargeType: z.enum(chargeTypes), account: z.string() });
export type Deposit = z.infer<typeof deposit>;

/** Either has a debit or is voided: whichever is written first wins. */
export const processorDebit = z.object({
  sessionId: z.string(),
  debit: z.optional(z.extend(deposit, { debitId: z.string(), submittedAt: isoTime })),
  /** A copy for the index. */
  debitId: z.optional(z.string()),
  voidedAt: z.optional(isoTime),
  /** Why there will be no debit, if nobody requested the void. */
  refusal: z.optional(failure),
  failedCalls: z.optional(z.int()),
});
export type ProcessorDebit = z.infer<typeof processorDebit>;
export type EnteredDebit = NonNullable<ProcessorDebit['debit']>;

/** The fee that the operator, who owns the account at the processor, takes from each debit. */
interface FeeTerms {
  readonly cents: number;
  /** Hundredths of a percent of the amount. */
  readonly basisPoints: number;
}

/** The fee as stored in the row of a practice or platform. */
interface FeeSettings {
  readonly applicationFeeCents?: number | undefined;
  readonly applicationFeeBasisPoints?: number | undefined;
}

/** A fee of 0 counts, too: it exempts a practice from its platform's fee. */
export function hasFeeTerms({ applicationFeeCents, applicationFeeBasisPoints }: FeeSettings): boolean {
  return applicationFeeCents !== undefined || applicationFeeBasisPoints !== undefined;
}

/** The practice's own terms or, if it has none, its platform's. */
export function feeTermsOf(practice: FeeSettings, platform: FeeSettings = {}): FeeTerms {
  const { applicationFeeCents = 0, applicationFeeBasisPoints = 0 } = hasFeeTerms(practice) ? practice : platform;
  return { cents: applicationFeeCents, basisPoints: applicationFeeBasisPoints };
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
