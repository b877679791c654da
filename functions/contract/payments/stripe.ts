import { none, takesNothing, type Route } from '../route.ts';

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
