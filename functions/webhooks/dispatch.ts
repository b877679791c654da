import { platformAt } from '../domain/practices/platform.ts';
import type { EventRow } from '../domain/webhooks/event.ts';
import { subscribedBefore, wantsEvent, type WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { logInfo } from '../log.ts';
import type { SendTickets, Ticket } from '../messages/queues.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { readMemberships } from '../store/practices/platforms.ts';
import { createDelivery } from '../store/webhooks/deliveries.ts';
import { eventReader, markDispatched } from '../store/webhooks/events.ts';
import { listWebhookEndpoints } from '../store/webhooks/webhook-endpoints.ts';
import type { DeliveryTicket } from '../contract/webhooks/tickets.ts';

export interface DispatchTools extends ReadingTools {
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
  const reading = readMemberships(
    database,
    events.map(({ practiceId }) => practiceId),
  );
  const endpointsOf = endpointReader(database);
  const readEvent = eventReader(
    database,
    events.map(({ eventId }) => eventId),
  );
  const results = await Promise.allSettled(
    events.map(async (given) => {
      const [memberships, own] = await Promise.all([reading, endpointsOf(given.practiceId)]);
      const platformId = platformAt(memberships.get(given.practiceId), given.createdAt);
      const all = platformId === undefined ? own : [...own, ...(await endpointsOf(platformId))];
      const subscribed = all.filter((endpoint) => wantsEvent(endpoint, given));
      // The stream can repeat an old row: a dispatched event must not go to endpoints that have subscribed since.
      const mayBeOld = subscribed.some((endpoint) => !subscribedBefore(endpoint, given.createdAt));
      const event = mayBeOld ? await readEvent(given.eventId) : given;
      if (event?.dueShard === undefined) return undefined;
      const tickets = await createDeliveries(database, event, subscribed, now);
      return { event, platformId, deliveries: subscribed.length, tickets };
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
      const { event, platformId, deliveries } = result.value;
      await sent;
      await markDispatched(database, event.eventId, platformId);
      const { eventId, sessionId, requestId } = event;
      logInfo('event dispatched', { requestId, eventId, sessionId, deliveries });
    }),
  );
}

/** Reads an owner's endpoints once. */
function endpointReader(database: Database): (ownerId: string) => Promise<WebhookEndpoint[]> {
  const read = new Map<string, Promise<WebhookEndpoint[]>>();
  return async (ownerId) => {
    const endpoints = read.get(ownerId) ?? listWebhookEndpoints(database, ownerId);
    read.set(ownerId, endpoints);
    return endpoints;
  };
}

async function createDeliveries(
  database: Database,
  event: EventRow,
  subscribed: readonly WebhookEndpoint[],
  now: number,
): Promise<Ticket[]> {
  const { eventId, requestId } = event;
  const tickets = await Promise.all(
    subscribed.map(async (endpoint) => {
      const { practiceId, endpointId, status, disabledAt } = endpoint;
      // A replay starts where the endpoint was disabled, which can be after this dispatch began.
      const createdAt = Math.max(now, disabledAt === undefined ? 0 : Date.parse(disabledAt));
      const isNew = await createDelivery(database, event, endpoint, createdAt);
      const isSent = isNew && status === 'enabled';
      return isSent ? [ticketOfDelivery({ practiceId, endpointId, eventId, requestId }, 1)] : [];
    }),
  );
  return tickets.flat();
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
