import type { Delivery } from '../domain/delivery.ts';
import { circuitWait, slotWait } from '../domain/endpoint-health.ts';
import { unreachable } from '../domain/fault.ts';
import { maximumTicketDelay, type Random } from '../domain/retry-schedule.ts';
import type { Clock } from '../domain/time.ts';
import { ticketOfDelivery } from '../messages/delivery-tickets.ts';
import type { SendTickets, Ticket } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { rescheduleDelivery, skipDelivery } from '../store/deliveries.ts';
import { recordMissed } from '../store/endpoint-health.ts';
import type { Refusal } from './admit.ts';
import type { WaitingDelivery } from './waiting-delivery.ts';

interface PutOffTools {
  readonly database: Database<'deliveries' | 'events' | 'webhookEndpoints'>;
  readonly sendDeliveries: SendTickets;
  readonly clock: Clock;
  readonly random: Random;
}

/** Reschedules or skips deliveries without using up an attempt. Never rejects: each delivery reports its own failure. */
export async function putOff(
  tools: PutOffTools,
  deliveries: readonly WaitingDelivery[],
  refusal: Refusal,
): Promise<void> {
  const tickets: Ticket[] = [];
  await Promise.all(
    deliveries.map(async (delivery) => {
      try {
        const prepared = await delivery.prepared;
        if (prepared) tickets.push(...(await decline(tools, prepared.leased, refusal)));
      } catch (error) {
        delivery.fail(error);
      }
    }),
  );
  const sent = tickets.length > 0 ? tools.sendDeliveries(tickets) : undefined;
  for (const delivery of deliveries) delivery.end(sent);
}

async function decline(tools: PutOffTools, leased: Delivery, refusal: Refusal): Promise<Ticket[]> {
  const { clock, random } = tools;
  const age = clock() - Date.parse(leased.createdAt);
  switch (refusal.result) {
    case 'skip':
      await skip(tools, leased);
      return [];
    case 'full':
      return reschedule(tools, leased, clock() + slotWait(age, random()));
    case 'circuit_open':
      return reschedule(tools, leased, circuitWait(refusal.until, age, random()));
    case 'probed':
      return reschedule(tools, leased, refusal.until);
    default:
      return unreachable(refusal);
  }
}

async function skip({ database }: PutOffTools, leased: Delivery): Promise<void> {
  await skipDelivery(database, leased);
  if (leased.deliveredAt === undefined) await recordMissed(database, leased, leased.createdAt);
}

async function reschedule({ database, clock }: PutOffTools, leased: Delivery, until: number): Promise<Ticket[]> {
  const delay = until - clock();
  const byTicket = delay <= maximumTicketDelay;
  const written = await rescheduleDelivery(database, leased, until, byTicket);
  return written && byTicket ? [ticketOfDelivery(leased, leased.attempts + 1, delay)] : [];
}
