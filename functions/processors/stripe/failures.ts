import Stripe from 'stripe';
import * as z from 'zod/mini';
import type { DebitReturn, Failure } from '../../domain/payments/debit.ts';
import type { PaymentIntent } from './intents.ts';
import { logError, logInfo } from '../../log.ts';
import type { RefundRefusal } from '../processor.ts';

interface Decline {
  readonly code?: string | null | undefined;
  readonly network_decline_code?: string | null | undefined;
}

export const processorError = {
  code: 'processor_error',
  message: 'The payment processor could not process the debit.',
} as const satisfies Failure;

type Reason = Pick<Failure, 'code' | 'message'>;

const restricted: Reason = {
  code: 'practice_account_restricted',
  message: "The practice's account at the payment processor cannot take this debit. The dashboard says what it needs.",
};
const overLimit: Reason = {
  code: 'processor_limit_exceeded',
  message: 'The debit exceeds a limit of the payment processor. Ask whoever operates the payment service to raise it.',
};
const invalidAuthorization: Reason = {
  code: 'authorization_invalid',
  message: "The payment processor does not accept the patient's authorization. Send a new link.",
};

/** Stripe's refusals that are not about the patient's bank. */
const notTheBank: Readonly<Record<string, Reason>> = {
  capability_not_active: restricted,
  charge_exceeds_source_limit: overLimit,
  charge_exceeds_transaction_limit: overLimit,
  charge_exceeds_weekly_limit: overLimit,
  mandate_invalid: invalidAuthorization,
  payment_intent_mandate_invalid: invalidAuthorization,
};

/** Undefined if the patient's bank, or one of our requests, may be the reason. */
function otherReason(stripeCode: string | null | undefined): Reason | undefined {
  return notTheBank[stripeCode ?? ''];
}

const failures: Readonly<Record<string, Reason>> = {
  ...notTheBank,
  insufficient_funds: { code: 'insufficient_funds', message: 'The account did not have enough money.' },
  account_closed: { code: 'account_closed', message: 'The account is closed.' },
  no_account: { code: 'account_not_found', message: 'The bank could not find the account.' },
  account_number_invalid: { code: 'account_not_found', message: 'The bank could not find the account.' },
  debit_not_authorized: {
    code: 'debit_not_authorized',
    message: 'The bank reported that the debit was not authorized.',
  },
  bank_account_restricted: { code: 'account_frozen', message: 'The bank has restricted the account.' },
  processing_error: processorError,
};
const declined = { code: 'bank_declined', message: 'The bank declined the debit.' } as const;
const unusable = { code: 'account_unusable', message: 'The payment processor cannot debit this account.' } as const;
const byReturnCode: Readonly<Record<string, keyof typeof failures>> = {
  R01: 'insufficient_funds',
  R02: 'account_closed',
  R03: 'no_account',
  R04: 'account_number_invalid',
  R05: 'debit_not_authorized',
  R07: 'debit_not_authorized',
  R08: 'debit_not_authorized',
  R09: 'insufficient_funds',
  R10: 'debit_not_authorized',
  R11: 'debit_not_authorized',
  R16: 'bank_account_restricted',
  R29: 'debit_not_authorized',
};

export function failureOf({ code, network_decline_code: networkCode }: Decline): Failure {
  const achReturnCode = networkCode && /^R\d\d$/.test(networkCode) ? networkCode : undefined;
  const known = failures[code ?? ''] ?? failures[byReturnCode[achReturnCode ?? ''] ?? ''];
  const unknown = code === 'bank_account_unusable' ? unusable : declined;
  return { ...(known ?? unknown), ...(achReturnCode !== undefined && { achReturnCode }) };
}

/** Why an intent will never be paid. Undefined if it still may be, or was canceled on purpose. */
export function refusalOf({
  last_payment_error: error,
  cancellation_reason: reason,
}: PaymentIntent): Failure | undefined {
  if (error) return failureOf(error);
  // Only we cancel with this reason, after Stripe refused to confirm the intent.
  return reason === 'abandoned' ? processorError : undefined;
}

const returns: Readonly<Record<string, DebitReturn['code']>> = {
  insufficient_funds: 'insufficient_funds',
  incorrect_account_details: 'account_not_found',
  bank_cannot_process: 'bank_declined',
};

