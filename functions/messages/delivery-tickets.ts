import type { DeliveryTicket } from '../contract/tickets.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Ticket } from './queues.ts';

/** Grouped by endpoint, so that one backlog does not delay the others. `delay` is in milliseconds. */
export function ticketOfDelivery(
  { practiceId, endpointId, eventId }: Pick<Delivery, 'practiceId' | 'endpointId' | 'eventId'>,
  attemptNumber: number,
  delay?: number,
): Ticket {
  const body: DeliveryTicket = { practiceId, endpointId, eventId, attemptNumber };
  return { body, groupId: endpointId, ...(delay !== undefined && { delay }) };
}
