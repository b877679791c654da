import type { DeliveryTicket } from '../contract/tickets.ts';
import { wantsEvent } from '../domain/webhook-endpoint.ts';
import { logInfo } from '../log.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { createDelivery } from '../store/deliveries.ts';
import { getEvent, markDispatched } from '../store/events.ts';
import { listWebhookEndpoints } from '../store/webhook-endpoints.ts';

export interface DispatchTools {
  readonly database: Database<'events' | 'webhookEndpoints' | 'deliveries'>;
  readonly sendDeliveries: SendTickets;
}

/**
 * Makes of one event a delivery for each of the practice's endpoints that wants it, and a ticket for each that is enabled.
 * Only then is the event taken off the sweep's list, so that a call that dies on the way is made again.
 */
export async function dispatchEvent(
  eventId: string,
  { database, sendDeliveries }: DispatchTools,
  now: number,
): Promise<void> {
  const event = await getEvent(database, eventId);
  if (!event || event.dueShard === undefined) return;
  const endpoints = (await listWebhookEndpoints(database, event.practiceId)).filter((endpoint) =>
    wantsEvent(endpoint, event.type),
  );
  for (const { endpointId, status } of endpoints)
    await createDelivery(database, event, { endpointId, enabled: status === 'enabled' }, now);
  await sendDeliveries(
    endpoints
      .filter(({ status }) => status === 'enabled')
      .map(({ endpointId }) => ({
        body: { eventId, endpointId, attemptNumber: 1 } satisfies DeliveryTicket,
        groupId: endpointId,
      })),
  );
  await markDispatched(database, eventId);
  logInfo('event dispatched', { eventId, sessionId: event.sessionId, deliveries: endpoints.length });
}
