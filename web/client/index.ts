export { createPaymentClient, type ClientOptions } from './client.ts';
export * from './events.ts';
export type * from './payment-client.ts';
export type * from './payouts.ts';
export { isProblem, PaymentConnectionError, PaymentProblem, type ProblemCode, type RequestError } from './problems.ts';
export type { RequestOptions } from './send.ts';
export type * from './sessions.ts';
export { signWebhook, verifyWebhook, WebhookVerificationError, type SignedWebhook } from './webhook-signature.ts';
export type * from './webhook-endpoints.ts';
