import type { SessionEvent } from './events.ts';

/** `standard` retries 408, 425, 429 and 5xx; `all` retries everything but 2xx and 410. */
export type RetryPolicy = 'standard' | 'all';

export interface NewWebhookEndpoint {
  /** An https URL. */
  url: string;
  /** Absent: every event. */
  eventTypes?: SessionEvent['type'][];
  retryPolicy?: RetryPolicy;
}

export interface WebhookEndpoint {
  endpointId: string;
  url: string;
  status: 'enabled' | 'disabled';
  /** Absent: every event. */
  eventTypes?: string[];
  retryPolicy: RetryPolicy;
  createdAt: string;
  /** Absent if a person or a program disabled it. */
  disabledReason?: 'gone' | 'failing';
  disabledAt?: string;
  failingSince?: string;
  /** How the last failed attempt ended. Absent after a success. */
  lastFailure?: AttemptFailure;
  previousSecretExpiresAt?: string;
}

export interface AttemptFailure {
  /** Absent if there was no answer. */
  statusCode?: number;
  /** Such as `certificate_expired`. New ones can be added. */
  error?: string;
  redirectsTo?: string;
}

export interface CreatedWebhookEndpoint extends WebhookEndpoint {
  /** Store it now: it is never returned again. */
  signingSecret: string;
}

/** An absent field keeps its value. */
export interface WebhookEndpointChange {
  url?: string;
  /** `null`: every event. */
  eventTypes?: SessionEvent['type'][] | null;
  retryPolicy?: RetryPolicy;
  status?: 'enabled' | 'disabled';
}

export interface SecretRotation {
  /** How many hours the old secret keeps signing: 0 to 168; 24 if absent. */
  keepOldHours?: number;
}

export interface RotatedSecret {
  signingSecret: string;
  previousSecretExpiresAt: string;
}

export interface DeletedWebhookEndpoint {
  endpointId: string;
  status: 'deleted';
}

export interface SentTestEvent {
  endpointId: string;
  eventId: string;
}
