import type { EventRow } from '../domain/webhooks/event-row.ts';
import { toIso } from '../domain/time.ts';
import { subscribedBefore, wantsEvent, type WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { logInfo } from '../log.ts';
import { firstTicket, ticketOfDelivery } from '../messages/webhooks/delivery-tickets.ts';
import type { SendTickets, Ticket } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { createDelivery, giveDueTimes } from '../store/webhooks/deliveries.ts';
import { eventReader, markDispatched } from '../store/webhooks/events.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';

export interface DispatchTools {
  readonly database: Database<'events' | 'webhookEndpoints' | 'deliveries'>;
  readonly sendDeliveries: SendTickets;
}

interface Created {
  readonly event: EventRow;
  readonly deliveries: number;
  readonly tickets: readonly Ticket[];
  /** The event stays due until its single delivery has a first attempt. */
  readonly staysDue: boolean;
}

/**
 * Creates the events' deliveries. Returns a result for each event, in order. A failed event stays due, and so does an event
 * whose delivery has no due time of its own yet: the sweep dispatches both again.
 */
export async function dispatchEvents(
  { database, sendDeliveries }: DispatchTools,
  events: readonly EventRow[],
  now: number,
): Promise<PromiseSettledResult<void>[]> {
  const practiceIds = [...new Set(events.map(({ practiceId }) => practiceId))];
  const endpoints = new Map(practiceIds.map((practiceId) => [practiceId, listWebhookEndpoints(database, practiceId)]));
  const readEvent = eventReader(
    database,
    events.map(({ eventId }) => eventId),
  );
  const results = await Promise.allSettled(
    events.map(async (given) => {
      const owned = (await endpoints.get(given.practiceId)) ?? [];
      // The stream can repeat an old row: a dispatched event must not go to endpoints that have subscribed since.
      const mayBeOld = owned.some(
        (endpoint) => wantsEvent(endpoint, given.type) && !subscribedBefore(endpoint, given.createdAt),
      );
      const event = mayBeOld ? await readEvent(given.eventId) : given;
      return event?.dueShard === undefined ? undefined : createDeliveries(database, event, owned, now);
    }),
  );
  const created = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []));
  // Grouped by endpoint, so that the tickets of one endpoint share a batch's writes.
  const tickets = Map.groupBy(
    created.flatMap((each) => each.tickets),
    ({ groupId }) => groupId,
  );
  const sent = sendDeliveries([...tickets.values()].flat());
  return Promise.allSettled(
    results.map(async (result) => {
      if (result.status === 'rejected') throw result.reason;
      if (result.value === undefined) return;
      const { event, deliveries, staysDue } = result.value;
      await sent;
      if (!staysDue) await markDispatched(database, event.eventId);
      logInfo('event dispatched', { eventId: event.eventId, sessionId: event.sessionId, deliveries });
    }),
  );
}

async function createDeliveries(
  database: DispatchTools['database'],
  event: EventRow,
  endpoints: readonly WebhookEndpoint[],
  now: number,
): Promise<Created> {
  const { eventId, practiceId } = event;
  const subscribed = endpoints.filter((endpoint) => wantsEvent(endpoint, event.type));
  const enabled = subscribed.filter(({ status }) => status === 'enabled');
  // At the first dispatch, a single delivery can rely on its ticket and the event's due time, which saves three writes.
  const [single] = enabled.length === 1 && event.taken === undefined ? enabled : [];
  const created = await Promise.all(
    subscribed
      .filter((endpoint) => endpoint !== single)
      .map(async ({ endpointId, status, disabledAt }) => {
        // A replay starts where the endpoint was disabled, which can be after this dispatch began.
        const createdAt = Math.max(now, disabledAt === undefined ? 0 : Date.parse(disabledAt));
        return createDelivery(database, event, { endpointId, enabled: status === 'enabled' }, createdAt);
      }),
  );
  const deliveries = subscribed.length;
  if (single) return { event, deliveries, tickets: [firstTicket(event, single.endpointId, now)], staysDue: true };
  const isFirst = event.taken === undefined && !created.includes(false);
  const waiting = isFirst
    ? enabled.map(({ endpointId }) => ({ practiceId, endpointId, eventId, createdAt: toIso(now) }))
    : await giveDueTimes(database, eventId, now);
  return { event, deliveries, tickets: waiting.map((each) => ticketOfDelivery(each, 1)), staysDue: false };
}
