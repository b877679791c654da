import * as z from 'zod/mini';
import { endpointHealth } from './endpoint-health.ts';
import { randomBase62, type RandomBytes } from './identifier.ts';
import { retryPolicies } from './retry-schedule.ts';
import { isoTime, toIso } from './time.ts';

export const webhookEndpoint = z.object({
  practiceId: z.string(),
  endpointId: z.string(),
  url: z.string(),
  status: z.enum(['enabled', 'disabled']),
  eventTypes: z.optional(z.array(z.string())),
  /** Absent means `standard`. */
  retryPolicy: z.optional(z.enum(retryPolicies)),
  signingSecret: z.string(),
  previousSigningSecret: z.optional(z.string()),
  previousSecretExpiresAt: z.optional(isoTime),
  disabledReason: z.optional(z.enum(['gone', 'failing'])),
  disabledAt: z.optional(isoTime),
  ...endpointHealth,
  createdAt: isoTime,
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

export function generateEndpointId(randomBytes: RandomBytes): string {
  return `whe_${randomBase62(20, randomBytes)}`;
}

/** Whether it can be a key at all: the table refuses one that is too long. */
export function isEndpointId(text: string): boolean {
  return /^whe_\w{1,40}$/.test(text);
}

export function signingSecrets(endpoint: WebhookEndpoint, now: number): string[] {
  const { signingSecret, previousSigningSecret, previousSecretExpiresAt } = endpoint;
  const previousSigns =
    previousSigningSecret !== undefined &&
    previousSecretExpiresAt !== undefined &&
    toIso(now) < previousSecretExpiresAt;
  return previousSigns ? [signingSecret, previousSigningSecret] : [signingSecret];
}

export function replayStart({ status, missedSince, disabledAt }: WebhookEndpoint): string | undefined {
  return status === 'disabled' ? (missedSince ?? disabledAt) : undefined;
}

export function wantsEvent(endpoint: WebhookEndpoint, eventType: string): boolean {
  return endpoint.eventTypes === undefined || endpoint.eventTypes.includes(eventType);
}
