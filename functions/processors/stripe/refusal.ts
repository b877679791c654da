import Stripe from 'stripe';
import * as z from 'zod/mini';
import type { Failure } from '../../domain/payments/debit.ts';
import { logError, logInfo } from '../../log.ts';
import { failureOf, otherReason, processorError } from './failures.ts';

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

/** 400 codes that time or a concurrent call of ours explains. */
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

/** Whether Stripe repeats this response for the request's idempotency key, or for it with the parameters of this release. */
export function isKept(error: Stripe.errors.StripeError): boolean {
  const { statusCode = 0 } = error;
  return statusCode >= 500 || error instanceof Stripe.errors.StripeIdempotencyError || isInvalid(error);
}
