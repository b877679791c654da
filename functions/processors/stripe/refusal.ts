import Stripe from 'stripe';
import type { Failure } from '../../domain/debit.ts';
import { logError, logInfo } from '../../log.ts';
import { failureOf, processorError } from './failures.ts';

/** Logs no message: it may quote the request. Throws what is not Stripe's. */
export function logRefusal(error: unknown, sessionId: string): Stripe.errors.StripeError {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, statusCode, requestId } = error;
  const fields = { sessionId, errorType: type, code, status: statusCode, stripeRequestId: requestId };
  if (error instanceof Stripe.errors.StripeCardError) logInfo('processor declined', fields);
  else logError('processor call failed', fields);
  return error;
}

/** Of a request to create or confirm an intent. Undefined: Stripe may have acted, or the intent already moved on. */
export function failureIn(error: unknown): Failure | undefined {
  if (error instanceof Stripe.errors.StripeCardError) return failureOf(error);
  return isInvalid(error) && error.code !== 'payment_intent_unexpected_state' ? processorError : undefined;
}

/** Stripe did nothing, and never will do it. */
export function isInvalid(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

export function isServerError({ statusCode }: Stripe.errors.StripeError): boolean {
  return statusCode !== undefined && statusCode >= 500;
}

export class DebitRefused extends Error {
  override readonly name = 'DebitRefused';
  readonly failure: Failure;
  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}
