import type { DeliveryTicket } from '../contract/webhooks/tickets.ts';
import type { EventRow } from '../domain/webhooks/event-row.ts';
import { leaseDelivery } from '../store/webhooks/deliveries.ts';
import { eventReader } from '../store/webhooks/events.ts';
import { deliverToEndpoint, type EndpointTools } from './deliver-to-endpoint.ts';
import { waitingDelivery, type Prepared } from './waiting-delivery.ts';

/** Delivers the tickets of one invocation. A receiver's failure is recorded, not thrown. */
export async function deliver(
  tools: EndpointTools,
  tickets: readonly DeliveryTicket[],
): Promise<PromiseSettledResult<void>[]> {
  const { database } = tools;
  const readEvent = eventReader(
    database,
    tickets.map(({ eventId }) => eventId),
  );
  const deliveries = tickets.map((ticket) => {
    const readItsEvent = async () => readEvent(ticket.eventId);
    return waitingDelivery(ticket, readItsEvent, async () => prepare(tools, ticket, readItsEvent()));
  });
  const ended = Promise.allSettled(deliveries.map((delivery) => delivery.ended));
  const ofEndpoints = Map.groupBy(deliveries, ({ ticket }) => ticket.endpointId);
  await Promise.all([...ofEndpoints.values()].map((waiting) => deliverToEndpoint(tools, waiting)));
  return ended;
}

async function prepare(
  { database, clock }: EndpointTools,
  ticket: DeliveryTicket,
  reading: Promise<EventRow | undefined>,
): Promise<Prepared | undefined> {
  const [leased, event] = await Promise.all([leaseDelivery(database, ticket, clock()), reading]);
  return leased && { leased, event };
}
