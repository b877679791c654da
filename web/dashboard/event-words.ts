import type { EndpointSummary } from '../../functions/contract/webhooks/dashboard-endpoints.ts';
import type { SessionWebhook } from '../../functions/contract/webhooks/webhooks.ts';
import { formatCount } from './format.ts';

export type EventType = SessionWebhook['type'];

export const eventWords: Readonly<Record<EventType, string>> = {
  'session.payment.processing': 'The patient authorized the payment',
  'session.payment.succeeded': 'The payment succeeded',
  'session.payment.failed': 'The payment failed',
  'session.payment.cancelled': 'The session was cancelled or expired',
  'session.payment.returned': 'The bank returned a payment',
};

export const eventTypes: readonly EventType[] = [
  'session.payment.processing',
  'session.payment.succeeded',
  'session.payment.failed',
  'session.payment.cancelled',
  'session.payment.returned',
];

export function filterWords({ eventTypes: chosen }: Pick<EndpointSummary, 'eventTypes'>): string {
  return chosen === undefined ? 'All events' : formatCount(chosen.length, 'event');
}

type RetryPolicy = NonNullable<EndpointSummary['retryPolicy']>;

export const retryWords: Readonly<Record<RetryPolicy, { readonly label: string; readonly hint: string }>> = {
  standard: {
    label: 'When it can help',
    hint: 'After no answer, 408, 425, 429 or 5xx. Other answers fail the delivery at once.',
  },
  all: { label: 'After every failure', hint: 'After every answer but 2xx and 410. 410 disables the endpoint.' },
};
