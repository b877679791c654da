import * as z from 'zod/mini';
import { bankAccount, debitReturn, failure } from './debit.ts';
import { locales } from './locale.ts';
import { payee } from './practice.ts';
import { day, isoTime, minute, toIso } from './time.ts';
import { sessionStatuses } from './transitions.ts';

export const cancellation = z.object({ reason: z.enum(['requested_by_practice', 'expired']) });

/** A text by which a patient authorizes the debit; its id is its hash. */
const authorization = z.object({
  id: z.string(),
  text: z.string(),
  templateVersion: z.string(),
  locale: z.enum(locales),
});
export type Authorization = z.infer<typeof authorization>;

export const session = z.object({
  sessionId: z.string(),
  practiceId: z.string(),
  tokenHash: z.string(),
  invoiceId: z.string(),
  amountCents: z.int(),
  patient: z.object({ firstName: z.string(), lastName: z.string() }),
  metadata: z.record(z.string(), z.string()),
  livemode: z.boolean(),
  status: z.enum(sessionStatuses),
  /** How many transitions there have been; each is conditional on it. */
  sequence: z.int(),
  createdAt: isoTime,
  expiresAt: isoTime,
  lastTransitionAt: z.optional(isoTime),
  openedAt: z.optional(isoTime),
  processingAt: z.optional(isoTime),
  settledAt: z.optional(isoTime),
  failedAt: z.optional(isoTime),
  failure: z.optional(failure),
  cancelledAt: z.optional(isoTime),
  cancellation: z.optional(cancellation),
  return: z.optional(debitReturn),
  bankConnectionAttempts: z.int(),
  bankAccount: z.optional(bankAccount),
  /** The processor's own name for the connected account; for the evidence, never shown to a patient. */
  processorAccount: z.optional(z.string()),
  /** The practice when the bank was connected, as the authorization texts name it. */
  payee: z.optional(payee),
  /** The texts to choose from for the connected account, until one is accepted. */
  offeredAuthorizations: z.optional(z.record(z.enum(locales), authorization)),
  /** The text that the patient accepted. */
  authorization: z.optional(authorization),
  /** Set where this session holds its invoice's claim. */
  claimsInvoice: z.optional(z.boolean()),
  /** Set while a cancellation of a processing session waits for the processor's answer. */
  cancelRequestedAt: z.optional(isoTime),
  debit: z.optional(z.object({ debitId: z.string(), submittedAt: isoTime })),
  debitAttempts: z.int(),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
});
export type Session = z.infer<typeof session>;

export const maximumBankConnectionAttempts = 5;

/** When a session's link dies if nobody opens it: creation + the practice's link lifetime. */
export function linkExpiry(createdAt: number, linkLifetimeDays: number): number {
  return createdAt + linkLifetimeDays * day;
}

/** When an opened session dies: first open + the practice's session lifetime (specification, "Expiry"). */
export function sessionExpiry(openedAt: number, sessionLifetimeSeconds: number): number {
  return openedAt + sessionLifetimeSeconds * 1000;
}

export const defaultLinkLifetimeDays = 7;
export const defaultSessionLifetimeSeconds = (30 * minute) / 1000;

/** The time of the next transition: strictly after the last one, so that `created_at` orders a session's events. */
export function transitionTime(current: Pick<Session, 'lastTransitionAt'>, now: number): number {
  return current.lastTransitionAt === undefined ? now : Math.max(now, Date.parse(current.lastTransitionAt) + 1);
}

export function hasExpired(current: Pick<Session, 'status' | 'expiresAt'>, now: number): boolean {
  return current.status === 'pending' && toIso(now) >= current.expiresAt;
}

/** What readers see: an expired session is cancelled at the instant it expired, whether or not the sweep has written it yet. */
export function withExpiry(current: Session, now: number): Session {
  return hasExpired(current, now)
    ? { ...current, status: 'cancelled', cancelledAt: current.expiresAt, cancellation: { reason: 'expired' } }
    : current;
}
