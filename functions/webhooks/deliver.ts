import type { DeliveryTicket } from '../contract/tickets.ts';
import type { Delivery } from '../domain/delivery.ts';
import { unreachable } from '../domain/fault.ts';
import { maximumTicketDelay } from '../domain/retry-schedule.ts';
import type { Database } from '../store/database.ts';
import { leaseDelivery, rescheduleDelivery, skipDelivery } from '../store/deliveries.ts';
import { recordMissed } from '../store/endpoint-health.ts';
import { freeSlots } from '../store/endpoint-slots.ts';
import { getEvent } from '../store/events.ts';
import { admit, type AdmitTools } from './admit.ts';
import { makeAttempt, type AttemptTools } from './attempt.ts';

export interface DeliveryTools extends AttemptTools, AdmitTools {
  readonly database: Database<'deliveries' | 'attempts' | 'events' | 'webhookEndpoints'>;
}

/** A receiver's failure is recorded, not thrown. */
export async function deliver(tools: DeliveryTools, ticket: DeliveryTicket): Promise<void> {
  const { database, clock } = tools;
  const leased = await leaseDelivery(database, ticket, ticket.attemptNumber, clock());
  if (!leased) return;
  const [event, admission] = await Promise.all([getEvent(database, ticket.eventId), admit(tools, leased, clock())]);
  switch (admission.result) {
    case 'skip':
      return skip(tools, leased);
    case 'wait':
      return reschedule(tools, ticket, leased, admission.until);
    case 'post': {
      const { endpoint, slot } = admission;
      if (event) return makeAttempt(tools, { leased, event, endpoint, slot });
      await freeSlots(database, endpoint, [slot]);
      return skipDelivery(database, leased);
    }
    default:
      return unreachable(admission);
  }
}

async function skip({ database }: DeliveryTools, leased: Delivery): Promise<void> {
  await skipDelivery(database, leased);
  if (leased.deliveredAt === undefined) await recordMissed(database, leased, leased.createdAt);
}

async function reschedule(
  { database, sendDeliveries, clock }: DeliveryTools,
  ticket: DeliveryTicket,
  leased: Delivery,
  until: number,
): Promise<void> {
  const delay = until - clock();
  const byTicket = delay <= maximumTicketDelay;
  if (!(await rescheduleDelivery(database, leased, until, byTicket))) return;
  if (byTicket) await sendDeliveries([{ body: ticket, delay, groupId: ticket.endpointId }]);
}
