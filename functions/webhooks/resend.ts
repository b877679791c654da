import { Problem } from '../contract/problems.ts';
import type { DeliveryTicket } from '../contract/tickets.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { getDelivery } from '../store/deliveries.ts';
import { reopenDelivery } from '../store/delivery-log.ts';
import type { EndpointKey } from '../store/webhook-endpoints.ts';
import { requireEnabled } from './requirements.ts';

interface ResendTools {
  readonly database: Database<'webhookEndpoints' | 'deliveries'>;
  readonly sendDeliveries: SendTickets;
}

export async function resendEvent(
  { database, sendDeliveries }: ResendTools,
  { practiceId, endpointId, eventId }: EndpointKey & { readonly eventId: string },
  now: number,
) {
  await requireEnabled(database, { practiceId, endpointId });
  const delivery = await getDelivery(database, { eventId, endpointId });
  if (!delivery)
    throw new Problem('delivery_not_found', 'This event was never due to this endpoint. Check the event id.');
  if (!(await reopenDelivery(database, delivery, now)))
    throw new Problem('delivery_in_progress', 'This event is being sent right now. Try again in a minute.');
  const ticket: DeliveryTicket = { eventId, endpointId, attemptNumber: delivery.attempts + 1 };
  await sendDeliveries([{ body: ticket, groupId: endpointId }]);
  return { eventId, endpointId, status: 'pending' };
}
