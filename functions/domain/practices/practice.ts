import * as z from 'zod/mini';
import { randomBase62, type RandomBytes } from '../identifier.ts';
import { isoTime } from '../time.ts';

/** The version of the terms that the dashboard shows. Change it whenever you change the terms. */
export const termsVersion = '2026-11-21';

export const payee = z.object({
  name: z.string(),
  supportPhone: z.optional(z.string()),
  supportEmail: z.optional(z.string()),
  /** How the practice appears on the patient's bank statement. By default derived from the name. */
  statementDescriptor: z.optional(z.string()),
});
export type Payee = z.infer<typeof payee>;

/** Which version of the live payment terms was accepted, when, and by whom. */
export const termsAccepted = z.object({ version: z.string(), at: isoTime, by: z.string() });

export const practice = z.extend(payee, {
  practiceId: z.string(),
  createdAt: isoTime,
  primaryColor: z.string(),
  logoUrl: z.optional(z.string()),
  /** Several lines, as on an envelope. */
  postalAddress: z.optional(z.string()),
  /** The practice's own pages. Without them, patients see ours. */
  privacyUrl: z.optional(z.string()),
  termsUrl: z.optional(z.string()),
  linkLifetimeDays: z.int(),
  sessionLifetimeSeconds: z.int(),
  /** Whether patients can extend an open session. */
  extensions: z.boolean(),
  invoiceGuard: z.boolean(),
  /** How long an ended session keeps the patient's details. */
  retentionMonths: z.int(),
  /** Every session up to this ID is scrubbed. */
  scrubbedTo: z.optional(z.string()),
  /** An IANA name. The dashboard's days are in this zone. */
  timeZone: z.string(),
  testBankPassword: z.string(),
  /** The practice's account at the processor, which gets the money of live payments. */
  depositAccountId: z.optional(z.string()),
  depositReadyAt: z.optional(isoTime),
  /** The bank account or debit card that the processor pays out to, as last seen. The processor computes the fingerprint. */
  depositBank: z.optional(z.object({ bankName: z.string(), last4: z.string(), fingerprint: z.string() })),
  /** While present, the processor takes no debits for the practice. */
  debitsStoppedAt: z.optional(isoTime),
  /** When the processor stops the account unless it gets what it needs, and the last reminder, in days before. */
  depositDeadline: z.optional(z.object({ at: isoTime, remindedDays: z.int() })),
  termsAccepted: z.optional(termsAccepted),
  /** While present: no new sessions and no authorizations. */
  suspendedAt: z.optional(isoTime),
  /** Requests per second with its API keys, if the operator set a limit for this practice. */
  rateLimit: z.optional(z.int()),
  /** Closing cannot be undone. */
  closedAt: z.optional(isoTime),
});
export type Practice = z.infer<typeof practice>;

/** Whether patients can pay it now. */
export function takesPayments({ suspendedAt, closedAt, debitsStoppedAt }: Practice): boolean {
  return suspendedAt === undefined && closedAt === undefined && debitsStoppedAt === undefined;
}

export function payeeOf(current: Payee): Payee {
  return z.parse(payee, current);
}

export const defaultPrimaryColor = '#1d4ed8';

export function generatePracticeId(randomBytes: RandomBytes): string {
  return `prc_${randomBase62(20, randomBytes)}`;
}
