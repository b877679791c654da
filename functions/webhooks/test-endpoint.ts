import { ulid } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import { ticketOfDelivery } from '../messages/webhooks/delivery-tickets.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { WritingTools } from '../store/database.ts';
import { createTestDelivery } from '../store/webhooks/delivery-log.ts';
import { endpointEntry, type EndpointOfAuthor, requireEnabled } from './requirements.ts';

interface TestTools extends WritingTools<'webhookEndpoints' | 'deliveries' | 'events' | 'auditLog'> {
  readonly mode: Mode;
  readonly sendDeliveries: SendTickets;
}

export async function testEndpoint(
  tools: TestTools,
  { practiceId, endpointId, author }: EndpointOfAuthor,
  now: number,
) {
  const { database, mode, randomBytes, sendDeliveries } = tools;
  await requireEnabled(database, { practiceId, endpointId });
  const eventId = `evt_${ulid(now, randomBytes)}`;
  const test = { eventId, practiceId, endpointId, livemode: mode === 'live' };
  const entry = endpointEntry(tools, { practiceId, endpointId, author }, 'webhook_endpoint.tested', now, { eventId });
  await createTestDelivery(database, test, now, entry);
  await sendDeliveries([ticketOfDelivery(test, 1)]);
  return { eventId, endpointId, status: 'pending' };
}
