import * as z from 'zod/mini';
import { none, takesNothing, type Route } from '../route.ts';

const text = z.string().check(z.trim(), z.regex(/^\S+$/));
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

/** Refuses test-mode keys, with which no money moves. */
export const liveStripeSecret = z.extend(stripeSecret, {
  secretKey: text.check(z.regex(/^(sk|rk)_live_/)),
  publishableKey: text.check(z.regex(/^pk_live_/)),
});

export const receiveStripeEventRoute = {
  ...takesNothing,
  method: 'POST',
  path: '/api/processor/stripe',
  summary: 'Receive a notification from Stripe',
  description: 'Stripe signs the raw body and repeats the call until it gets a 2xx.',
  status: 200,
  response: none,
  problems: { signature_invalid: { status: 400, title: 'The signature is not valid.' } },
} as const satisfies Route;
