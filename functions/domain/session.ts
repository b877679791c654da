import * as z from 'zod/mini';
import { locales } from './locale.ts';
import { payee } from './practice.ts';
import { day, isoTime, minute, toIso } from './time.ts';

export const sessionStatuses = ['pending', 'processing', 'succeeded', 'failed', 'cancelled'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

interface Transition {
  readonly from: readonly SessionStatus[];
  readonly to: SessionStatus;
  readonly event: string;
  /** What makes it happen, as the README's diagram says it. */
  readonly trigger: string;
}

/**
 * Every way a session can change state, and the event each way is announced by.
 * Conditions in the table, event types, views of the hosted page and the README's diagram all come from here.
 */
export const transitions = {
  authorize: {
    from: ['pending'],
    to: 'processing',
    event: 'session.payment.processing',
    trigger: 'patient connects a bank and authorizes',
  },
  settle: { from: ['processing'], to: 'succeeded', event: 'session.payment.succeeded', trigger: 'funds confirmed' },
  fail: { from: ['processing'], to: 'failed', event: 'session.payment.failed', trigger: 'bank or processor refuses' },
  cancel: {
    from: ['pending', 'processing'],
    to: 'cancelled',
    event: 'session.payment.cancelled',
    trigger: 'practice cancels',
  },
  expire: {
    from: ['pending'],
    to: 'cancelled',
    event: 'session.payment.cancelled',
    trigger: 'link or session expires',
  },
  return: {
    from: ['succeeded'],
    to: 'succeeded',
    event: 'session.payment.returned',
    trigger: 'bank takes the debit back',
  },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;
export type SessionEventType = (typeof transitions)[TransitionName]['event'];

export const sessionEventTypes: readonly SessionEventType[] = [
  ...new Set(Object.values(transitions).map((transition) => transition.event)),
];

/** A state that no transition leaves for another one never changes again. */
export function isTerminal(status: SessionStatus): boolean {
  return !Object.values<Transition>(transitions).some(({ from, to }) => from.includes(status) && to !== status);
}

export const failureCodes = [
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

export const cancellation = z.object({ reason: z.enum(['requested_by_practice', 'expired']) });

export const debitReturn = z.object({
  code: z.enum(failureCodes),
  achReturnCode: z.optional(z.string()),
  returnedAt: isoTime,
});
export type DebitReturn = z.infer<typeof debitReturn>;

export const bankAccount = z.object({
  bankName: z.string(),
  accountType: z.enum(['checking', 'savings']),
  last4: z.string(),
});
export type BankAccount = z.infer<typeof bankAccount>;

/** A text by which a patient authorises the debit; its id is its hash. */
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
  /** The practice as it was when the bank was connected, and so as the texts name it; not in rows of earlier releases. */
  payee: z.optional(payee),
  /** What may be accepted of the connected account, in each language; gone once one of them is. */
  offeredAuthorizations: z.optional(z.partialRecord(z.enum(locales), authorization)),
  /** The text that the patient accepted. While pending only in rows of the first release, which offered one language. */
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