/** Stripe gives a dispute's reason but not the bank's return code. A reason that is not the bank's own is the payer's. */
export function returnOf(reason: string): Omit<DebitReturn, 'returnedAt'> {
  return { code: returns[reason] ?? 'debit_not_authorized' };
}

/** 400 codes that blame the patient's account: https://docs.stripe.com/error-codes */
const accountCodes = new Set([
  'account_closed',
  'account_number_invalid',
  'bank_account_bad_routing_numbers',
  'bank_account_declined',
  'bank_account_restricted',
  'bank_account_unusable',
  'bank_account_unverified',
  'bank_account_verification_failed',
  'financial_connections_account_inactive',
  'financial_connections_account_unavailable_account_numbers',
  'no_account',
  'payment_method_bank_account_blocked',
  'routing_number_invalid',
]);

/** 400 codes explained by timing or by another call of ours at the same time. */
const transientCodes = new Set([
  'financial_connections_account_pending_account_numbers',
  'payment_intent_unexpected_state',
]);

/** Rethrows any error that is not Stripe's. */
export function logRefusal(error: unknown, sessionId: string): Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const fields = { sessionId, ...loggedOf(error) };
  const reason = otherReason(error.code)?.code;
  if (reason === 'processor_limit_exceeded') logError('processor limit exceeded', fields, rejected);
  else if (reason !== undefined || isDecline(error)) logInfo('processor declined', fields);
  else if (isOurFault(error)) logError('processor rejected our request', fields, rejected);
  else logError('processor call failed', fields);
  return error;
}

/** https://docs.stripe.com/error-codes */
const refundRefusals: Readonly<Record<string, RefundRefusal>> = {
  charge_disputed: 'disputed',
  charge_already_refunded: 'too_large',
  balance_insufficient: 'balance_too_low',
  insufficient_funds: 'balance_too_low',
};

/** Like `logRefusal`. Returns why Stripe refused a refund, or undefined if it may have made it. */
export function logRefundRefusal(error: unknown, sessionId: string): RefundRefusal | undefined {
  if (!isInvalid(error)) {
    logRefusal(error, sessionId);
    return undefined;
  }
  // An amount above the remainder has no code of its own.
  const reason = error.param === 'amount' ? 'too_large' : refundRefusals[error.code ?? ''];
  if (reason) logInfo('processor refused a refund', { sessionId, reason, ...loggedOf(error) });
  else logRefusal(error, sessionId);
  return reason ?? 'other';
}

/** Never includes the message, which may quote the request. */
export function loggedOf({ type, code, statusCode, requestId }: Stripe.errors.StripeError) {
  return { errorType: type, code, status: statusCode, stripeRequestId: requestId };
}

/** Like `logRefusal`, but also logs a response that does not match Stripe's published schema. */
export function logFailedCall(error: unknown, sessionId: string): void {
  if (!(error instanceof z.core.$ZodError)) logRefusal(error, sessionId);
  else {
    const missing = error.issues.map(({ path }) => path.join('.')).join(' ');
    logError('processor answered something else', { sessionId, missing }, rejected);
  }
}

const rejected = [{ metric: 'RejectedProcessorCalls', value: 1 }] as const;

/** Whether the patient's bank or account is the reason. */
export function isDecline(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError) || otherReason(error.code)) return false;
  return error instanceof Stripe.errors.StripeCardError || (isInvalid(error) && accountCodes.has(error.code ?? ''));
}

function isOurFault(error: Stripe.errors.StripeError): boolean {
  return (
    (isInvalid(error) && !transientCodes.has(error.code ?? '')) ||
    error instanceof Stripe.errors.StripePermissionError ||
    error instanceof Stripe.errors.StripeAuthenticationError
  );
}

/** Why Stripe refused to create or confirm an intent. Undefined if Stripe may have acted, or the intent has moved on. */
export function failureIn(error: unknown): Failure | undefined {
  if (error instanceof Stripe.errors.StripeError && (isDecline(error) || otherReason(error.code)))
    return failureOf(error);
  return isInvalid(error) && !transientCodes.has(error.code ?? '') ? processorError : undefined;
}

/** Stripe did nothing, and a retry would not help. */
export function isInvalid(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** Whether Stripe repeats this response for the request's idempotency key, or for that key with this release's parameters. */
export function isKept(error: Stripe.errors.StripeError): boolean {
  const { statusCode = 0 } = error;
  return statusCode >= 500 || error instanceof Stripe.errors.StripeIdempotencyError || isInvalid(error);
}
