import * as z from 'zod/mini';
import { failure } from './debit.ts';
import { isoTime } from '../time.ts';

export const chargeTypes = ['direct', 'destination'] as const;
export type ChargeType = (typeof chargeTypes)[number];

/** The account that makes the charge, or that a destination charge is transferred to. */
const deposit = z.object({ chargeType: z.enum(chargeTypes), account: z.string() });
export type Deposit = z.infer<typeof deposit>;

/** Has a debit or is voided: whichever is written first stands. */
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
