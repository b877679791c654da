import { leaseDuration, type Delivery } from '../domain/delivery.ts';
import { circuitWait, fullCacheDuration, lostSlots, slotOf, slotWait } from '../domain/endpoint-health.ts';
import type { Random } from '../domain/retry-schedule.ts';
import { second, toIso } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Database } from '../store/database.ts';
import { freeSlots, takeProbe, takeSlot } from '../store/endpoint-slots.ts';

type Admission =
  | { readonly result: 'post'; readonly endpoint: WebhookEndpoint; readonly slot: string }
  | { readonly result: 'wait'; readonly until: number }
  | { readonly result: 'skip' };

export interface AdmitTools {
  readonly database: Database<'webhookEndpoints'>;
  /** Until when an endpoint counts as full. */
  readonly full: Map<string, number>;
  readonly random: Random;
}

const probeTime = 20 * second;

/** At most five requests in flight: a slow receiver delays no others. */
export async function admit(tools: AdmitTools, delivery: Delivery, now: number): Promise<Admission> {
  const { database, full, random } = tools;
  const { endpointId } = delivery;
  const slot = slotOf(delivery.eventId, now + leaseDuration);
  const age = now - Date.parse(delivery.createdAt);
  const waitForSlot = (): Admission => ({ result: 'wait', until: now + slotWait(age, random()) });
  if ((full.get(endpointId) ?? 0) > now) return waitForSlot();
  full.delete(endpointId);
  const { taken, endpoint } = await takeSlot(database, delivery, slot);
  if (endpoint?.status !== 'enabled') return { result: 'skip' };
  if (taken) return { result: 'post', endpoint, slot };

  const { circuitOpenUntil } = endpoint;
  if (circuitOpenUntil !== undefined) {
    if (circuitOpenUntil > toIso(now)) return { result: 'wait', until: circuitWait(circuitOpenUntil, age, random()) };
    const probed = await takeProbe(database, endpoint, slot, now);
    return probed ? { result: 'post', endpoint: probed, slot } : { result: 'wait', until: now + probeTime };
  }

  const lost = lostSlots(endpoint, now);
  if (lost.length === 0) {
    full.set(endpointId, now + fullCacheDuration);
    return waitForSlot();
  }
  await freeSlots(database, endpoint, lost);
  return admit(tools, delivery, now);
}
