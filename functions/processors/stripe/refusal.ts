import Stripe from 'stripe';
import * as z from 'zod/mini';
import type { Failure } from '../../domain/debit.ts';
import { logError, logInfo } from '../../log.ts';
import { failureOf, processorError } from './failures.ts';

/** Codes of a 400 that are about the patient's account: https://docs.stripe.com/error-codes */
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

/** Codes of a 400 that another moment, or another caller of ours, explains. */
const passingCodes = new Set([
  'financial_connections_account_pending_account_numbers',
  'payment_intent_unexpected_state',
]);

/** Logs no message: it may quote the request. Throws what is not Stripe's. */
export function logRefusal(error: unknown, sessionId: string): Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, statusCode, requestId } = error;
  const fields = { sessionId, errorType: type, code, status: statusCode, stripeRequestId: requestId };
  if (isDecline(error)) logInfo('processor declined', fields);
  else if (isOurFault(error)) logError('processor rejected our request', fields, rejected);
  else logError('processor call failed', fields);
  return error;
}

/** The same, also for an answer that lacks what Stripe publishes. */
export function logFailedCall(error: unknown, sessionId: string): void {
  if (!(error instanceof z.core.$ZodError)) logRefusal(error, sessionId);
  else {
    const missing = error.issues.map(({ path }) => path.join('.')).join(' ');
    logError('processor answered something else', { sessionId, missing }, rejected);
  }
}

const rejected = [{ metric: 'RejectedProcessorCalls', value: 1 }] as const;

/** Of the patient's bank or account. */
export function isDecline(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Stripe.errors.StripeCardError || (isInvalid(error) && accountCodes.has(error.code ?? ''));
}

function isOurFault(error: Stripe.errors.StripeError): boolean {
  return (
    (isInvalid(error) && !passingCodes.has(error.code ?? '')) ||
    error instanceof Stripe.errors.StripePermissionError ||
    error instanceof Stripe.errors.StripeAuthenticationError
  );
}

/** Of a request to create or confirm an intent. Undefined: Stripe may have acted, or the intent already moved on. */
export function failureIn(error: unknown): Failure | undefined {
  if (isDecline(error)) return failureOf(error);
  return isInvalid(error) && !passingCodes.has(error.code ?? '') ? processorError : undefined;
}

/** Stripe did nothing, and never will do it. */
export function isInvalid(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** Stripe repeats this answer to the request's idempotency key. */
export function isKept(error: Stripe.errors.StripeError): boolean {
  const { statusCode = 0 } = error;
  return statusCode >= 500 || isInvalid(error);
}
