import type { DeliveryTicket } from '../contract/webhooks/tickets.ts';
import { attemptAfter, type NextAttempt, type Delivery } from '../domain/webhooks/delivery.ts';
import { hasHung, lostSlots, slotOf, circuitJitter, slotWait } from '../domain/webhooks/endpoint-health.ts';
import { toIso, second, type Clock } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { unreachable } from '../domain/fault.ts';
import type { Random } from '../domain/webhooks/retry-schedule.ts';
import type { SendTickets, Ticket } from '../messages/queues.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { freeSlots, reserveProbe, reserveSlot, type Held, recordMissed } from '../store/webhooks/endpoint-health.ts';
import type { EndpointKey } from '../store/webhooks/webhook-endpoints.ts';
import { postponeDelivery, rescheduleDelivery, skipDelivery } from '../store/webhooks/deliveries.ts';
import { isReachable } from './reachable.ts';
import { ticketOfDelivery } from './dispatch.ts';
import type { EventRow } from '../domain/webhooks/event.ts';

export type Admission =
  | { readonly result: 'post'; readonly endpoint: WebhookEndpoint; readonly slot: string }
  /** With `hangs`, a slot is unlikely to be free soon. */
  | { readonly result: 'full'; readonly hangs: boolean }
  | { readonly result: 'circuit_open'; readonly until: string }
  | { readonly result: 'skip' };

export type Refusal = Exclude<Admission, { readonly result: 'post' }>;

/** Reserves a slot for one delivery and moves it to the front of the list. */
export async function admit(
  database: Database,
  key: EndpointKey,
  deliveries: WaitingDelivery[],
  now: number,
  held: Held,
): Promise<Admission> {
  const [first] = deliveries;
  if (!first) return { result: 'full', hangs: false };
  const slot = slotOf(first.ticket.eventId, now);
  const { written, row: endpoint } = await reserveSlot(database, key, slot, now, held);
  if (written) return { result: 'post', endpoint, slot };
  if (endpoint?.status !== 'enabled') return { result: 'skip' };
  if (endpoint.circuitOpenUntil !== undefined) return probe(database, endpoint, deliveries, now);
  const lost = lostSlots(endpoint, now);
  if (lost.length === 0) return { result: 'full', hangs: hasHung(endpoint, now) };
  await freeSlots(database, endpoint, lost);
  return { result: 'full', hangs: false };
}

async function probe(
  database: Database,
  endpoint: WebhookEndpoint,
  deliveries: WaitingDelivery[],
  now: number,
): Promise<Admission> {
  const { circuitOpenUntil = '' } = endpoint;
  const isOpen = { result: 'circuit_open', until: circuitOpenUntil } as const;
  if (circuitOpenUntil > toIso(now)) return isOpen;
  // A probe for stale tickets would only keep the circuit open.
  const index = await firstToSend(database, deliveries);
  const [toSend] = index === -1 ? [] : deliveries.splice(index, 1);
  if (!toSend) return isOpen;
  deliveries.unshift(toSend);
  const slot = slotOf(toSend.ticket.eventId, now);
  const probed = await reserveProbe(database, endpoint, slot, now);
  return probed ? { result: 'post', endpoint: probed, slot } : isOpen;
}

async function firstToSend(database: Database, deliveries: readonly WaitingDelivery[]): Promise<number> {
  for (const [index, delivery] of deliveries.entries()) {
    const prepared = await delivery.prepare();
    if (prepared?.event && (await isReachable(database, prepared.leased))) return index;
  }
  return -1;
}

interface PutOffTools extends ReadingTools {
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
  const sent = tools.sendDeliveries(tickets);
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
      // The pause may be over already: none of the waiting deliveries could be the probe.
      return Math.max(second, Date.parse(refusal.until) - now + circuitJitter(age, random));
    default:
      return unreachable(refusal);
  }
}

export interface Prepared {
  readonly leased: Delivery;
  /** Undefined if the event is no longer stored. */
  readonly event: EventRow | undefined;
}

/** A ticket of a batch until its delivery has ended. */
export interface WaitingDelivery {
  readonly ticket: DeliveryTicket;
  /** Leased, or about to be. */
  readonly isPrepared: boolean;
  readonly readEvent: () => Promise<EventRow | undefined>;
  /** Prepares it once. Never rejects. Undefined if the ticket is stale or its preparation failed. */
  prepare(): Promise<Prepared | undefined>;
  readonly ended: Promise<void>;
  end(outcome?: Promise<void>): void;
  fail(error: unknown): void;
}

export function waitingDelivery(
  ticket: DeliveryTicket,
  readEvent: WaitingDelivery['readEvent'],
  prepare: () => Promise<Prepared | undefined>,
): WaitingDelivery {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let prepared: Promise<Prepared | undefined> | undefined;
  return {
    ticket,
    readEvent,
    get isPrepared() {
      return prepared !== undefined;
    },
    async prepare() {
      prepared ??= prepare().catch((error: unknown) => {
        reject(error);
        return undefined;
      });
      return prepared;
    },
    ended: promise,
    end: resolve,
    fail: reject,
  };
}
