import type { PracticeEvent, SessionEvent } from './events.ts';

/** `standard` retries 408, 425, 429 and 5xx; `all` retries everything but 2xx and 410. */
export type RetryPolicy = 'standard' | 'all';

export interface NewWebhookEndpoint {
  /** An https URL. */
  url: string;
  /** If absent, every event except the opt-in types. */
  eventTypes?: (SessionEvent | PracticeEvent)['type'][];
  /** Only for a platform's endpoint. If absent, all of its practices. */
  practiceIds?: string[];
  retryPolicy?: RetryPolicy;
}

export interface WebhookEndpoint {
  endpointId: string;
  url: string;
  status: 'enabled' | 'disabled';
  /** If absent, every event except the opt-in types. */
  eventTypes?: string[];
  /** If absent, all of a platform's practices. */
  practiceIds?: string[];
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
  /** For example, `certificate_expired`. New ones can be added. */
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
  /** `null`: every event except the opt-in types. */
  eventTypes?: (SessionEvent | PracticeEvent)['type'][] | null;
  /** `null`: all of a platform's practices. */
  practiceIds?: string[] | null;
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

/** One event to one endpoint. */
export interface WebhookDelivery {
  eventId: string;
  endpointId: string;
  /** The event's practice: a platform's endpoint gets events from many. */
  practiceId: string;
  /** Absent for a test, and if a practice joined or left. */
  sessionId?: string;
  eventType: string;
  status: DeliveryStatus;
  attempts: number;
  createdAt: string;
  nextAttemptAt?: string;
  deliveredAt?: string;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'skipped';

export interface DeliveryFilters {
  status?: DeliveryStatus;
}

export interface ResentEvent {
  endpointId: string;
  eventId: string;
}

export interface StartedReplay {
  since: string;
  replayed: number;
  /** Call it again while there are more. */
  more: boolean;
}
