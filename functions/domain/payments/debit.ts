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

const failureCodes = [
  'insufficient_funds',
  'account_closed',
  'account_not_found',
  'debit_not_authorized',
  'account_frozen',
  'bank_declined',
  'processor_error',
] as const;

export const failure = z.object({
  code: z.enum(failureCodes),
  message: z.string(),
  achReturnCode: z.optional(z.string()),
});
export type Failure = z.infer<typeof failure>;

export const debitReturn = z.object({
  code: z.enum(failureCodes),
  achReturnCode: z.optional(z.string()),
  returnedAt: isoTime,
});
export type DebitReturn = z.infer<typeof debitReturn>;

/** A refund made at the processor. The payment stays settled. */
export const refund = z.object({ amountCents: z.int(), refundedAt: isoTime });

/** How the processor and the bank call the debit. Each is absent until the processor tells it. */
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
