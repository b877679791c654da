import { leaseDuration } from '../domain/webhooks/delivery.ts';
import { hasHung, lostSlots, slotOf } from '../domain/webhooks/endpoint-health.ts';
import { toIso } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import type { Database } from '../store/database.ts';
import { freeSlots, reserveProbe, reserveSlot, type Held } from '../store/webhooks/endpoint-health.ts';
import type { EndpointKey } from '../store/webhooks/webhook-endpoints.ts';
import type { WaitingDelivery } from './waiting-delivery.ts';

type Endpoints = Database<'webhookEndpoints'>;

export type Admission =
  | { readonly result: 'post'; readonly endpoint: WebhookEndpoint; readonly slot: string }
  /** With `hangs`, a slot is unlikely to be free soon. */
  | { readonly result: 'full'; readonly hangs: boolean }
  | { readonly result: 'circuit_open'; readonly until: string }
  | { readonly result: 'skip' };

export type Refusal = Exclude<Admission, { readonly result: 'post' }>;

/** Reserves a slot for one of the deliveries, which moves to the front. */
export async function admit(
  database: Endpoints,
  key: EndpointKey,
  deliveries: WaitingDelivery[],
  now: number,
  held: Held,
): Promise<Admission> {
  const [first] = deliveries;
  if (!first) return { result: 'full', hangs: false };
  const slot = slotOf(first.ticket.eventId, now + leaseDuration);
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
  database: Endpoints,
  endpoint: WebhookEndpoint,
  deliveries: WaitingDelivery[],
  now: number,
): Promise<Admission> {
  const { circuitOpenUntil = '' } = endpoint;
  const isOpen = { result: 'circuit_open', until: circuitOpenUntil } as const;
  if (circuitOpenUntil > toIso(now)) return isOpen;
  // A probe for stale tickets would only keep the circuit open.
  const index = await firstToSend(deliveries);
  const [toSend] = index === -1 ? [] : deliveries.splice(index, 1);
  if (!toSend) return isOpen;
  deliveries.unshift(toSend);
  const slot = slotOf(toSend.ticket.eventId, now + leaseDuration);
  const probed = await reserveProbe(database, endpoint, slot, now);
  return probed ? { result: 'post', endpoint: probed, slot } : isOpen;
}

async function firstToSend(deliveries: readonly WaitingDelivery[]): Promise<number> {
  for (const [index, delivery] of deliveries.entries()) if ((await delivery.prepare())?.event) return index;
  return -1;
}
