import type { DeliveryTicket } from '../contract/tickets.ts';
import { ulid, type RandomBytes } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { createTestDelivery } from '../store/delivery-log.ts';
import type { EndpointKey } from '../store/webhook-endpoints.ts';
import { requireEnabled } from './requirements.ts';

interface TestTools {
  readonly database: Database<'webhookEndpoints' | 'deliveries' | 'events'>;
  readonly mode: Mode;
  readonly randomBytes: RandomBytes;
  readonly sendDeliveries: SendTickets;
}

export async function testEndpoint(
  { database, mode, randomBytes, sendDeliveries }: TestTools,
  { practiceId, endpointId }: EndpointKey,
  now: number,
) {
  await requireEnabled(database, { practiceId, endpointId });
  const eventId = `evt_${ulid(now, randomBytes)}`;
  await createTestDelivery(database, { eventId, practiceId, endpointId, livemode: mode === 'live' }, now);
  const ticket: DeliveryTicket = { eventId, endpointId, attemptNumber: 1 };
  await sendDeliveries([{ body: ticket, groupId: endpointId }]);
  return { eventId, endpointId, status: 'pending' };
}
