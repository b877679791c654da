import type { Practice } from '../domain/practice.ts';
import type { DebitState, BankAccount, Failure } from '../domain/debit.ts';

export type BankConnection =
  | { readonly result: 'connected'; readonly bankAccount: BankAccount; readonly processorAccount: string }
  | { readonly result: 'refused' }
  | { readonly result: 'unavailable' };

/** Signs a patient in to a bank. Credentials are neither stored nor logged. */
export type ConnectBank = (signIn: {
  username: string;
  password: string;
  practice: Practice;
}) => Promise<BankConnection>;

export interface DebitOrder {
  readonly sessionId: string;
  readonly amountCents: number;
  readonly processorAccount: string;
}

/**
 * Only `refused` means that no debit was made for a reason of the bank's, and `voided` that a void came first.
 * `unknown` is everything in doubt: look the debit up, then try again.
 */
export type Submission =
  | { readonly result: 'submitted'; readonly debitId: string; readonly submittedAt: string }
  | { readonly result: 'refused'; readonly failure: Failure }
  | { readonly result: 'voided' }
  | { readonly result: 'unknown' };

export type Voiding = 'voided' | 'too_late' | 'unknown';

export interface FoundDebit {
  readonly debitId: string;
  readonly submittedAt: string;
  readonly state: DebitState;
}

/** What takes a debit back, if the bank does not have it yet; see `DebitProcessor`. */
export interface DebitVoider {
  voidDebit(order: DebitOrder, now: number): Promise<Voiding>;
}

/**
 * What moves money. Every call is idempotent per session; `now` is in milliseconds since 1970.
 * A void and a submission race at the processor and nowhere else: one of them wins, whatever we have written.
 */
export interface DebitProcessor extends DebitVoider {
  submitDebit(order: DebitOrder, now: number): Promise<Submission>;
  /** The debit's state by the session's own id, or undefined where the processor has none. */
  findDebit(sessionId: string, now: number): Promise<FoundDebit | undefined>;
  /** Told once an outcome has been written, so that the processor reports the next one, if there will be one. */
  acknowledge(sessionId: string, now: number): Promise<void>;
}
