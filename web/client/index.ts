export { createPaymentClient, type ClientOptions, type PaymentClient, type RepeatableOptions } from './client.ts';
export * from './events.ts';
export { isProblem, PaymentConnectionError, PaymentProblem, type ProblemCode, type RequestError } from './problems.ts';
export type { RequestOptions } from './send.ts';
export * from './sessions.ts';
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';
