import { Problem } from '../contract/problem.ts';
import { canBeId, type RandomBytes } from '../domain/identifier.ts';
import { ticketOfDelivery } from '../messages/webhooks/delivery-tickets.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { getDelivery } from '../store/webhooks/deliveries.ts';
import { reopenAudited } from '../store/webhooks/delivery-log.ts';
import { endpointEntry, type EndpointOfAuthor } from './endpoint-entry.ts';
import { requireEnabled } from './requirements.ts';

interface ResendTools {
  readonly database: Database<'webhookEndpoints' | 'deliveries' | 'auditLog'>;
  readonly randomBytes: RandomBytes;
  readonly sendDeliveries: SendTickets;
}

export async function resendEvent(
  tools: ResendTools,
  { practiceId, endpointId, author, eventId }: EndpointOfAuthor & { readonly eventId: string },
  now: number,
) {
  const { database, sendDeliveries } = tools;
  await requireEnabled(database, { practiceId, endpointId });
  const delivery = canBeId(eventId) ? await getDelivery(database, { eventId, endpointId }) : undefined;
  if (!delivery)
    throw new Problem(
      'delivery_not_found',
      'This endpoint has no delivery of this event. Check the event id. A very recent event may still be on its way.',
    );
  const entry = endpointEntry(tools, { practiceId, endpointId, author }, 'delivery.resent', now, { eventId });
  if (!(await reopenAudited(database, delivery, now, entry)))
    throw new Problem('delivery_in_progress', 'This event is being sent right now. Try again in a minute.');
  await sendDeliveries([ticketOfDelivery(delivery, delivery.attempts + 1)]);
  return { eventId, endpointId, status: 'pending' };
}
