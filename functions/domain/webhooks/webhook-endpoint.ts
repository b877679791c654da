import * as z from 'zod/mini';
import { endpointHealth } from './endpoint-health.ts';
import { randomBase62, type RandomBytes } from '../identifier.ts';
import { isPracticeEventType } from '../practices/platform.ts';
import { optInEventTypes } from '../sessions/transitions.ts';
import { retryPolicies } from './retry-schedule.ts';
import { isoTime, minute, toIso } from '../time.ts';

const expiringSecret = z.object({ signingSecret: z.string(), expiresAt: isoTime });
type ExpiringSecret = z.infer<typeof expiringSecret>;

export const webhookEndpoint = z.object({
  practiceId: z.string(),
  endpointId: z.string(),
  url: z.string(),
  status: z.enum(['enabled', 'disabled']),
  eventTypes: z.optional(z.array(z.string())),
  /** Set only on a platform's endpoint. Absent means all of its practices. */
  practiceIds: z.optional(z.array(z.string())),
  /** When `eventTypes` or `practiceIds` last changed. Absent if neither has. */
  eventTypesChangedAt: z.optional(isoTime),
  /** Absent means `standard`. */
  retryPolicy: z.optional(z.enum(retryPolicies)),
  signingSecret: z.string(),
  previousSigningSecret: z.optional(z.string()),
  previousSecretExpiresAt: z.optional(isoTime),
  /** Secrets replaced before the last rotation, newest first. */
  olderSigningSecrets: z.optional(z.array(expiringSecret)),
  disabledReason: z.optional(z.enum(['gone', 'failing'])),
  disabledAt: z.optional(isoTime),
  ...endpointHealth,
  createdAt: isoTime,
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

export function generateEndpointId(randomBytes: RandomBytes): string {
  return `whe_${randomBase62(20, randomBytes)}`;
}

/** Whether the text can be a key: the table rejects keys that are too long. */
export function isEndpointId(text: string): boolean {
  return /^whe_\w{1,40}$/.test(text);
}

/** The current secret comes first. */
export function signingSecrets(endpoint: WebhookEndpoint, now: number): string[] {
  const replaced = replacedSecrets(endpoint, now).map(({ signingSecret }) => signingSecret);
  return [endpoint.signingSecret, ...replaced];
}

/** Replaced secrets that still sign, newest first. */
function replacedSecrets(endpoint: WebhookEndpoint, now: number): ExpiringSecret[] {
  const { previousSigningSecret, previousSecretExpiresAt, olderSigningSecrets = [] } = endpoint;
  const previous =
    previousSigningSecret !== undefined && previousSecretExpiresAt !== undefined
      ? [{ signingSecret: previousSigningSecret, expiresAt: previousSecretExpiresAt }]
      : [];
  return [...previous, ...olderSigningSecrets].filter(({ expiresAt }) => toIso(now) < expiresAt);
}

/** Keeps the signature header short, however often someone rotates. */
const mostOldSecrets = 4;

/**
 * The newly replaced secret signs until `expiresAt`, and older ones until they expire, so that a receiver that missed a
 * rotation can still verify. After a leak (`expiresAt` is now), none of them signs.
 */
export function rotatedSecrets(endpoint: WebhookEndpoint, signingSecret: string, expiresAt: string, now: number) {
  const older = toIso(now) < expiresAt ? replacedSecrets(endpoint, now) : [];
  return {
    signingSecret,
    previousSigningSecret: endpoint.signingSecret,
    previousSecretExpiresAt: expiresAt,
    olderSigningSecrets: older.slice(0, mostOldSecrets - 1),
  };
}

export function replayStart({ status, missedSince, disabledAt }: WebhookEndpoint): string | undefined {
  return status === 'disabled' ? (missedSince ?? disabledAt) : undefined;
}

/** Clocks differ by less than this, even on a machine where an operator adds an endpoint. */
const clockMargin = 15 * minute;

/** Whether the endpoint was already subscribed to the same events at that time. */
export function subscribedBefore(
  { createdAt, eventTypesChangedAt = createdAt }: WebhookEndpoint,
  time: string,
): boolean {
  return Date.parse(eventTypesChangedAt) + clockMargin < Date.parse(time);
}

interface WantedEvent {
  readonly type: string;
  readonly practiceId: string;
  readonly movedPracticeId?: string | undefined;
}

export function wantsEvent(
  { eventTypes, practiceIds }: Pick<WebhookEndpoint, 'eventTypes' | 'practiceIds'>,
  { type, practiceId, movedPracticeId = practiceId }: WantedEvent,
): boolean {
  const isWantedType = eventTypes?.includes(type) ?? !(optInEventTypes.includes(type) || isPracticeEventType(type));
  return isWantedType && (practiceIds?.includes(movedPracticeId) ?? true);
}
