import type * as z from 'zod/mini';
import type { BankAccount, DebitState, Failure } from '../domain/debit.ts';
import type { Practice } from '../domain/practice.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { DueRows } from '../store/due-index.ts';

export type BankConnection =
  | { readonly result: 'connected'; readonly bankAccount: BankAccount; readonly processorAccount: string }
  | { readonly result: 'refused' }
  | { readonly result: 'unavailable' };

export interface BankConnector {
  /** Signs a patient in to a bank. Credentials are neither stored nor logged. */
  connectBank(signIn: { username: string; password: string; practice: Practice }): Promise<BankConnection>;
}

export interface DebitOrder {
  readonly sessionId: string;
  readonly amountCents: number;
  readonly processorAccount: string;
}

/** `refused` is final: no debit was made. `voided`: a void came first. `unknown`: look the debit up before trying again. */
export type Submission =
  | { readonly result: 'submitted'; readonly debitId: string; readonly submittedAt: string }
  | { readonly result: 'refused'; readonly failure: Failure }
  | { readonly result: 'voided' }
  | { readonly result: 'unknown' };

export interface Voiding {
  readonly result: 'voided' | 'too_late' | 'unknown';
}

export interface FoundDebit {
  readonly debitId: string;
  readonly submittedAt: string;
  readonly state: DebitState;
}

export interface DebitVoider {
  /** Voids a debit that the bank does not have yet, also one that is never submitted. */
  voidDebit(order: DebitOrder, now: number): Promise<Voiding>;
}

/**
 * Moves money. Every call is idempotent per session; `now` is in milliseconds since 1970.
 * A void and a submission race at the processor and nowhere else: whatever we have written, one of them wins.
 */
export interface DebitProcessor extends DebitVoider {
  submitDebit(order: DebitOrder, now: number): Promise<Submission>;
  /** Finds a debit by its session's id; undefined where the processor has none. */
  findDebit(sessionId: string, now: number): Promise<FoundDebit | undefined>;
  /** Confirms that an outcome is written, so the processor reports the next one, if any. */
  acknowledge(sessionId: string, now: number): Promise<void>;
}

/** The outcomes of a processor whose ledger is a table of ours: the sweep looks for them. */
export interface OverdueOutcomes {
  readonly rows: DueRows<z.ZodMiniType<{ sessionId: string }>>;
  readonly sendSettlements: SendTickets;
}
