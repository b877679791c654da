import * as z from 'zod/mini';
import Stripe from 'stripe';
import { liveStripeSecret, stripeSecret, type StripeSecret } from '../../contract/payments/stripe.ts';
import { Fault } from '../../domain/fault.ts';
import type { ReadSecret } from '../../messages/secrets.ts';
import { second, minute } from '../../domain/time.ts';

/** Throws for a test-mode key, which moves no money. */
export function liveKeysOnly(readSecret: ReadSecret): ReadSecret {
  return async (options) => {
    const json = await readSecret(options);
    if (!z.safeParse(liveStripeSecret, requireSecret(json)).success)
      throw new Fault("the processor's secret needs live keys: sk_live_… or rk_live_…, and pk_live_…");
    return json;
  };
}

/** Throws without quoting the secret. */
export function requireSecret(json: string): StripeSecret {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    parsed = undefined;
  }
  const secret = z.safeParse(stripeSecret, parsed);
  if (!secret.success) throw new Fault("the processor's secret does not have the expected fields");
  return secret.data;
}

/** Runs one or more calls. If Stripe rejects the key, reads the secret again and runs them once more. */
export type CallStripe = <Answer>(work: (stripe: Stripe, secret: StripeSecret) => Promise<Answer>) => Promise<Answer>;

export function stripeCaller(readSecret: ReadSecret, apiBase: string, timeout = 8 * second): CallStripe {
  const origin = new URL(apiBase);
  const connectWith = (apiKey: string) =>
    new Stripe(apiKey, {
      host: origin.hostname,
      protocol: z.parse(z.enum(['http', 'https']), origin.protocol.slice(0, -1)),
      ...(origin.port !== '' && { port: origin.port }),
      // The callers retry, and look up the debit first.
      maxNetworkRetries: 0,
      timeout,
      telemetry: false,
    });
  let connected: { readonly key: string; readonly stripe: Stripe } | undefined;

  async function connection(options?: { again: true }) {
    const secret = requireSecret(await readSecret(options));
    if (connected?.key !== secret.secretKey)
      connected = { key: secret.secretKey, stripe: connectWith(secret.secretKey) };
    return { ...connected, secret };
  }

  return async (work) => {
    const { key, stripe, secret } = await connection();
    try {
      return await work(stripe, secret);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeAuthenticationError)) throw error;
      const rotated = await connection({ again: true });
      if (rotated.key === key) throw error;
      return work(rotated.stripe, rotated.secret);
    }
  };
}

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

/** Stripe replays its response to a key, even an error, for at least a day: after an error, the key must change. */
export function requestKey(call: string, sessionId: string, failedCalls = 0): string {
  return failedCalls === 0 ? `${call}:${sessionId}` : `${call}:${sessionId}:${failedCalls}`;
}

/** A key for objects that may exist twice. It changes every minute, so that a replayed error stops the patient only briefly. */
export function minuteKey(call: string, subject: string, now: number): string {
  return `${call}:${subject}:${Math.floor(now / minute)}`;
}
