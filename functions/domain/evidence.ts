import * as z from 'zod/mini';
import { bankAccount } from './debit.ts';
import { locales } from './locale.ts';
import { isoTime } from './time.ts';

/** Proof that the patient authorized the debit, kept at least seven years. No role may change or delete it. */
export const evidence = z.object({
  sessionId: z.string(),
  practiceId: z.string(),
  authorizationId: z.string(),
  text: z.string(),
  templateVersion: z.string(),
  locale: z.enum(locales),
  amountCents: z.int(),
  invoiceId: z.string(),
  bankAccount,
  /** The patient's name as the page showed it. */
  patient: z.object({ firstName: z.string(), lastName: z.string() }),
  /** The processor's own id for the account: many accounts share their last four digits. */
  processorAccount: z.string(),
  /** The address that called our API. */
  sourceAddress: z.string(),
  /** The viewer's address as CloudFront reported it; a direct caller can forge it. */
  viewerAddress: z.optional(z.string()),
  userAgent: z.string(),
  authorizedAt: isoTime,
});
export type Evidence = z.infer<typeof evidence>;
