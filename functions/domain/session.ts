import * as z from 'zod/mini';
import { bankAccount, debitReturn, failure } from './debit.ts';
import { locales } from './locale.ts';
import { payee } from './practice.ts';
import { day, isoTime, minute, toIso } from './time.ts';
import { sessionStatuses } from './transitions.ts';

export const cancellation = z.object({ reason: z.enum(['requested_by_practice', 'expired']) });

/** An authorization text. Its id is its hash. */
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
  /** The number of transitions so far. Each transition is conditional on it. */
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
  /** The processor's id for the connected account. Kept as evidence, never shown to a patient. */
  processorAccount: z.optional(z.string()),
  /** The practice as the authorization texts name it. */
  payee: z.optional(payee),
  /** The texts for the connected account, until one is accepted. */
  offeredAuthorizations: z.optional(z.record(z.enum(locales), authorization)),
  authorization: z.optional(authorization),
  claimsInvoice: z.optional(z.boolean()),
  /** Set while a cancellation waits for the processor to void the debit. */
  cancelRequestedAt: z.optional(isoTime),
  debit: z.optional(z.object({ debitId: z.string(), submittedAt: isoTime })),
  debitAttempts: z.int(),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
});
export type Session = z.infer<typeof session>;

export const maximumBankConnectionAttempts = 5;

/** When an unopened link expires, in milliseconds since 1970. */
export function linkExpiry(createdAt: number, linkLifetimeDays: number): number {
  return createdAt + linkLifetimeDays * day;
}

/** When an opened session expires, in milliseconds since 1970 (specification, "Expiry"). */
export function sessionExpiry(openedAt: number, sessionLifetimeSeconds: number): number {
  return openedAt + sessionLifetimeSeconds * 1000;
}

export const defaultLinkLifetimeDays = 7;
export const defaultSessionLifetimeSeconds = (30 * minute) / 1000;

/** The time of the next transition. Always after the last one, because `created_at` orders a session's events. */
export function transitionTime(current: Pick<Session, 'lastTransitionAt'>, now: number): number {
  return current.lastTransitionAt === undefined ? now : Math.max(now, Date.parse(current.lastTransitionAt) + 1);
}

export function hasExpired(current: Pick<Session, 'status' | 'expiresAt'>, now: number): boolean {
  return current.status === 'pending' && toIso(now) >= current.expiresAt;
}

/** The session as readers see it: cancelled as of `expiresAt`, even before the sweep writes it. */
export function withExpiry(current: Session, now: number): Session {
  return hasExpired(current, now)
    ? { ...current, status: 'cancelled', cancelledAt: current.expiresAt, cancellation: { reason: 'expired' } }
    : current;
}
