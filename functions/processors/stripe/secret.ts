import * as z from 'zod/mini';
import { Fault } from '../../domain/fault.ts';

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
