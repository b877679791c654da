import * as z from 'zod/mini';
import { bankAccount, debitReturn, failure, refund } from './debit.ts';
import { Fault } from './fault.ts';
import { locales } from './locale.ts';
import { payee } from './practice.ts';
import { day, isoTime, minute, toIso } from './time.ts';
import { sessionStatuses } from './transitions.ts';

export const cancellation = z.object({ reason: z.enum(['requested_by_practice', 'expired']) });

/** What transitions record; absent until they happen. */
export const sessionFacts = {
  processingAt: z.optional(isoTime),
  settledAt: z.optional(isoTime),
  failedAt: z.optional(isoTime),
  failure: z.optional(failure),
  cancelledAt: z.optional(isoTime),
  cancellation: z.optional(cancellation),
  return: z.optional(debitReturn),
} as const;

export const patient = z.object({ firstName: z.string(), lastName: z.string() });
export type Patient = z.infer<typeof patient>;

export const session = z.object({
  sessionId: z.string(),
  practiceId: z.string(),
  tokenHash: z.string(),
  invoiceId: z.string(),
  amountCents: z.int(),
  /** Absent once it is scrubbed. */
  patient: z.optional(patient),
  metadata: z.record(z.string(), z.string()),
  /** Of the link. */
  locale: z.optional(z.enum(locales)),
  returnUrl: z.optional(z.string()),
  livemode: z.boolean(),
  status: z.enum(sessionStatuses),
  sequence: z.int(),
  createdAt: isoTime,
  expiresAt: isoTime,
  openedAt: z.optional(isoTime),
  /** Where the link would end before the last of them. */
  extensionLimit: z.optional(z.int()),
  extensions: z.optional(z.int()),
  /** The last time. */
  extendedAt: z.optional(isoTime),
  ...sessionFacts,
  bankConnectionAttempts: z.int(),
  /** Where the processor's own bank picker is used: what it was started with last. */
  bankConnectionId: z.optional(z.string()),
  bankConnectedAt: z.optional(isoTime),
  bankAccount: z.optional(bankAccount),
  processorAccount: z.optional(z.string()),
  /** Until the patient authorizes, as is the next one: then they are in the evidence. */
  payee: z.optional(payee),
  authorizationTemplate: z.optional(z.string()),
  claimsInvoice: z.optional(z.boolean()),
  cancelRequestedAt: z.optional(isoTime),
  debit: z.optional(z.object({ debitId: z.string(), submittedAt: isoTime })),
  debitAttempts: z.int(),
  refund: z.optional(refund),
  /** Since then, nothing in the row is about the patient or the bank account. */
  scrubbedAt: z.optional(isoTime),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
  /** The sweep's mark. */
  taken: z.optional(z.custom<object>()),
});
export type Session = z.infer<typeof session>;

/** Removed with the patient's details, and when a link starts anew. */
export const bankDetails = [
  'bankConnectionId',
  'bankAccount',
  'processorAccount',
  'payee',
  'authorizationTemplate',
] as const satisfies (keyof Session)[];

/** Of a session that is open: only one that has ended is scrubbed. */
export function patientOf({ sessionId, patient: found }: Session): Patient {
  if (!found) throw new Fault(`session ${sessionId} has no patient`);
  return found;
}

export const maximumBankConnectionAttempts = 5;

export function linkExpiry(createdAt: number, linkLifetimeDays: number): number {
  return createdAt + linkLifetimeDays * day;
}

export function sessionExpiry(openedAt: number, sessionLifetimeSeconds: number): number {
  return openedAt + sessionLifetimeSeconds * 1000;
}

export const defaultLinkLifetimeDays = 7;
export const defaultSessionLifetimeSeconds = (30 * minute) / 1000;

/** Always after the last one: `created_at` orders a session's events. */
export function transitionTime(
  { processingAt, settledAt }: Pick<Session, 'processingAt' | 'settledAt'>,
  now: number,
): number {
  const last = settledAt ?? processingAt;
  return last === undefined ? now : Math.max(now, Date.parse(last) + 1);
}

export function hasExpired(current: Pick<Session, 'status' | 'expiresAt'>, now: number): boolean {
  return current.status === 'pending' && toIso(now) >= current.expiresAt;
}

export function withExpiry(current: Session, now: number): Session {
  return hasExpired(current, now)
    ? { ...current, status: 'cancelled', cancelledAt: current.expiresAt, cancellation: { reason: 'expired' } }
    : current;
}
