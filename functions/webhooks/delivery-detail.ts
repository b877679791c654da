import { Problem } from '../contract/problem.ts';
import { canBeId } from '../domain/identifier.ts';
import { isEndpointId } from '../domain/webhooks/webhook-endpoint.ts';
import type { Database } from '../store/database.ts';
import { getDelivery, type DeliveryKey } from '../store/webhooks/deliveries.ts';
import { listAttempts } from '../store/webhooks/delivery-log.ts';
import { getEvent } from '../store/webhooks/events.ts';

/** A delivery with its body and every attempt. Throws a Problem if the practice has no such delivery. */
export async function getDeliveryDetail(
  { database }: { readonly database: Database<'deliveries' | 'attempts' | 'events'> },
  { practiceId, eventId, endpointId }: DeliveryKey & { readonly practiceId: string },
) {
  const isKey = canBeId(eventId) && isEndpointId(endpointId);
  const delivery = isKey ? await getDelivery(database, { eventId, endpointId }) : undefined;
  if (delivery?.practiceId !== practiceId)
    throw new Problem('delivery_not_found', 'This practice has no such delivery. Deliveries are kept for 30 days.');
  const [event, attempts] = await Promise.all([getEvent(database, eventId), listAttempts(database, delivery)]);
  return { delivery, body: event?.body, attempts };
}
