import * as z from 'zod/mini';
import { liveStripeSecret, stripeSecret, type StripeSecret } from '../../contract/payments/stripe.ts';
import { Fault } from '../../domain/fault.ts';
import type { ReadSecret } from '../../messages/secrets.ts';

/** Throws for a test-mode key, with which no money moves. */
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
