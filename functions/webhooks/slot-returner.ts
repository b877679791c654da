import { setImmediate as nextTurn } from 'node:timers/promises';
import { logFault } from '../log.ts';
import type { Database } from '../store/database.ts';
import { freeSlots } from '../store/webhooks/endpoint-slots.ts';
import type { EndpointKey } from '../store/webhooks/webhook-endpoints.ts';

/** Frees slots that come back at about the same time in one write. `lastAnswer` returns when the endpoint last answered. */
export function slotReturner(
  database: Database<'webhookEndpoints'>,
  key: EndpointKey,
  lastAnswer: () => number | undefined,
) {
  const unused: string[] = [];
  let freed = Promise.resolve();

  async function freeUnused(): Promise<void> {
    await nextTurn();
    const slots = unused.splice(0);
    if (slots.length === 0) return;
    try {
      await freeSlots(database, key, slots, lastAnswer());
    } catch (error) {
      // Lost slots are freed after a minute.
      logFault('slots not freed', error, { endpointId: key.endpointId });
    }
  }

  return {
    /** Never rejects. */
    giveBack(slot: string): Promise<void> {
      unused.push(slot);
      freed = freed.then(freeUnused);
      return freed;
    },
  };
}
