import * as z from 'zod/mini';

/** Messages on queues and the bus carry ids only. The tables are the source of truth; a stale ticket is dropped. */
export const debitTicket = z.object({ sessionId: z.string() });
export const settlementTicket = z.object({ sessionId: z.string() });
export const dispatchTicket = z.object({ eventId: z.string() });
export const deliveryTicket = z.object({ eventId: z.string(), endpointId: z.string(), attemptNumber: z.int() });
export type DeliveryTicket = z.infer<typeof deliveryTicket>;

/** The detail of every event on the bus. Rules forward it as a ticket. */
export interface BusEventDetail {
  readonly eventId: string;
  readonly sessionId: string | undefined;
  readonly practiceId: string;
}

/** The notifications to an endpoint's owner. */
export type EndpointEventType = 'webhook.endpoint.failing' | 'webhook.endpoint.disabled' | 'webhook.endpoint.recovered';

export const busEventSource = 'patient-invoice-payment';
