import { leaseDuration } from '../domain/delivery.ts';
import { fullPauses, lostSlots, maximumInFlight, rememberedFull, slotOf } from '../domain/endpoint-health.ts';
import { second, type Clock } from '../domain/time.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { logFault } from '../log.ts';
import type { Database } from '../store/database.ts';
import { freeSlots, takeSlots } from '../store/endpoint-slots.ts';
import type { EndpointKey } from '../store/webhook-endpoints.ts';

export interface SlotTools {
  readonly database: Database<'webhookEndpoints'>;
  readonly clock: Clock;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

export interface Held {
  /** As read when the slot was taken. */
  readonly endpoint: WebhookEndpoint;
  readonly slot: string;
}

type Taken = Held | 'full' | { readonly closed: WebhookEndpoint | undefined };

export interface Slots {
  /** Waits a moment while the endpoint is full. `closed`: disabled, deleted, or its circuit is open. */
  take(key: EndpointKey, eventId: string): Promise<Taken>;
  /** Passes the slot on within this worker, or frees it with others. */
  free(held: Held): Promise<void>;
  /** The slot was freed by a write of its own. */
  forget(held: Held): void;
}

interface Waiting {
  readonly eventId: string;
  readonly answer: (taken: Taken) => void;
  readonly fail: (error: unknown) => void;
}

/** Of an endpoint, in this worker. */
interface Line {
  waiting: Waiting[];
  held: number;
  takenAt: number;
  unused: string[];
  fullUntil: number;
  serving: boolean;
  freeing: Promise<void> | undefined;
}

/** What was read with a slot ages while the slot is passed on. */
const passedOnFor = 5 * second;
/** In milliseconds. */
const freedTogetherWithin = 20;

/** Takes and frees the slots of a batch's tickets together: one by one, they would cost as much as all the rest. */
export function endpointSlots({ database, clock, pause }: SlotTools): Slots {
  const lines = new Map<string, Line>();

  function lineOf({ endpointId }: EndpointKey): Line {
    const found = lines.get(endpointId);
    if (found) return found;
    const line = { waiting: [], held: 0, takenAt: 0, unused: [], fullUntil: 0, serving: false, freeing: undefined };
    lines.set(endpointId, line);
    return line;
  }

  async function serve(key: EndpointKey, line: Line): Promise<void> {
    try {
      await serveWaiting(key, line);
    } catch (error) {
      for (const { fail } of line.waiting.splice(0)) fail(error);
    } finally {
      line.serving = false;
    }
  }

  async function serveWaiting(key: EndpointKey, line: Line): Promise<void> {
    const pauses = fullPauses.values();
    let room = maximumInFlight;
    while (line.waiting.length > 0) {
      const most = Math.min(room, maximumInFlight - line.held);
      if (most > 0) {
        const slots = line.waiting.slice(0, most).map(({ eventId }) => slotOf(eventId, clock() + leaseDuration));
        const { taken, endpoint } = await takeSlots(database, key, slots);
        if (taken && endpoint) {
          handOut(line, endpoint, slots);
          continue;
        }
        if (endpoint?.status !== 'enabled' || endpoint.circuitOpenUntil !== undefined)
          return answerAll(line, { closed: endpoint });
        const lost = lostSlots(endpoint, clock());
        if (lost.length > 0) await freeSlots(database, endpoint, lost);
        room = maximumInFlight - (endpoint.inFlight?.size ?? 0) + lost.length;
        if (room > 0) continue;
      }
      room = maximumInFlight;
      const { value: wait } = pauses.next();
      if (wait === undefined) {
        line.fullUntil = clock() + rememberedFull;
        return answerAll(line, 'full');
      }
      await pause(wait);
    }
  }

  /** Some who waited may have got another's slot meanwhile. */
  function handOut(line: Line, endpoint: WebhookEndpoint, slots: readonly string[]): void {
    line.takenAt = clock();
    line.held += slots.length;
    for (const slot of slots) {
      const next = line.waiting.shift();
      if (next) next.answer({ endpoint, slot });
      else void release(line, { endpoint, slot });
    }
  }

  function release(line: Line, { endpoint, slot }: Held): Promise<void> {
    line.held = Math.max(0, line.held - 1);
    line.unused.push(slot);
    line.freeing ??= freeTogether(endpoint, line);
    return line.freeing;
  }

  async function freeTogether(key: EndpointKey, line: Line): Promise<void> {
    if (line.held > 0) await pause(freedTogetherWithin);
    line.freeing = undefined;
    try {
      await freeSlots(database, key, line.unused.splice(0));
    } catch (error) {
      // They are lost after a minute.
      logFault('slots not freed', error, { endpointId: key.endpointId });
    }
    tidy(key, line);
  }

  function tidy({ endpointId }: EndpointKey, { held, waiting, unused, serving, fullUntil }: Line): void {
    const isIdle = held === 0 && waiting.length === 0 && unused.length === 0 && !serving;
    if (isIdle && fullUntil <= clock()) lines.delete(endpointId);
  }

  return {
    async take(key, eventId) {
      const line = lineOf(key);
      if (line.fullUntil > clock()) return 'full';
      const { promise, resolve, reject } = Promise.withResolvers<Taken>();
      line.waiting.push({ eventId, answer: resolve, fail: reject });
      if (!line.serving) {
        line.serving = true;
        // After the rest of the batch has asked, too.
        setImmediate(() => void serve(key, line));
      }
      return promise;
    },
    async free(held) {
      const line = lineOf(held.endpoint);
      const next = clock() - line.takenAt < passedOnFor ? line.waiting.shift() : undefined;
      if (next) return next.answer(held);
      return release(line, held);
    },
    forget({ endpoint }) {
      const line = lineOf(endpoint);
      line.held = Math.max(0, line.held - 1);
      tidy(endpoint, line);
    },
  };
}

function answerAll(line: Line, taken: Taken): void {
  for (const { answer } of line.waiting.splice(0)) answer(taken);
}
