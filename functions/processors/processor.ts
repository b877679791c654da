import type { TestSignIn, StartedBankConnection } from '../contract/payments/patient-payment.ts';
import type { Booking, Payout } from '../domain/payments/booking.ts';
import type { BankAccount, DebitReferences, DebitState, Failure } from '../domain/payments/debit.ts';
import type { RefundTotals } from '../domain/payments/refund.ts';
import type { DepositNeed } from '../domain/practices/deposit-needs.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { Fault } from '../domain/fault.ts';
import type { Session } from '../domain/sessions/session.ts';

type BankConnection =
  | { readonly result: 'connected'; readonly bankAccount: BankAccount; readonly processorAccount: string }
  | { readonly result: 'refused' }
  | { readonly result: 'unavailable' };

interface BankCustomer {
  readonly session: Session;
  readonly practice: Practice;
}

export interface BankConnector {
  connectBank(
    customer: BankCustomer & { readonly signIn: TestSignIn | undefined },
    now: number,
  ): Promise<BankConnection>;
}

export interface ConnectionStarter {
  startConnection(
    customer: BankCustomer,
    now: number,
  ): Promise<
    | { readonly result: 'started'; readonly connectionId: string; readonly client: StartedBankConnection }
    | { readonly result: 'unavailable' }
  >;
}

/** Only the processor can read `processorAccount`. */
export interface DebitOrder {
  readonly sessionId: string;
  readonly practiceId: string;
  readonly amountCents: number;
  readonly processorAccount: string;
  /** The operator's share of the amount. */
  readonly feeCents?: number | undefined;
  /** Absent means now. */
  readonly authorizedAt?: string | undefined;
  /** The debit that the session's row names. */
  readonly debitId?: string | undefined;
}

/** `refused` is final. After `unknown`, submit again. */
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
  readonly refunds?: RefundTotals | undefined;
}

export interface DebitRefund {
  readonly sessionId: string;
  readonly practiceId: string;
  readonly refundId: string;
  readonly amountCents: number;
  /** The operator's fee on the debit. The refund returns the same share of it. */
  readonly feeCents?: number | undefined;
}

export type RefundRefusal = 'disputed' | 'too_large' | 'balance_too_low' | 'other';

/** `refused` is final. After `unknown`, try again with the same ID. `isRepeated`: an earlier request made the refund. */
export type Refunding =
  | { readonly result: 'accepted'; readonly isRepeated: boolean }
  | { readonly result: 'refused'; readonly reason: RefundRefusal }
  | { readonly result: 'unknown' };

/** Idempotent per `refundId`. */
export interface DebitRefunder {
  refundDebit(refund: DebitRefund, now: number): Promise<Refunding>;
}

export interface DebitVoider {
  voidDebit(order: DebitOrder, now: number): Promise<Voiding>;
}

export interface DebitFinder {
  findDebit(sessionId: string, now: number): Promise<FoundDebit | undefined>;
  /** Called when the state is recorded. */
  acknowledge(sessionId: string, state: DebitState, now: number): Promise<void>;
}

export interface ReferenceFinder {
  /** Call it only for a debit that was submitted. Throws if the processor does not answer. */
  findReferences(debit: Pick<DebitOrder, 'processorAccount'> & { readonly debitId: string }): Promise<DebitReferences>;
}

/** Idempotent per session: a second submission finds the first. The processor decides between a void and a submission. */
export interface DebitProcessor extends DebitVoider, DebitFinder, DebitRefunder {
  submitDebit(order: DebitOrder, now: number): Promise<Submission>;
}

/** Sandbox only: makes the bank's outcomes happen right away. */
export interface OutcomeAdvancer {
  /** Makes sure that `count` outcomes of the debit have happened. False if it has fewer. */
  advanceOutcomes(sessionId: string, count: number, now: number): Promise<boolean>;
}

/** A page of what happened from `from` (inclusive) to `to` (exclusive). `after` is where the previous page ended. */
export interface ListPage {
  readonly from: string;
  readonly to: string;
  readonly after: string | undefined;
}

/** Handles the notifications on one page that never arrived. Throws `AccountGone`. */
export type NotificationRepairer = (
  account: string,
  page: ListPage,
  now: number,
) => Promise<{ readonly repaired: number; readonly after: string | undefined }>;

/** The processor has no such account anymore, or no longer lets us see it. */
export class AccountGone extends Fault {}

export interface DepositAccount {
  readonly accountId: string;
  /** Whether it can take debits and pay them out. */
  readonly isReady: boolean;
  readonly takesDebits: boolean;
  /** Final: the processor refuses the practice. */
  readonly isRejected: boolean;
  readonly needs: readonly DepositNeed[];
  /** When the processor stops the account unless it gets what it needs. */
  readonly deadline: string | undefined;
  /** The bank account or debit card that it pays out to. Absent if the processor does not say which. */
  readonly bankAccount?: { readonly bankName: string; readonly last4: string; readonly fingerprint: string };
}

interface Onboarding {
  readonly accountId: string;
  /** Whether the page may also change existing details. Otherwise, it asks only for what is missing. */
  readonly mayChange: boolean;
  readonly returnUrl: string;
  /** Where the processor sends the browser if the page was used or has expired. */
  readonly refreshUrl: string;
}

/** The practices' accounts at the processor. Each call returns undefined if the processor refused or did not answer. */
export interface DepositAccounts {
  createAccount(practiceId: string, now: number): Promise<string | undefined>;
  findAccount(accountId: string): Promise<DepositAccount | undefined>;
  startOnboarding(onboarding: Onboarding, now: number): Promise<string | undefined>;
}

export type FoundBooking = Omit<Booking, 'practiceId' | 'payoutId' | 'paidAt'>;

/** Reads an account's balance at the processor, page by page. */
export interface ProcessorBooks {
  listBookings(
    account: string,
    page: ListPage,
  ): Promise<{ readonly bookings: readonly FoundBooking[]; readonly after: string | undefined }>;
  /** Returns the sessions whose debits are disputed. */
  listDisputes(
    account: string,
    page: ListPage,
  ): Promise<{ readonly sessionIds: readonly string[]; readonly after: string | undefined }>;
  listPayouts(
    account: string,
    page: ListPage,
  ): Promise<{ readonly payouts: readonly Omit<Payout, 'practiceId'>[]; readonly after: string | undefined }>;
  /** The available balance, in cents. Payouts stop while it is negative. */
  readBalance(account: string): Promise<number>;
  listPayoutBookings(
    account: string,
    payoutId: string,
    after: string | undefined,
  ): Promise<{ readonly bookings: readonly FoundBooking[]; readonly after: string | undefined }>;
}
