import { slotOf } from '../domain/endpoint-health.ts';
import { leaseDuration } from '../domain/delivery.ts';
import { second, toIso } from '../domain/time.ts';
import type { DeliveryTicket } from '../contract/tickets.ts';
import type { Database } from '../store/database.ts';
import { takeProbe } from '../store/endpoint-slots.ts';
import type { Held, Slots } from './slots.ts';

type Admission =
  | { readonly result: 'post'; readonly held: Held }
  | { readonly result: 'full' }
  | { readonly result: 'circuit_open'; readonly until: string }
  | { readonly result: 'probed'; readonly until: number }
  | { readonly result: 'skip' };

export interface AdmitTools {
  readonly database: Database<'webhookEndpoints'>;
  readonly slots: Slots;
}

const probeTime = 20 * second;

/** At most five requests in flight: a slow receiver delays no others. */
export async function admit({ database, slots }: AdmitTools, ticket: DeliveryTicket, now: number): Promise<Admission> {
  const taken = await slots.take(ticket, ticket.eventId);
  if (taken === 'full') return { result: 'full' };
  if (!('closed' in taken)) return { result: 'post', held: taken };
  const { closed: endpoint } = taken;
  if (endpoint?.status !== 'enabled') return { result: 'skip' };
  const { circuitOpenUntil = '' } = endpoint;
  if (circuitOpenUntil > toIso(now)) return { result: 'circuit_open', until: circuitOpenUntil };
  const slot = slotOf(ticket.eventId, now + leaseDuration);
  const probed = await takeProbe(database, endpoint, slot, now);
  return probed ? { result: 'post', held: { endpoint: probed, slot } } : { result: 'probed', until: now + probeTime };
}
