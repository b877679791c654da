import * as z from 'zod/mini';
import { bankAccount } from './debit.ts';
import { locales } from '../locale.ts';
import { payee } from '../practices/practice.ts';
import { patient } from '../sessions/session.ts';
import { isoTime } from '../time.ts';

/** Kept at least seven years. No role may change or delete it. */
export const evidence = z.object({
  sessionId: z.string(),
  practiceId: z.string(),
  authorizationId: z.string(),
  text: z.string(),
  templateVersion: z.string(),
  locale: z.enum(locales),
  amountCents: z.int(),
  invoiceId: z.string(),
  /** The practice as the text names it. */
  payee,
  bankAccount,
  patient,
  /** The name on the bank account. */
  payerName: z.string(),
  processorAccount: z.string(),
  sourceAddress: z.string(),
  /** Reported by CloudFront; a direct caller can forge it. */
  viewerAddress: z.optional(z.string()),
  userAgent: z.string(),
  /** Nobody accepted anything: the practice's backend simulated a patient. */
  simulated: z.optional(z.literal(true)),
  authorizedAt: isoTime,
});
export type Evidence = z.infer<typeof evidence>;
