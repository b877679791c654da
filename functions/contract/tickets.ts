import * as z from 'zod/mini';

/** Ids only: the tables are the truth, and stale tickets are dropped. */
export const debitTicket = z.object({ sessionId: z.string() });
export const settlementTicket = z.object({ sessionId: z.string() });
export const dispatchTicket = z.object({ eventId: z.string() });
export const deliveryTicket = z.object({ eventId: z.string(), endpointId: z.string(), attemptNumber: z.int() });
export type DeliveryTicket = z.infer<typeof deliveryTicket>;

export interface BusEventDetail {
  readonly eventId: string;
  readonly sessionId: string | undefined;
  readonly practiceId: string;
}

export type EndpointEventType = 'webhook.endpoint.failing' | 'webhook.endpoint.disabled' | 'webhook.endpoint.recovered';

export const busEventSource = 'patient-invoice-payment';
