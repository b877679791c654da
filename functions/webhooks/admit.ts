import { leaseDuration } from '../domain/webhooks/delivery.ts';
import { hasHung, lostSlots, roomOf, slotOf } from '../domain/webhooks/endpoint-health.ts';
import { second, toIso } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Database } from '../store/database.ts';
import { freeSlots, takeProbe, takeSlots, type Held } from '../store/webhooks/endpoint-slots.ts';
import type { EndpointKey } from '../store/webhooks/webhook-endpoints.ts';
import type { WaitingDelivery } from './waiting-delivery.ts';

type Endpoints = Database<'webhookEndpoints'>;

export type Admission =
  | { readonly result: 'post'; readonly endpoint: WebhookEndpoint; readonly slots: readonly string[] }
  /** With `hangs`, a slot is unlikely to be free soon. */
  | { readonly result: 'full'; readonly hangs: boolean }
  | { readonly result: 'circuit_open'; readonly until: string }
  | { readonly result: 'probed'; readonly until: number }
  | { readonly result: 'skip' };

export type Refusal = Exclude<Admission, { readonly result: 'post' }>;

const probeTime = 20 * second;
/** Another worker may take a slot that was just free. */
const maximumTries = 3;

/** Takes a slot for each delivery, or for as many as there is room, in one write. */
export async function admit(
  database: Endpoints,
  key: EndpointKey,
  deliveries: readonly WaitingDelivery[],
  now: number,
  held: Held = {},
): Promise<Admission> {
  // A batch can have two tickets for one event.
  let slots = [...new Set(deliveries.map(({ ticket }) => slotOf(ticket.eventId, now + leaseDuration)))];
  for (let tries = 0; tries < maximumTries; tries += 1) {
    const { taken, endpoint } = await takeSlots(database, key, slots, now, held);
    if (taken && endpoint) return { result: 'post', endpoint, slots };
    if (endpoint?.status !== 'enabled') return { result: 'skip' };
    if (endpoint.circuitOpenUntil !== undefined) return probe(database, endpoint, deliveries, now);
    const lost = lostSlots(endpoint, now);
    if (lost.length > 0) await freeSlots(database, endpoint, lost);
    const room = roomOf(endpoint, now, held.slot);
    if (room === 0) return { result: 'full', hangs: hasHung(endpoint, now) };
    slots = slots.slice(0, room);
  }
  return { result: 'full', hangs: false };
}

async function probe(
  database: Endpoints,
  endpoint: WebhookEndpoint,
  deliveries: readonly WaitingDelivery[],
  now: number,
): Promise<Admission> {
  const { circuitOpenUntil = '' } = endpoint;
  if (circuitOpenUntil > toIso(now)) return { result: 'circuit_open', until: circuitOpenUntil };
  const prepared = await Promise.all(deliveries.map(async (delivery) => delivery.prepare()));
  const toSend = prepared.find((each) => each?.event !== undefined);
  // A probe for stale tickets would only keep the circuit open.
  if (!toSend) return { result: 'circuit_open', until: circuitOpenUntil };
  const slot = slotOf(toSend.leased.eventId, now + leaseDuration);
  const probed = await takeProbe(database, endpoint, slot, now);
  return probed ? { result: 'post', endpoint: probed, slots: [slot] } : { result: 'probed', until: now + probeTime };
}
