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
});
/** The bus events that members get mail about. */
export const alertTypes = [
  'webhook.endpoint.failing',
  'webhook.endpoint.disabled',
  'session.payment.returned',
  'session.payment.refund_failed',
  'session.payment.link_requested',
] as const satisfies readonly (EndpointEventType | SessionEventType)[];

/** One mail to one member. `subjectId` is the ID of an audit entry, an endpoint or a session. */
export const mailTicket = z.object({
  practiceId: z.string(),
  userId: z.string(),
  about: z.enum(['audit_entry', ...alertTypes]),
  subjectId: z.string(),
});
export type MailTicket = z.infer<typeof mailTicket>;

const ofPractice = { practiceId: z.string() };

/** Reads a bus event as the subject of a mail. */
export const alertEvent = z.pipe(
  z.union([
    z.object({
      'detail-type': z.enum(['webhook.endpoint.failing', 'webhook.endpoint.disabled']),
      detail: z.object({ ...ofPractice, endpointId: z.string() }),
    }),
    z.object({
      'detail-type': z.enum([
        'session.payment.returned',
        'session.payment.refund_failed',
        'session.payment.link_requested',
      ]),
      detail: z.object({ ...ofPractice, sessionId: z.string() }),
    }),
  ]),
  z.transform(({ 'detail-type': about, detail }) => ({
    practiceId: detail.practiceId,
    about,
    subjectId: 'endpointId' in detail ? detail.endpointId : detail.sessionId,
  })),
);

export type DeliveryTicket = z.infer<typeof deliveryTicket>;

export interface BusEventDetail {
  readonly eventId: string;
  readonly sessionId: string | undefined;
  readonly practiceId: string;
}

export type EndpointEventType = 'webhook.endpoint.failing' | 'webhook.endpoint.disabled' | 'webhook.endpoint.recovered';

export const busEventSource = 'patient-invoice-payment';
