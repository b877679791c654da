import * as z from 'zod/mini';
import { dispatchTicket, type DeliveryTicket } from '../contract/tickets.ts';
import { wantsEvent } from '../domain/webhook-endpoint.ts';
import { queueUrl, tableNames } from '../environment.ts';
import { logInfo } from '../log.ts';
import { ticketSender } from '../messages/queues.ts';
import { connect } from '../store/database.ts';
import { createDelivery } from '../store/deliveries.ts';
import { getEvent, markDispatched } from '../store/events.ts';
import { listWebhookEndpoints } from '../store/webhook-endpoints.ts';

const database = connect(tableNames('events', 'webhookEndpoints', 'deliveries'));
const sendDeliveries = ticketSender(queueUrl('deliveries'));

/** Makes of one event a delivery for each of the practice's endpoints that wants it, and a ticket for each that is enabled. */
export const handler = async (ticket: unknown): Promise<void> => {
  const { eventId } = z.parse(dispatchTicket, ticket);
  const event = await getEvent(database, eventId);
  if (!event || event.dueShard === undefined) return;
  const endpoints = (await listWebhookEndpoints(database, event.practiceId)).filter((endpoint) => wantsEvent(endpoint, event.type));
  const now = Date.now();
  for (const { endpointId, status } of endpoints) await createDelivery(database, event, { endpointId, enabled: status === 'enabled' }, now);
  await sendDeliveries(
    endpoints
      .filter(({ status }) => status === 'enabled')
      .map(({ endpointId }) => ({ body: { eventId, endpointId, attemptNumber: 1 } satisfies DeliveryTicket, groupId: endpointId })),
  );
  await markDispatched(database, eventId);
  logInfo('event dispatched', { eventId, deliveries: endpoints.length });
};
