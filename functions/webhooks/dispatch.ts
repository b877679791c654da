import type { EventRow } from '../domain/webhooks/event.ts';
import { subscribedBefore, wantsEvent, type WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { logInfo } from '../log.ts';
import type { SendTickets, Ticket } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { createDelivery } from '../store/webhooks/deliveries.ts';
import { eventReader, markDispatched } from '../store/webhooks/events.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';
import type { DeliveryTicket } from '../contract/webhooks/tickets.ts';

export interface DispatchTools {
  readonly database: Database<'events' | 'webhookEndpoints' | 'deliveries'>;
  readonly sendDeliveries: SendTickets;
}

/**
 * Creates the events' deliveries, then sends their tickets. Returns a result for each event, in order. A failed event stays
 * due: the sweep dispatches it again.
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
      const { event, deliveries } = result.value;
      await sent;
      await markDispatched(database, event.eventId);
      const { eventId, sessionId, requestId } = event;
      logInfo('event dispatched', { requestId, eventId, sessionId, deliveries });
    }),
  );
}

async function createDeliveries(
  database: DispatchTools['database'],
  event: EventRow,
  endpoints: readonly WebhookEndpoint[],
  now: number,
) {
  const { eventId, practiceId, requestId } = event;
  const subscribed = endpoints.filter((endpoint) => wantsEvent(endpoint, event.type));
  const tickets = await Promise.all(
    subscribed.map(async ({ endpointId, status, disabledAt }) => {
      const enabled = status === 'enabled';
      // A replay starts where the endpoint was disabled, which can be after this dispatch began.
      const createdAt = Math.max(now, disabledAt === undefined ? 0 : Date.parse(disabledAt));
      const isNew = await createDelivery(database, event, { endpointId, enabled }, createdAt);
      return isNew && enabled ? [ticketOfDelivery({ practiceId, endpointId, eventId, requestId }, 1)] : [];
    }),
  );
  return { event, deliveries: subscribed.length, tickets: tickets.flat() };
}

/** Grouped by endpoint, so that one endpoint's backlog does not delay the others. */
export function ticketOfDelivery(
  { practiceId, endpointId, eventId, requestId }: Omit<DeliveryTicket, 'attemptNumber'>,
  attemptNumber: number,
  delay?: number,
): Ticket {
  const body: DeliveryTicket = { practiceId, endpointId, eventId, attemptNumber, requestId };
  return { body, groupId: endpointId, ...(delay !== undefined && { delay }) };
}
