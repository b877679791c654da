import * as z from 'zod/mini';
import { Fault } from '../../domain/fault.ts';
import type { ReadSecret } from '../../messages/secrets.ts';

const text = z.string().check(z.minLength(1));
/** Several while a secret is being rotated. */
const signingSecrets = z.union([text, z.array(text).check(z.minLength(1))]);

const stripeSecret = z.object({
  secretKey: text,
  publishableKey: text,
  webhookSecret: signingSecrets,
  connectWebhookSecret: signingSecrets,
});
export type StripeSecret = z.infer<typeof stripeSecret>;

/** Throws for a key of Stripe's test mode, with which no money moves. */
export function liveKeysOnly(readSecret: ReadSecret): ReadSecret {
  return async (options) => {
    const json = await readSecret(options);
    const { secretKey, publishableKey } = requireSecret(json);
    if (!/^(sk|rk)_live_/.test(secretKey) || !publishableKey.startsWith('pk_live_'))
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
