import { circuitWait, fullFor, lostSlots, slotOf, slotWait } from '../domain/endpoint-health.ts';
import { leaseDuration, type Delivery } from '../domain/delivery.ts';
import { second, toIso } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Database } from '../store/database.ts';
import { freeSlots, takeProbe, takeSlot } from '../store/endpoint-slots.ts';

/** What a delivery may do: make its request in a slot of the endpoint, wait until a time in milliseconds, or nothing, as the endpoint is off or gone. */
export type Admission =
  | { readonly may: 'post'; readonly endpoint: WebhookEndpoint; readonly slot: string }
  | { readonly may: 'wait'; readonly until: number }
  | { readonly may: 'nothing' };

/** Until when endpoints are taken to be full, in milliseconds since 1970: shared by what one process delivers. */
export type FullEndpoints = Map<string, number>;

/** What a probe of an open circuit may take, in milliseconds; the others come back after it. */
const probeTime = 20 * second;

/**
 * Decides whether a leased delivery may make its request now, so that a practice's dead or slow server costs the others nothing: an endpoint has five requests
 * under way at most, and while its circuit is open only one probe at a time. `random` is in [0, 1).
 */
export async function admit(
  database: Database<'webhookEndpoints'>,
  full: FullEndpoints,
  delivery: Delivery,
  now: number,
  random: number,
): Promise<Admission> {
  const { endpointId } = delivery;
  const slot = slotOf(delivery.eventId, now + leaseDuration);
  const age = now - Date.parse(delivery.createdAt);
  if ((full.get(endpointId) ?? 0) > now) return { may: 'wait', until: now + slotWait(age, random) };
  full.delete(endpointId);
  const { taken, endpoint } = await takeSlot(database, delivery, slot);
  if (endpoint?.status !== 'enabled') return { may: 'nothing' };
  if (taken) return { may: 'post', endpoint, slot };

  const { circuitOpenUntil } = endpoint;
  if (circuitOpenUntil !== undefined) {
    if (circuitOpenUntil > toIso(now)) return { may: 'wait', until: circuitWait(circuitOpenUntil, age, random) };
    const probed = await takeProbe(database, endpoint, slot, now);
    return probed ? { may: 'post', endpoint: probed, slot } : { may: 'wait', until: now + probeTime };
  }

  const lost = lostSlots(endpoint, now);
  if (lost.length === 0) {
    full.set(endpointId, now + fullFor);
    return { may: 'wait', until: now + slotWait(age, random) };
  }
  await freeSlots(database, endpoint, lost);
  return admit(database, full, delivery, now, random);
}
