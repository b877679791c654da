import { fullPauses, maximumInFlight, rememberedFull } from '../domain/endpoint-health.ts';
import { second } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { skipDelivery } from '../store/deliveries.ts';
import { admit, type Admission, type Refusal } from './admit.ts';
import { makeAttempt, type AttemptTools } from './attempt.ts';
import { keptConnections } from './post.ts';
import { putOff } from './put-off.ts';
import { slotReturner } from './slot-returner.ts';
import type { WaitingDelivery } from './waiting-delivery.ts';

export interface EndpointTools extends AttemptTools {
  /** The signal ends it early, with or without a rejection. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** By endpoint: how long this worker takes it for full, as it was a moment ago. */
  readonly fullUntil: Map<string, number>;
}

/** What was read of the endpoint with a slot ages. */
const slotUsedFor = 5 * second;

/** A batch's deliveries to one endpoint: each slot is a lane that posts one after the other. Never rejects. */
export async function deliverToEndpoint(tools: EndpointTools, waiting: WaitingDelivery[]): Promise<void> {
  const { database, clock, fullUntil } = tools;
  const [first] = waiting;
  if (!first) return;
  const { practiceId, endpointId } = first.ticket;
  const key = { practiceId, endpointId };
  const slots = slotReturner(database, key, clock);
  const connections = keptConnections();
  const lanes = new Set<Promise<void>>();

  function startLane(endpoint: WebhookEndpoint, slot: string): void {
    const lane = useSlot(endpoint, slot).finally(() => lanes.delete(lane));
    lanes.add(lane);
  }

  async function useSlot(endpoint: WebhookEndpoint, slot: string): Promise<void> {
    const until = clock() + slotUsedFor;
    let answered = false;
    while (clock() < until) {
      const delivery = waiting.shift();
      if (!delivery) break;
      const sent = await send(delivery, endpoint, slot);
      if (sent === 'slot gone') return;
      answered ||= sent === 'answered';
    }
    await slots.giveBack(slot, answered);
  }

  async function send(
    delivery: WaitingDelivery,
    endpoint: WebhookEndpoint,
    slot: string,
  ): Promise<'answered' | 'not sent' | 'slot gone'> {
    const { leased, event } = (await delivery.prepared) ?? {};
    if (!leased || !event) {
      delivery.end(leased && skipDelivery(database, leased));
      return 'not sent';
    }
    try {
      const { slotIsFree, recorded } = await makeAttempt(tools, { leased, event, endpoint, slot, connections });
      delivery.end(recorded);
      if (slotIsFree) return 'answered';
      await recorded;
    } catch (error) {
      delivery.fail(error);
    }
    return 'slot gone';
  }

  /** The reason why the rest cannot be sent now, if something is left. */
  async function startLanes(): Promise<Refusal | undefined> {
    const pauses = [...fullPauses];
    while (waiting.length > 0) {
      const admission = await admitSome();
      if (admission.result === 'post') {
        for (const slot of admission.slots) startLane(admission.endpoint, slot);
        continue;
      }
      const [wait] = pauses;
      if (admission.result !== 'full' || admission.hangs || wait === undefined) return admission;
      if (!(await laneEndsWithin(wait))) pauses.shift();
    }
    return undefined;
  }

  async function admitSome(): Promise<Admission> {
    if (isRememberedFull()) return { result: 'full', hangs: true };
    const next = waiting.slice(0, maximumInFlight - lanes.size);
    return next.length > 0 ? admit(database, key, next, clock()) : { result: 'full', hangs: false };
  }

  function isRememberedFull(): boolean {
    return (fullUntil.get(endpointId) ?? 0) > clock();
  }

  async function laneEndsWithin(milliseconds: number): Promise<boolean> {
    const over = new AbortController();
    const pause = tools.pause(milliseconds, over.signal).then(() => false);
    const isEarly = await Promise.race([pause, ...[...lanes].map((lane) => lane.then(() => true))]);
    over.abort();
    return isEarly;
  }

  try {
    const refusal = await startLanes();
    // Only what was seen, or tickets that keep coming would make it last.
    if (refusal?.result === 'full' && !isRememberedFull()) fullUntil.set(endpointId, clock() + rememberedFull);
    if (refusal) await putOff(tools, waiting.splice(0), refusal);
  } catch (error) {
    for (const delivery of waiting.splice(0)) delivery.fail(error);
  }
  await Promise.all(lanes);
  connections.close();
}
