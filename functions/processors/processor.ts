import type { BankAccount, DebitState, Failure } from '../domain/debit.ts';
import type { Practice } from '../domain/practice.ts';

type BankConnection =
  | { readonly result: 'connected'; readonly bankAccount: BankAccount; readonly processorAccount: string }
  | { readonly result: 'refused' }
  | { readonly result: 'unavailable' };

export interface BankConnector {
  /** Credentials must never be stored or logged. */
  connectBank(signIn: { username: string; password: string; practice: Practice }): Promise<BankConnection>;
}

export interface DebitOrder {
  readonly sessionId: string;
  readonly amountCents: number;
  readonly processorAccount: string;
}

/** `refused` is final. `unknown`: look the debit up before retrying. */
export type Submission =
  | { readonly result: 'submitted'; readonly debitId: string; readonly submittedAt: string }
  | { readonly result: 'refused'; readonly failure: Failure }
  | { readonly result: 'voided' }
  | { readonly result: 'unknown' };

interface Voiding {
  readonly result: 'voided' | 'too_late' | 'unknown';
}

interface FoundDebit {
  readonly debitId: string;
  readonly submittedAt: string;
  readonly state: DebitState;
}

export interface DebitVoider {
  voidDebit(order: DebitOrder, now: number): Promise<Voiding>;
}

/** Idempotent per session. Between a void and a submission, the processor decides. */
export interface DebitProcessor extends DebitVoider {
  submitDebit(order: DebitOrder, now: number): Promise<Submission>;
  findDebit(sessionId: string, now: number): Promise<FoundDebit | undefined>;
  acknowledge(sessionId: string, now: number): Promise<void>;
}
