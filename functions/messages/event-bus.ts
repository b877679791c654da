import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { busEventSource, type BusEventDetail } from '../contract/tickets.ts';
import type { EventRow } from '../domain/event.ts';
import { logFault } from '../log.ts';

/** Puts events on the bus and tells, in the same order, which of them it accepted. Never throws. */
export type Publish = (events: readonly EventRow[]) => Promise<boolean[]>;

const batchSize = 10;
/** Milliseconds before the entries that a bus refused are sent to it again. */
const resendDelays = [50, 200, 800] as const;

/** Entries that are refused are sent again by themselves; where that does not help, nothing after their batch is sent. */
export function publisher(
  eventBusName: string,
  client = new EventBridgeClient({}),
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
      // A 200 may hide refused entries: each has to be looked at.
      return batch.map((_, index) => Entries[index]?.EventId !== undefined && Entries[index].ErrorCode === undefined);
    } catch (error) {
      // The SDK has tried again by itself.
      logFault('bus did not answer', error, { count: batch.length });
      return batch.map(() => false);
    }
  }

  async function putUntilAccepted(batch: readonly EventRow[]): Promise<boolean[]> {
    const accepted = await put(batch);
    for (const delay of resendDelays) {
      const refused = batch.flatMap((event, index) => (accepted[index] ? [] : [{ event, index }]));
      if (refused.length === 0) break;
      await wait(delay);
      const again = await put(refused.map(({ event }) => event));
      for (const [position, { index }] of refused.entries()) accepted[index] = again[position] === true;
    }
    return accepted;
  }

  return async (events) => {
    const accepted: boolean[] = [];
    for (let start = 0; start < events.length && !accepted.includes(false); start += batchSize) {
      accepted.push(...(await putUntilAccepted(events.slice(start, start + batchSize))));
    }
    return events.map((_, index) => accepted[index] ?? false);
  };
}
