import type { DeliveryTicket } from '../contract/tickets.ts';
import type { Delivery } from '../domain/delivery.ts';
import { circuitWait, slotWait } from '../domain/endpoint-health.ts';
import type { EventRow } from '../domain/event-row.ts';
import { unreachable } from '../domain/fault.ts';
import { maximumTicketDelay } from '../domain/retry-schedule.ts';
import { ticketOfDelivery } from '../messages/delivery-tickets.ts';
import type { Database } from '../store/database.ts';
import { leaseDelivery, rescheduleDelivery, skipDelivery } from '../store/deliveries.ts';
import { recordMissed } from '../store/endpoint-health.ts';
import { admit, type AdmitTools } from './admit.ts';
import { makeAttempt, type AttemptTools } from './attempt.ts';

export interface DeliveryTools extends AttemptTools, AdmitTools {
  readonly database: Database<'deliveries' | 'attempts' | 'webhookEndpoints'>;
  readonly readEvent: (eventId: string) => Promise<EventRow | undefined>;
}

/** A receiver's failure is recorded, not thrown. */
export async function deliver(tools: DeliveryTools, ticket: DeliveryTicket): Promise<void> {
  const { database, slots, readEvent, clock, random } = tools;
  // The slots of a batch can be taken together only if nothing comes before.
  const [leased, event, admission] = await Promise.all([
    leaseDelivery(database, ticket, ticket.attemptNumber, clock()),
    readEvent(ticket.eventId),
    admit(tools, ticket, clock()),
  ]);
  if (!leased) return admission.result === 'post' ? slots.free(admission.held) : undefined;
  const age = clock() - Date.parse(leased.createdAt);
  switch (admission.result) {
    case 'skip':
      return skip(tools, leased);
    case 'full':
      return reschedule(tools, leased, clock() + slotWait(age, random()));
    case 'circuit_open':
      return reschedule(tools, leased, circuitWait(admission.until, age, random()));
    case 'probed':
      return reschedule(tools, leased, admission.until);
    case 'post': {
      const { held } = admission;
      if (event) {
        try {
          return await makeAttempt(tools, { leased, event, held });
        } catch (error) {
          slots.forget(held);
          throw error;
        }
      }
      await slots.free(held);
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
  leased: Delivery,
  until: number,
): Promise<void> {
  const delay = until - clock();
  const byTicket = delay <= maximumTicketDelay;
  if (!(await rescheduleDelivery(database, leased, until, byTicket))) return;
  if (byTicket) await sendDeliveries([ticketOfDelivery(leased, leased.attempts + 1, delay)]);
}
