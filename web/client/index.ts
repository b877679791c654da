export { createPaymentClient, type ClientOptions } from './client.ts';
export * from './events.ts';
export type * from './payment-client.ts';
export { isProblem, PaymentConnectionError, PaymentProblem, type ProblemCode, type RequestError } from './problems.ts';
export type { RequestOptions } from './send.ts';
export type * from './sessions.ts';
export { signWebhook, type SignedWebhook } from './sign-webhook.ts';
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
export type * from './webhook-endpoints.ts';
