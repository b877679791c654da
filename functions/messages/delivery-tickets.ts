import type { DeliveryTicket } from '../contract/tickets.ts';
import type { Ticket } from './queues.ts';

/** Grouped by endpoint, so that one backlog does not delay the others. `delay` is in milliseconds. */
export function ticketOfDelivery(ticket: DeliveryTicket, delay?: number): Ticket {
  return { body: ticket, groupId: ticket.endpointId, ...(delay !== undefined && { delay }) };
}
