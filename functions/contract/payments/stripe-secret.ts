import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));
/** Several while a secret is being rotated. */
const signingSecrets = z.union([text, z.array(text).check(z.minLength(1))]);

/** JSON in Secrets Manager. */
export const stripeSecret = z.object({
  secretKey: text,
  publishableKey: text,
  webhookSecret: signingSecrets,
  connectWebhookSecret: signingSecrets,
});
export type StripeSecret = z.infer<typeof stripeSecret>;

/** With test-mode keys, no money moves. */
export const liveStripeSecret = z.extend(stripeSecret, {
  secretKey: z.string().check(z.regex(/^(sk|rk)_live_/)),
  publishableKey: z.string().check(z.regex(/^pk_live_/)),
});
