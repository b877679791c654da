import Stripe from 'stripe';
import { minute, second } from '../../domain/time.ts';
import type { CallStripe } from './client.ts';

const attempts = 5;

/** Retries calls that change nothing: waits as long as Stripe asks, or with exponential backoff. */
export function paced(call: CallStripe, pause: (milliseconds: number) => Promise<void>): CallStripe {
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call(work);
      } catch (error) {
        if (attempt === attempts || !isTransient(error)) throw error;
        await pause(Math.min(requestedPause(error) ?? 2 ** attempt * second, minute));
      }
    }
  };
}

function isTransient(error: unknown): error is Stripe.errors.StripeError {
  return (
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError
  );
}

function requestedPause({ headers }: Stripe.errors.StripeError): number | undefined {
  const seconds = Number(headers?.['retry-after'] ?? Number.NaN);
  return seconds >= 0 ? seconds * second : undefined;
}
