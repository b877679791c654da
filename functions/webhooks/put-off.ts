import type { DeliveryTicket } from '../contract/webhooks/tickets.ts';
import { attemptAfter, type NextAttempt } from '../domain/webhooks/delivery.ts';
import { circuitJitter, slotWait } from '../domain/webhooks/endpoint-health.ts';
import { unreachable } from '../domain/fault.ts';
import type { Random } from '../domain/webhooks/retry-schedule.ts';
import { second, type Clock } from '../domain/time.ts';
import { ticketOfDelivery } from '../messages/webhooks/delivery-tickets.ts';
import type { SendTickets, Ticket } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { postponeDelivery, rescheduleDelivery, skipDelivery } from '../store/webhooks/deliveries.ts';
import { recordMissed } from '../store/webhooks/endpoint-health.ts';
import type { Refusal } from './admit.ts';
import type { WaitingDelivery } from './waiting-delivery.ts';

interface PutOffTools {
  readonly database: Database<'deliveries' | 'webhookEndpoints'>;
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
        if (refusal.result === 'skip') await skip(tools, delivery);
        else tickets.push(...(await reschedule(tools, delivery, refusal)));
      } catch (error) {
        delivery.fail(error);
      }
    }),
  );
  const sent = tickets.length > 0 ? tools.sendDeliveries(tickets) : undefined;
  for (const delivery of deliveries) delivery.end(sent);
}

async function skip({ database }: PutOffTools, delivery: WaitingDelivery): Promise<void> {
  const { leased } = (await delivery.prepare()) ?? {};
  if (!leased) return;
  await recordMissed(database, leased);
  await skipDelivery(database, leased);
}

type Wait = Exclude<Refusal, { readonly result: 'skip' }>;

/** Returns the next ticket, unless the sweep sends it. */
async function reschedule(
  { database, clock, random }: PutOffTools,
  delivery: WaitingDelivery,
  refusal: Wait,
): Promise<Ticket[]> {
  const { ticket } = delivery;
  const event = await delivery.readEvent();
  const now = clock();
  if (event && !delivery.isPrepared) {
    const next = nextAttempt(refusal, event.createdAt, now, random());
    return (await postponeDelivery(database, ticket, next, now)) ? nextTicket(ticket, next, now) : [];
  }
  const { leased } = (await delivery.prepare()) ?? {};
  if (!leased) return [];
  if (!event) {
    await skipDelivery(database, leased);
    return [];
  }
  const next = nextAttempt(refusal, event.createdAt, now, random());
  return (await rescheduleDelivery(database, leased, next)) ? nextTicket(ticket, next, now) : [];
}

function nextAttempt(refusal: Wait, createdAt: string, now: number, random: number): NextAttempt {
  return attemptAfter(waitOf(refusal, now - Date.parse(createdAt), now, random), now);
}

function nextTicket(ticket: DeliveryTicket, { nextAttemptAt, byTicket }: NextAttempt, now: number): Ticket[] {
  return byTicket ? [ticketOfDelivery(ticket, ticket.attemptNumber, nextAttemptAt - now)] : [];
}

/** In milliseconds. */
function waitOf(refusal: Wait, age: number, now: number, random: number): number {
  switch (refusal.result) {
    case 'full':
      return slotWait(age, random);
    case 'circuit_open':
      // The pause may be over, if no delivery that waits can be the probe.
      return Math.max(second, Date.parse(refusal.until) - now + circuitJitter(age, random));
    default:
      return unreachable(refusal);
  }
}
