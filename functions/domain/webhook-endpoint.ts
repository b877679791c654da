import * as z from 'zod/mini';
import { endpointHealth } from './endpoint-health.ts';
import { randomBase62, type RandomBytes } from './identifier.ts';
import { isoTime, toIso } from './time.ts';

export const webhookEndpoint = z.object({
  practiceId: z.string(),
  endpointId: z.string(),
  url: z.string(),
  status: z.enum(['enabled', 'disabled']),
  /** The event types it wants; absent means all. */
  eventTypes: z.optional(z.array(z.string())),
  /** Whether its owner wants every answer but 2xx and 410 tried again. */
  retriesAllFailures: z.optional(z.boolean()),
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

/** The secrets that sign at `now`: the current one first, and for a while after a rotation the one before. */
export function signingSecrets(endpoint: WebhookEndpoint, now: number): string[] {
  const { signingSecret, previousSigningSecret, previousSecretExpiresAt } = endpoint;
  const previousSigns =
    previousSigningSecret !== undefined &&
    previousSecretExpiresAt !== undefined &&
    toIso(now) < previousSecretExpiresAt;
  return previousSigns ? [signingSecret, previousSigningSecret] : [signingSecret];
}

/** Since when an endpoint that is off has missed webhooks: from the first delivery that failed on, or since it was turned off. Undefined where it is on. */
export function replayStart({ status, missedSince, disabledAt }: WebhookEndpoint): string | undefined {
  return status === 'disabled' ? (missedSince ?? disabledAt) : undefined;
}

export function wantsEvent(endpoint: WebhookEndpoint, eventType: string): boolean {
  return endpoint.eventTypes === undefined || endpoint.eventTypes.includes(eventType);
}
