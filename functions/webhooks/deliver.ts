import type { DeliveryTicket } from '../contract/webhooks/tickets.ts';
import type { EventRow } from '../domain/webhooks/event.ts';
import { leaseDelivery, skipDelivery } from '../store/webhooks/deliveries.ts';
import { eventReader } from '../store/webhooks/events.ts';
import { batchTime, maximumAsks, maximumInFlight, slotPause } from '../domain/webhooks/endpoint-health.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { logFault } from '../log.ts';
import { freeSlots } from '../store/webhooks/endpoint-health.ts';
import {
  admit,
  type Admission,
  type Refusal,
  putOff,
  waitingDelivery,
  type Prepared,
  type WaitingDelivery,
} from './admit.ts';
import { makeAttempt, type AttemptTools } from './attempt.ts';
import { keptConnections } from './post.ts';
import { isReachable } from './reachable.ts';

/** Delivers the tickets of one invocation. A receiver's failure is recorded, not thrown. */
export async function deliver(
  tools: EndpointTools,
  tickets: readonly DeliveryTicket[],
): Promise<PromiseSettledResult<void>[]> {
  const { database } = tools;
  const readEvent = eventReader(
    database,
    tickets.map(({ eventId }) => eventId),
  );
  const deliveries = tickets.map((ticket) => {
    const readItsEvent = async () => readEvent(ticket.eventId);
    return waitingDelivery(ticket, readItsEvent, async () => prepare(tools, ticket, readItsEvent()));
  });
  const ended = Promise.allSettled(deliveries.map((delivery) => delivery.ended));
  const ofEndpoints = Map.groupBy(deliveries, ({ ticket }) => ticket.endpointId);
  await Promise.all([...ofEndpoints.values()].map((waiting) => deliverToEndpoint(tools, waiting)));
  return ended;
}

async function prepare(
  { database, clock }: EndpointTools,
  ticket: DeliveryTicket,
  reading: Promise<EventRow | undefined>,
): Promise<Prepared | undefined> {
  const [leased, event] = await Promise.all([leaseDelivery(database, ticket, clock()), reading]);
  return leased && { leased, event };
}

export interface EndpointTools extends AttemptTools {
  /** The signal ends the pause early, with or without a rejection. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

interface Lane {
  readonly slot: string;
  readonly ended: Promise<void>;
}

/**
 * Sends a batch's deliveries to one endpoint. Each lane holds one slot and posts one delivery after the other; while
 * deliveries wait, another lane is started after each pause. Never rejects.
 */
async function deliverToEndpoint(tools: EndpointTools, waiting: WaitingDelivery[]): Promise<void> {
  const { database, clock } = tools;
  const [first] = waiting;
  if (!first) return;
  const { practiceId, endpointId } = first.ticket;
  const key = { practiceId, endpointId };
  const until = clock() + batchTime;
  const connections = keptConnections();
  const lanes = new Set<Lane>();
  let answeredAt: number | undefined;

  /** Returns why the rest cannot be sent now, if any deliveries are left. */
  async function startLanes(): Promise<Refusal | undefined> {
    for (let asked = 1; waiting.length > 0; asked += 1) {
      const admission = await nextSlot();
      if (admission.result === 'post') {
        startLane(admission.endpoint, admission.slot);
        // After a probe, the others are likely to be put off.
        if (admission.endpoint.circuitOpenUntil === undefined) for (const delivery of waiting) void delivery.prepare();
        await lanesEndWithin(slotPause);
      } else if (admission.result !== 'full') {
        return admission;
      } else if (lanes.size > 0) {
        // The running lanes send the rest, until the batch's time is up.
        if (!(await lanesEndWithin(until - clock()))) return admission;
      } else {
        if (admission.hangs || asked > maximumAsks) return admission;
        await lanesEndWithin(slotPause);
      }
    }
    return undefined;
  }

  async function nextSlot(): Promise<Admission> {
    if (lanes.size === maximumInFlight || clock() >= until) return { result: 'full', hangs: true };
    const [lane] = lanes;
    return admit(database, key, waiting, clock(), { slot: lane?.slot, answeredAt });
  }

  function startLane(endpoint: WebhookEndpoint, slot: string): void {
    const ended = sendWhileHealthy(endpoint)
      .then(() => freeSlots(database, key, [slot], answeredAt))
      // A lost slot ends with its lease.
      .catch((error: unknown) => logFault('slot not freed', error, { endpointId }))
      .finally(() => lanes.delete(lane));
    const lane = { slot, ended };
    lanes.add(lane);
  }

  /** Ends early if the endpoint has to be read again. */
  async function sendWhileHealthy(endpoint: WebhookEndpoint): Promise<void> {
    let isHealthy = true;
    while (isHealthy && clock() < until) {
      const delivery = waiting.shift();
      if (!delivery) return;
      try {
        isHealthy = await send(delivery, endpoint);
      } catch (error) {
        delivery.fail(error);
        return;
      }
    }
  }

  async function send(delivery: WaitingDelivery, endpoint: WebhookEndpoint): Promise<boolean> {
    const { leased, event } = (await delivery.prepare()) ?? {};
    // Asked last: a practice may leave its platform while its events wait.
    if (!leased || !event || !(await isReachable(database, leased))) {
      delivery.end(leased && skipDelivery(database, leased));
      return true;
    }
    const { answered, changesHealth, recorded } = await makeAttempt(tools, { leased, event, endpoint, connections });
    delivery.end(recorded);
    if (answered) answeredAt = clock();
    if (changesHealth) await recorded;
    return !changesHealth;
  }

  async function lanesEnd(): Promise<void> {
    await Promise.all([...lanes].map(({ ended }) => ended));
  }

  async function lanesEndWithin(milliseconds: number): Promise<boolean> {
    const over = new AbortController();
    const pause = tools.pause(milliseconds, over.signal).then(() => false);
    const ended = lanes.size > 0 ? [lanesEnd().then(() => true)] : [];
    const isEarly = await Promise.race([pause, ...ended]);
    over.abort();
    return isEarly;
  }

  try {
    const refusal = await startLanes();
    if (refusal) await putOff(tools, waiting.splice(0), refusal);
  } catch (error) {
    for (const delivery of waiting.splice(0)) delivery.fail(error);
  }
  await lanesEnd();
  connections.close();
}
