import * as z from 'zod/mini';
import { withoutInvisible } from '../plain-text.ts';
import { bankAccount, debitReturn, failure } from '../payments/debit.ts';
import { refund, refundOrder } from '../payments/refund.ts';
import { Fault } from '../fault.ts';
import { locales } from '../locale.ts';
import { payee } from '../practices/practice.ts';
import { day, isoTime, minute, toIso } from '../time.ts';
import { sessionStatuses } from './transitions.ts';

/**
 * The form that two spellings of one invoice ID share: Unicode's composed form, without invisible characters, trimmed, with
 * one space for any white space. Case matters: some systems give "inv-7" and "INV-7" to two invoices. Responses and
 * events have the ID as it was sent.
 */
export function invoiceIdentity(invoiceId: string): string {
  return withoutInvisible(invoiceId)
    .normalize('NFC')
    .replaceAll(/[\s\p{Z}]+/gu, ' ')
    .trim();
}

/** Callers send this for the name that a person with one name lacks. Word processors type other dashes. */
const noName = /^[\s\p{Pd}\u2212]+$/u;

/** One or two names. A single name comes first, even if it was sent as the last name. */
export function namesOf({ firstName, lastName }: Patient): string[] {
  return [firstName, lastName].filter((name) => !noName.test(name));
}

export function fullName(patient: Patient): string {
  return namesOf(patient).join(' ');
}

type Payer = Pick<Session, 'payerName' | 'patient'>;

/** The name on the bank account: the patient's, unless someone else pays. Undefined for an erased patient. */
export function payerOf(session: Payer & { readonly patient: Patient }): string;
export function payerOf(session: Payer): string | undefined;
export function payerOf({ payerName, patient }: Payer): string | undefined {
  return payerName ?? (patient && fullName(patient));
}

export const cancellation = z.object({ reason: z.enum(['requested_by_practice', 'expired']) });

/** Facts that transitions record. Absent until they happen. */
export const sessionFacts = {
  processingAt: z.optional(isoTime),
  settledAt: z.optional(isoTime),
  failedAt: z.optional(isoTime),
  failure: z.optional(failure),
  cancelledAt: z.optional(isoTime),
  cancellation: z.optional(cancellation),
  return: z.optional(debitReturn),
  refund: z.optional(refund),
} as const;

export const patient = z.object({ firstName: z.string(), lastName: z.string() });
export type Patient = z.infer<typeof patient>;

export const session = z.object({
  sessionId: z.string(),
  practiceId: z.string(),
  tokenHash: z.string(),
  invoiceId: z.string(),
  amountCents: z.int(),
  /** Absent once the session is scrubbed. */
  patient: z.optional(patient),
  metadata: z.record(z.string(), z.string()),
  /** The language that the link asks for. */
  locale: z.optional(z.enum(locales)),
  returnUrl: z.optional(z.string()),
  /** The ID of the API key that created it. The attribute name is short: one more byte can cost a write unit. The audit log says which member created one. */
  via: z.optional(z.string()),
  /** The operator's fee in cents, fixed at creation: a request to the processor must not change when it is repeated. */
  fee: z.optional(z.int()),
  livemode: z.boolean(),
  status: z.enum(sessionStatuses),
  sequence: z.int(),
  createdAt: isoTime,
  expiresAt: isoTime,
  /** When the last new link was made. */
  linkReplacedAt: z.optional(isoTime),
  /** When the patient last asked for a new link, and the hash of the token of the link they used. */
  linkRequestedAt: z.optional(isoTime),
  linkRequestedThrough: z.optional(z.string()),
  openedAt: z.optional(isoTime),
  /** Present if the link ends before `maximumExtensions` periods do. */
  extensionLimit: z.optional(z.int()),
  extensions: z.optional(z.int()),
  extendedAt: z.optional(isoTime),
  ...sessionFacts,
  bankConnectionAttempts: z.int(),
  /** How many times the processor's bank picker was started through the link. */
  pickerStarts: z.optional(z.int()),
  /** The last connection started in the processor's bank picker. */
  bankConnectionId: z.optional(z.string()),
  bankConnectedAt: z.optional(isoTime),
  bankAccount: z.optional(bankAccount),
  processorAccount: z.optional(z.string()),
  /** Present if the patient changed the name on the bank account. Once authorized, the evidence has it. */
  payerName: z.optional(z.string()),
  /** This and the template are present until the patient authorizes. After that, the evidence has them. */
  payee: z.optional(payee),
  authorizationTemplate: z.optional(z.string()),
  /** When the patient asked for an emailed copy of the authorization. The address is not kept anywhere. */
  copyRequestedAt: z.optional(isoTime),
  claimsInvoice: z.optional(z.boolean()),
  cancelRequestedAt: z.optional(isoTime),
  debit: z.optional(z.object({ debitId: z.string(), submittedAt: isoTime })),
  /** Failed attempts so far. Absent if none failed, and once the debit is recorded. */
  debitAttempts: z.optional(z.int()),
  /** The last refund that an admin asked for. */
  refundOrder: z.optional(refundOrder),
  /** Set once a full refund has released the session's claim on the invoice. */
  refundReleased: z.optional(z.boolean()),
  /** When the details of the patient and the bank account were removed from the row. */
  scrubbedAt: z.optional(isoTime),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
  /** The sweep's mark, written when it postpones the row. */
  taken: z.optional(z.custom<object>()),
});
export type Session = z.infer<typeof session>;

