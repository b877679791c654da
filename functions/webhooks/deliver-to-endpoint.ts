import {
  firstSlots,
  fullPauses,
  maximumInFlight,
  quickAnswer,
  recentRefusal,
  rememberedFull,
  slowAnswer,
} from '../domain/webhooks/endpoint-health.ts';
import { second } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { skipDelivery } from '../store/webhooks/deliveries.ts';
import { admit, type Admission, type Refusal } from './admit.ts';
import { makeAttempt, type AttemptTools } from './attempt.ts';
import { keptConnections } from './post.ts';
import { putOff } from './put-off.ts';
import { slotReturner } from './slot-returner.ts';
import type { WaitingDelivery } from './waiting-delivery.ts';

export interface EndpointTools extends AttemptTools {
  /** The signal ends the pause early, with or without a rejection. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** How and when an endpoint last refused this worker. */
  readonly refusals: Map<string, LastRefusal>;
}

interface LastRefusal {
  readonly result: Refusal['result'];
  readonly at: number;
}

/** Holds one slot and posts one delivery after the other. */
interface Lane {
  readonly slot: string;
  readonly ended: Promise<void>;
}

/** Limits the age of the endpoint's settings, which are read when a slot is taken. */
const slotUsedFor = 5 * second;

/** Sends a batch's deliveries to one endpoint, with one lane per slot. Never rejects. */
export async function deliverToEndpoint(tools: EndpointTools, waiting: WaitingDelivery[]): Promise<void> {
  const { database, clock, refusals } = tools;
  const [first] = waiting;
  if (!first) return;
  const { practiceId, endpointId } = first.ticket;
  const key = { practiceId, endpointId };
  let answeredAt: number | undefined;
  const slots = slotReturner(database, key, () => answeredAt);
  const connections = keptConnections();
  const lanes = new Set<Lane>();
  let ended = 0;

  function startLane(endpoint: WebhookEndpoint, slot: string): void {
    const lane = { slot, ended: useSlot(endpoint, slot).finally(() => lanes.delete(lane)) };
    lanes.add(lane);
  }

  async function useSlot(endpoint: WebhookEndpoint, slot: string): Promise<void> {
    const until = clock() + slotUsedFor;
    while (clock() < until) {
      const delivery = waiting.shift();
      if (!delivery) break;
      const sent = await send(delivery, endpoint, slot);
      ended += 1;
      if (sent === 'slot gone') return;
      if (sent === 'answered') answeredAt = clock();
    }
    await slots.giveBack(slot);
  }

  async function send(
    delivery: WaitingDelivery,
    endpoint: WebhookEndpoint,
    slot: string,
  ): Promise<'answered' | 'not sent' | 'slot gone'> {
    const { leased, event } = (await delivery.prepare()) ?? {};
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

  /** Returns why the rest cannot be sent now, if any deliveries are left. */
  async function startLanes(): Promise<Refusal | undefined> {
    const pauses = [...fullPauses];
    while (waiting.length > 0) {
      const endedBefore = ended;
      const admission = await admitSome();
      if (admission.result === 'post') {
        // A probe sends one delivery. The others are likely to be refused.
        if (admission.endpoint.circuitOpenUntil === undefined) prepareAll();
        for (const slot of admission.slots) startLane(admission.endpoint, slot);
        if (waiting.length > 0) await laneEndsWithin(quickAnswer);
      } else if (admission.result !== 'full') {
        return admission;
      } else if (lanes.size > 0) {
        // The lanes send the rest, as long as they make progress.
        if (!(await laneEndsWithin(slowAnswer)) && ended === endedBefore) return admission;
      } else {
        const wait = pauses.shift();
        if (admission.hangs || wait === undefined) return admission;
        await laneEndsWithin(wait);
      }
    }
    return undefined;
  }

  async function admitSome(): Promise<Admission> {
    if (isRememberedFull()) return { result: 'full', hangs: true };
    const wanted = lanes.size === 0 ? firstSlots : maximumInFlight - lanes.size;
    if (wanted === 0) return { result: 'full', hangs: false };
    const [lane] = lanes;
    return admit(database, key, waiting.slice(0, wanted), clock(), { slot: lane?.slot, answeredAt });
  }

  function prepareAll(): void {
    for (const delivery of waiting) void delivery.prepare();
  }

  function isRememberedFull(): boolean {
    return refusals.get(endpointId)?.result === 'full' && wasRefusedWithin(rememberedFull);
  }

  function wasRefusedWithin(milliseconds: number): boolean {
    const { at = -Infinity } = refusals.get(endpointId) ?? {};
    return clock() < at + milliseconds;
  }

  async function laneEndsWithin(milliseconds: number): Promise<boolean> {
    const over = new AbortController();
    const pause = tools.pause(milliseconds, over.signal).then(() => false);
    const isEarly = await Promise.race([pause, ...[...lanes].map(async (lane) => lane.ended.then(() => true))]);
    over.abort();
    return isEarly;
  }

  try {
    // A refusal is likely to repeat, and a delivery without a lease is put off in one write.
    if (!wasRefusedWithin(recentRefusal)) prepareAll();
    const refusal = await startLanes();
    if (refusal) {
      // Remembers only what was just observed: otherwise new tickets would keep extending a full endpoint's moment.
      if (waiting.length > 0 && !isRememberedFull()) refusals.set(endpointId, { result: refusal.result, at: clock() });
      await putOff(tools, waiting.splice(0), refusal);
    }
  } catch (error) {
    for (const delivery of waiting.splice(0)) delivery.fail(error);
  }
  await Promise.all([...lanes].map((lane) => lane.ended));
  connections.close();
}
