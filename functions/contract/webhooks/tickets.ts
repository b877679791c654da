import * as z from 'zod/mini';
import type { SessionEventType } from '../../domain/sessions/transitions.ts';

/** Tickets hold IDs. The tables are the truth; stale tickets are dropped. */
export const debitTicket = z.object({ sessionId: z.string() });
export const expiryTicket = z.object({ sessionId: z.string() });
/** `processorEventId` is the notification behind the ticket, if any. `comparison` marks a reconciliation. */
export const settlementTicket = z.object({
  sessionId: z.string(),
  processorEventId: z.optional(z.string()),
  comparison: z.optional(z.enum(['first', 'last'])),
});
export const deliveryTicket = z.object({
  practiceId: z.string(),
  endpointId: z.string(),
  eventId: z.string(),
  attemptNumber: z.int(),
  /** The API request that caused the event. */
  requestId: z.optional(z.string()),
});
const endpointAlerts = ['webhook.endpoint.failing', 'webhook.endpoint.disabled'] as const satisfies EndpointEventType[];
const sessionAlerts = [
  'session.payment.failed',
  'session.payment.returned',
  'session.payment.refunded',
  'session.payment.refund_failed',
  'session.payment.succeeded',
  'session.payment.link_requested',
] as const satisfies SessionEventType[];
/** The bus events that members can choose to get emails about. */
export const alertTypes = [...endpointAlerts, ...sessionAlerts] as const;

/** One email to one member. `subjectId` is the ID of an audit entry, an endpoint or a session, or the day of a summary. */
export const mailTicket = z.object({
  practiceId: z.string(),
  userId: z.string(),
  about: z.enum(['audit_entry', 'daily_summary', ...alertTypes]),
  subjectId: z.string(),
  /** How many more emails about the same thing can follow within the hour. */
  left: z.optional(z.int()),
});
export type MailTicket = z.infer<typeof mailTicket>;

const ofBus = { id: z.string(), time: z.iso.datetime() };
const ofPractice = { practiceId: z.string() };

/** Parses a bus event as the subject of an email. */
export const alertEvent = z.pipe(
  z.union([
    z.object({
      ...ofBus,
      'detail-type': z.enum(endpointAlerts),
      detail: z.object({ ...ofPractice, endpointId: z.string() }),
    }),
    z.object({
      ...ofBus,
      'detail-type': z.enum(sessionAlerts),
      detail: z.object({ ...ofPractice, sessionId: z.string(), eventId: z.string() }),
    }),
  ]),
  z.transform(({ 'detail-type': about, detail, id, time }) => ({
    practiceId: detail.practiceId,
    about,
    subjectId: 'endpointId' in detail ? detail.endpointId : detail.sessionId,
    /** A session's event keeps its ID if it is published again. */
    eventId: 'eventId' in detail ? detail.eventId : id,
    time,
  })),
);
export type AlertEvent = z.infer<typeof alertEvent>;

export type DeliveryTicket = z.infer<typeof deliveryTicket>;

export interface BusEventDetail {
  readonly eventId: string;
  readonly sessionId: string | undefined;
  readonly practiceId: string;
  readonly requestId: string | undefined;
}

export type EndpointEventType = 'webhook.endpoint.failing' | 'webhook.endpoint.disabled' | 'webhook.endpoint.recovered';

export const busEventSource = 'patient-invoice-payment';
