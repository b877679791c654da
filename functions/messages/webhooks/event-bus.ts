import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { awsClient } from '../../aws-client.ts';
import { busEventSource, type BusEventDetail } from '../../contract/webhooks/tickets.ts';
import { batchesOf } from '../../domain/batches.ts';
import type { EventRow } from '../../domain/webhooks/event-row.ts';
import { logFault } from '../../log.ts';

/** Returns, for each event in order, whether the bus accepted it. Never throws. */
export type Publish = (events: readonly EventRow[]) => Promise<boolean[]>;

const batchSize = 10;
const retryDelays = [50, 200, 800] as const;

/** Stops at the first batch with a rejected event. Retries by itself. */
export function publisher(
  eventBusName: string,
  client = new EventBridgeClient({ ...awsClient, maxAttempts: 1 }),
  wait: (milliseconds: number) => Promise<void> = pause,
): Publish {
  async function put(batch: readonly EventRow[]): Promise<boolean[]> {
    try {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({
          Entries: batch.map(({ eventId, sessionId, practiceId, type, createdAt }) => ({
            EventBusName: eventBusName,
            Source: busEventSource,
            DetailType: type,
            Time: new Date(createdAt),
            Detail: JSON.stringify({ eventId, sessionId, practiceId } satisfies BusEventDetail),
          })),
        }),
      );
      // A 200 can contain rejected entries.
      return batch.map((_, index) => Entries[index]?.EventId !== undefined && Entries[index].ErrorCode === undefined);
    } catch (error) {
      logFault('bus request failed', error, { count: batch.length });
      return batch.map(() => false);
    }
  }

  async function putUntilAccepted(batch: readonly EventRow[]): Promise<boolean[]> {
    const accepted = await put(batch);
    for (const delay of retryDelays) {
      const rejected = batch.flatMap((event, index) => (accepted[index] ? [] : [{ event, index }]));
      if (rejected.length === 0) break;
      await wait(delay);
      const retried = await put(rejected.map(({ event }) => event));
      for (const [position, { index }] of rejected.entries()) accepted[index] = retried[position] === true;
    }
    return accepted;
  }

  return async (events) => {
    const accepted: boolean[] = [];
    for (const batch of batchesOf(events, batchSize)) {
      accepted.push(...(await putUntilAccepted(batch)));
      if (accepted.includes(false)) break;
    }
    return events.map((_, index) => accepted[index] ?? false);
  };
}
