import * as z from 'zod/mini';

/** What queues and the bus carry: ids only. The truth is in the tables; a stale ticket is dropped. */
export const debitTicket = z.object({ sessionId: z.string() });
export const settlementTicket = z.object({ sessionId: z.string() });
export const dispatchTicket = z.object({ eventId: z.string() });
export const deliveryTicket = z.object({ eventId: z.string(), endpointId: z.string(), attemptNumber: z.int() });
export type DeliveryTicket = z.infer<typeof deliveryTicket>;

/** The detail of every event on the bus. A rule hands it on as the ticket of whatever it triggers. */
export interface BusEventDetail {
  readonly eventId: string;
  readonly sessionId: string | undefined;
  readonly practiceId: string;
}

/** What the owner of an endpoint is told. */
export type EndpointEventType = 'webhook.endpoint.failing' | 'webhook.endpoint.disabled' | 'webhook.endpoint.recovered';

export const busEventSource = 'patient-invoice-payment';