/** Removed with the patient's details, and when a new link restarts the session. */
export const bankDetails = [
  'bankConnectionId',
  'bankAccount',
  'processorAccount',
  'payerName',
  'payee',
  'authorizationTemplate',
] as const satisfies (keyof Session)[];

/** The patient of an open session, which always has one: only ended sessions are scrubbed. */
export function patientOf({ sessionId, patient: found }: Session): Patient {
  if (!found) throw new Fault(`session ${sessionId} has no patient`);
  return found;
}

export const maximumBankConnectionAttempts = 5;
export const maximumPickerStarts = 20;

/** Zero after the last start of the picker, even though its bank can still be connected. */
export function bankConnectionAttemptsRemaining({
  bankConnectionAttempts,
  pickerStarts = 0,
}: Pick<Session, 'bankConnectionAttempts' | 'pickerStarts'>): number {
  if (pickerStarts >= maximumPickerStarts) return 0;
  return Math.max(maximumBankConnectionAttempts - bankConnectionAttempts, 0);
}

/** Milliseconds from a session's creation until its last link expires, so that lists of payments know how far to look back. */
export const longestLinkLife = 366 * day;

/** What a receipt calls the payment. */
export function receiptNumberOf({ sessionId }: Pick<Session, 'sessionId'>): string {
  return sessionId.slice(-10);
}

export function linkExpiry(createdAt: number, linkLifetimeDays: number): number {
  return createdAt + linkLifetimeDays * day;
}

/** When a link that replaces the session's at `now` expires. The limit never makes that sooner than for the replaced one. */
export function replacedLinkExpiry(
  { createdAt, expiresAt }: Pick<Session, 'createdAt' | 'expiresAt'>,
  linkLifetimeDays: number,
  now: number,
): number {
  const latest = Math.max(Date.parse(createdAt) + longestLinkLife, Date.parse(expiresAt));
  return Math.min(linkExpiry(now, linkLifetimeDays), latest);
}

export function sessionExpiry(openedAt: number, sessionLifetimeSeconds: number): number {
  return openedAt + sessionLifetimeSeconds * 1000;
}

export const defaultLinkLifetimeDays = 7;
export const defaultSessionLifetimeSeconds = (30 * minute) / 1000;

const isTime = (time: string | undefined) => time !== undefined;

/** Always later than the open and the last transition: `created_at` orders a session's events. */
export function transitionTime(
  { openedAt, processingAt, settledAt, refund: refunded, return: returned }: Partial<Session>,
  now: number,
): number {
  const last = [openedAt, processingAt, settledAt, refunded?.refundedAt, returned?.returnedAt]
    .filter(isTime)
    .sort()
    .at(-1);
  return last === undefined ? now : Math.max(now, Date.parse(last) + 1);
}

export function hasExpired(current: Pick<Session, 'status' | 'expiresAt'>, now: number): boolean {
  return current.status === 'pending' && toIso(now) >= current.expiresAt;
}

/** Whether the session ended by expiring. A scrubbed session no longer counts. */
export function isExpired({ status, cancellation, scrubbedAt }: Session): boolean {
  return status === 'cancelled' && cancellation?.reason === 'expired' && scrubbedAt === undefined;
}

export function withExpiry(current: Session, now: number): Session {
  return hasExpired(current, now)
    ? { ...current, status: 'cancelled', cancelledAt: current.expiresAt, cancellation: { reason: 'expired' } }
    : current;
}
