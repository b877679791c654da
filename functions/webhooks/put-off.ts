import { circuitWait, slotWait } from '../domain/endpoint-health.ts';
import { unreachable } from '../domain/fault.ts';
import { maximumTicketDelay, type Random } from '../domain/retry-schedule.ts';
import type { Clock } from '../domain/time.ts';
import { ticketOfDelivery } from '../messages/delivery-tickets.ts';
import type { SendTickets, Ticket } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { postponeDelivery, rescheduleDelivery, skipDelivery, type NextAttempt } from '../store/deliveries.ts';
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
        tickets.push(...(await decline(tools, delivery, refusal)));
      } catch (error) {
        delivery.fail(error);
      }
    }),
  );
  const sent = tickets.length > 0 ? tools.sendDeliveries(tickets) : undefined;
  for (const delivery of deliveries) delivery.end(sent);
}

async function decline(tools: PutOffTools, delivery: WaitingDelivery, refusal: Refusal): Promise<Ticket[]> {
  const { database, clock, random } = tools;
  const { ticket, isPrepared } = delivery;

  /** Returns the next ticket, if the delivery waits for one. */
  async function reschedule(
    reason: Wait,
    createdAt: string,
    write: (next: NextAttempt) => Promise<boolean>,
  ): Promise<Ticket[]> {
    const nextAttemptAt = endOf(reason, clock() - Date.parse(createdAt), clock(), random());
    const delay = nextAttemptAt - clock();
    const byTicket = delay <= maximumTicketDelay;
    const written = await write({ nextAttemptAt, byTicket });
    return written && byTicket ? [ticketOfDelivery({ ...ticket, createdAt }, ticket.attemptNumber, delay)] : [];
  }

  if (refusal.result !== 'skip' && !isPrepared && ticket.dispatchedAt !== undefined)
    return reschedule(refusal, ticket.dispatchedAt, async (next) => postponeDelivery(database, ticket, next, clock()));
  const { leased } = (await delivery.prepare()) ?? {};
  if (!leased) return [];
  if (refusal.result !== 'skip')
    return reschedule(refusal, leased.createdAt, async (next) => rescheduleDelivery(database, leased, next));
  await skipDelivery(database, leased);
  if (leased.deliveredAt === undefined) await recordMissed(database, leased, leased.createdAt);
  return [];
}

type Wait = Exclude<Refusal, { readonly result: 'skip' }>;

/** When to try again, in epoch milliseconds. */
function endOf(refusal: Wait, age: number, now: number, random: number): number {
  switch (refusal.result) {
    case 'full':
      return now + slotWait(age, random);
    case 'circuit_open':
      return circuitWait(refusal.until, age, random);
    case 'probed':
      return refusal.until;
    default:
      return unreachable(refusal);
  }
}
