import type { DeliveryTicket } from '../../contract/webhooks/tickets.ts';
import type { Ticket } from '../queues.ts';

/** Grouped by endpoint, so that one endpoint's backlog does not delay the others. */
export function ticketOfDelivery(
  { practiceId, endpointId, eventId, requestId }: Omit<DeliveryTicket, 'attemptNumber'>,
  attemptNumber: number,
  delay?: number,
): Ticket {
  const body: DeliveryTicket = { practiceId, endpointId, eventId, attemptNumber, requestId };
  return { body, groupId: endpointId, ...(delay !== undefined && { delay }) };
}
