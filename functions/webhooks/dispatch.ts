import type { DispatchTicket } from '../contract/tickets.ts';
import { wantsEvent } from '../domain/webhook-endpoint.ts';
import { logInfo } from '../log.ts';
import { ticketOfDelivery } from '../messages/delivery-tickets.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { createDelivery, giveDueTimes } from '../store/deliveries.ts';
import { getEvent, markDispatched } from '../store/events.ts';
import { listWebhookEndpoints } from '../store/webhook-endpoints.ts';

export interface DispatchTools {
  readonly database: Database<'events' | 'webhookEndpoints' | 'deliveries'>;
  readonly sendDeliveries: SendTickets;
}

/** The event stays due until every delivery has a due time of its own, or has ended: the sweep repeats the dispatch. */
export async function dispatchEvent(
  { database, sendDeliveries }: DispatchTools,
  { eventId, practiceId }: DispatchTicket,
  now: number,
): Promise<void> {
  const [event, endpoints] = await Promise.all([
    getEvent(database, eventId),
    listWebhookEndpoints(database, practiceId),
  ]);
  if (event?.dueShard === undefined) return;
  const subscribed = endpoints.filter((endpoint) => wantsEvent(endpoint, event.type));
  const enabled = subscribed.filter(({ status }) => status === 'enabled');
  // A single delivery can rely on the event's due time, the first time: two writes to an index less.
  const standsIn = enabled.length === 1 && event.taken === undefined;
  const created = await Promise.all(
    subscribed.map(async ({ endpointId, status }) =>
      createDelivery(database, event, { endpointId, enabled: status === 'enabled', hasDueTime: !standsIn }, now),
    ),
  );
  const isFirst = event.taken === undefined && !created.includes(false);
  if (!isFirst) await giveDueTimes(database, eventId, now);
  await sendDeliveries(enabled.map(({ endpointId }) => ticketOfDelivery({ practiceId, endpointId, eventId }, 1)));
  if (!standsIn || !isFirst) await markDispatched(database, eventId);
  logInfo('event dispatched', { eventId, sessionId: event.sessionId, deliveries: subscribed.length });
}
