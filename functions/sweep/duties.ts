import { Fault } from '../domain/fault.ts';
import { toIso, type Clock } from '../domain/time.ts';
import { ticketOfDelivery } from '../messages/webhooks/delivery-tickets.ts';
import type { Publish } from '../messages/webhooks/bus-events.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { dueDeliveries, getDelivery, type DeliveryKey } from '../store/webhooks/deliveries.ts';
import { getEvent, undispatchedEvents } from '../store/webhooks/events.ts';
import { dueSessions } from '../store/sessions/sessions.ts';
import { dispatchEvents } from '../webhooks/dispatch.ts';
import { duty, ticketDuty, type Duty } from './duty.ts';

export interface DutiesTools {
  readonly database: Database<'sessions' | 'events' | 'deliveries' | 'webhookEndpoints'>;
  readonly publish: Publish;
  readonly sendExpirations: SendTickets;
  readonly sendDebits: SendTickets;
  readonly sendDeliveries: SendTickets;
  readonly clock: Clock;
  readonly settlements: Duty;
}

export function duties(tools: DutiesTools): Duty[] {
  const { database, sendExpirations, sendDebits, settlements } = tools;
  return [
    ticketDuty(dueSessions(database, 'expiry'), sendExpirations),
    ticketDuty(dueSessions(database, 'debit'), sendDebits),
    ticketDuty(dueSessions(database, 'cancellation'), sendDebits),
    duty(undispatchedEvents(database), ({ eventId }) => republish(tools, eventId)),
    duty(dueDeliveries(database), (key) => retryDelivery(tools, key)),
    settlements,
  ];
}

async function republish(tools: DutiesTools, eventId: string): Promise<void> {
  const { database, publish, clock } = tools;
  const event = await getEvent(database, eventId);
  if (event?.dueShard === undefined) return;
  const [accepted] = await publish([event]);
  if (!accepted) throw new Fault(`the bus rejected ${eventId}`);
  const [dispatched] = await dispatchEvents(tools, [event], clock());
  if (dispatched?.status === 'rejected') throw dispatched.reason;
}

async function retryDelivery({ database, sendDeliveries, clock }: DutiesTools, key: DeliveryKey): Promise<void> {
  const delivery = await getDelivery(database, key);
  // An attempt recorded meanwhile has set a later time.
  if (delivery?.status !== 'pending' || (delivery.nextAttemptAt ?? '') > toIso(clock())) return;
  await sendDeliveries([ticketOfDelivery(delivery, delivery.attempts + 1)]);
}
