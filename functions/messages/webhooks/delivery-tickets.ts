import type { DeliveryTicket } from '../../contract/webhooks/tickets.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { EventRow } from '../../domain/webhooks/event-row.ts';
import { toIso } from '../../domain/time.ts';
import type { Ticket } from '../queues.ts';

/** Grouped by endpoint, so that one endpoint's backlog does not delay the others. */
export function ticketOfDelivery(
  { practiceId, endpointId, eventId, createdAt }: Pick<Delivery, 'practiceId' | 'endpointId' | 'eventId' | 'createdAt'>,
  attemptNumber: number,
  delay?: number,
): Ticket {
  const body: DeliveryTicket = { practiceId, endpointId, eventId, attemptNumber, dispatchedAt: createdAt };
  return { body, groupId: endpointId, ...(delay !== undefined && { delay }) };
}

/** For a delivery that gets its row at its first attempt. */
export function firstTicket(
  { eventId, practiceId, type }: Pick<EventRow, 'eventId' | 'practiceId' | 'type'>,
  endpointId: string,
  now: number,
): Ticket {
  const body: DeliveryTicket = {
    practiceId,
    endpointId,
    eventId,
    attemptNumber: 1,
    eventType: type,
    dispatchedAt: toIso(now),
  };
  return { body, groupId: endpointId };
}
