import * as z from 'zod/mini';
import { randomBase62, type RandomBytes } from './identifier.ts';
import { isoTime } from './time.ts';

export const payee = z.object({
  name: z.string(),
  supportPhone: z.optional(z.string()),
  supportEmail: z.optional(z.string()),
  /** As on the patient's bank statement; by default from the name. */
  statementDescriptor: z.optional(z.string()),
});
export type Payee = z.infer<typeof payee>;

/** Of live payments: which version, when, and who for the practice. */
export const termsAccepted = z.object({ version: z.string(), at: isoTime, by: z.string() });

export const practice = z.extend(payee, {
  practiceId: z.string(),
  createdAt: isoTime,
  primaryColor: z.string(),
  logoUrl: z.optional(z.string()),
  /** Lines as on an envelope. */
  postalAddress: z.optional(z.string()),
  /** Its own pages; patients see ours otherwise. */
  privacyUrl: z.optional(z.string()),
  termsUrl: z.optional(z.string()),
  linkLifetimeDays: z.int(),
  sessionLifetimeSeconds: z.int(),
  /** Whether patients can extend an open session. */
  extensions: z.boolean(),
  invoiceGuard: z.boolean(),
  /** How long after its end a session keeps what is about the patient. */
  retentionMonths: z.int(),
  /** Every session up to this one is scrubbed. */
  scrubbedTo: z.optional(z.string()),
  /** An IANA name: the dashboard's days are of this zone. */
  timeZone: z.string(),
  testBankPassword: z.string(),
  /** At the processor: where the money of live payments goes. */
  depositAccountId: z.optional(z.string()),
  depositReadyAt: z.optional(isoTime),
  /** Where the processor deposits it, when last seen. Its fingerprint is the processor's. */
  depositBank: z.optional(z.object({ bankName: z.string(), last4: z.string(), fingerprint: z.string() })),
  termsAccepted: z.optional(termsAccepted),
  /** Since then, no new sessions and no authorizations. */
  suspendedAt: z.optional(isoTime),
  /** Requests a second with its API keys, if the operator gave it a limit of its own. */
  rateLimit: z.optional(z.int()),
  /** For good. */
  closedAt: z.optional(isoTime),
});
export type Practice = z.infer<typeof practice>;

export function payeeOf(current: Payee): Payee {
  return z.parse(payee, current);
}

export const defaultPrimaryColor = '#1d4ed8';

export function generatePracticeId(randomBytes: RandomBytes): string {
  return `prc_${randomBase62(20, randomBytes)}`;
}
