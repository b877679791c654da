import type { Cancellation, Failure, Refund, Return } from './sessions.ts';

/** New types can be added. Ignore types that you do not know. */
export type WebhookEvent = SessionEvent | PracticeEvent | TestEvent;

export type SessionEvent =
  | ProcessingEvent
  | SucceededEvent
  | FailedEvent
  | CancelledEvent
  | ReturnedEvent
  | RefundedEvent
  | RefundFailedEvent
  | LinkRequestedEvent
  | OpenedEvent;

/** The patient authorized the debit. Do not mark the invoice paid yet. */
export interface ProcessingEvent extends Envelope {
  type: 'session.payment.processing';
  data: SessionData & { status: 'processing'; previousStatus: 'pending'; processingAt: string };
}

/** The funds are confirmed. */
export interface SucceededEvent extends Envelope {
  type: 'session.payment.succeeded';
  data: SessionData & { status: 'succeeded'; previousStatus: 'processing'; settledAt: string };
}

/** The bank or the processor refused the payment. */
export interface FailedEvent extends Envelope {
  type: 'session.payment.failed';
  data: SessionData & { status: 'failed'; previousStatus: 'processing'; failedAt: string; failure: Failure };
}

/** You cancelled the session, or it expired. */
export interface CancelledEvent extends Envelope {
  type: 'session.payment.cancelled';
  data: SessionData & {
    status: 'cancelled';
    previousStatus: 'pending' | 'processing';
    cancelledAt: string;
    cancellation: Cancellation;
  };
}

/** The bank returned a settled debit: the invoice is unpaid again. */
export interface ReturnedEvent extends Envelope {
  type: 'session.payment.returned';
  data: Settled & { return: Return; refund?: Refund };
}

/** The patient got money back. Only endpoints that name this type get it. */
export interface RefundedEvent extends Envelope {
  type: 'session.payment.refunded';
  data: Settled & { refund: Refund };
}

/** The patient's bank did not take a refund: you have the money again. Only endpoints that name this type get it. */
export interface RefundFailedEvent extends Envelope {
  type: 'session.payment.refund_failed';
  data: Settled & { refund: Refund };
}

/** The link expired and the patient asked for a new one. Only endpoints that name this type get it. */
export interface LinkRequestedEvent extends Envelope {
  type: 'session.payment.link_requested';
  data: SessionData & { status: 'cancelled'; previousStatus: 'cancelled' };
}

/** The patient first did something on the payment page. Only endpoints that name this type get it. */
export interface OpenedEvent extends Envelope {
  type: 'session.payment.opened';
  data: SessionData & { status: 'pending' };
}

/** Only a platform's endpoints that name these types get them. */
export type PracticeEvent = PracticeJoinedEvent | PracticeLeftEvent;

/** A practice joined your platform, or was created in it. */
export interface PracticeJoinedEvent extends Envelope {
  type: 'practice.joined';
  data: { joinedAt: string };
}

/** A practice left your platform: your keys no longer reach it. */
export interface PracticeLeftEvent extends Envelope {
  type: 'practice.left';
  data: { joinedAt: string; leftAt: string };
}

export interface TestEvent extends Envelope {
  type: 'webhook.test';
  /** Empty. */
  data: Record<never, never>;
}

interface Envelope {
  /** The same in every attempt, resend and replay. Use it to skip duplicates. */
  id: string;
  /** Strictly increases within a session. */
  created_at: string;
  api_version: '2026-11-20';
  livemode: boolean;
  practiceId: string;
}

type Settled = SessionData & { status: 'succeeded'; previousStatus: 'succeeded'; settledAt: string };

/** The session right after the change. */
interface SessionData {
  sessionId: string;
  invoiceId: string;
  /** US cents. */
  amountCents: number;
  /** Counts the session's changes: 1, 2, … `session.payment.opened` has 0. Events can arrive out of order. */
  sequence: number;
  metadata: Record<string, string>;
}

export type EventType = WebhookEvent['type'];

/** One of your events from the last 30 days, whether or not a webhook reached you. */
export interface ListedEvent {
  eventId: string;
  type: EventType;
  createdAt: string;
  sessionId?: string;
  /** The webhook's body, byte for byte: `eventOf` reads it. */
  body: string;
}

export interface EventFilters {
  type?: EventType | readonly EventType[];
  sessionId?: string;
  /** Only events from this time on. */
  since?: Date | string;
}

/** Parses a listed event's body, which is the webhook's. For received webhooks, use `verifyWebhook`. */
export function eventOf({ body }: ListedEvent): WebhookEvent {
  return JSON.parse(body);
}
