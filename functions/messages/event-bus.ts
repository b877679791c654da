import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { busEventSource, type BusEventDetail } from '../contract/tickets.ts';
import type { EventRow } from '../store/events.ts';

/** Puts events on the bus and tells, in the same order, which of them it accepted. */
export type Publish = (events: readonly EventRow[]) => Promise<boolean[]>;

const batchSize = 10;

export function publisher(eventBusName: string, client = new EventBridgeClient({})): Publish {
  return async (events) => {
    const accepted: boolean[] = [];
    for (let start = 0; start < events.length; start += batchSize) {
      const batch = events.slice(start, start + batchSize);
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
      accepted.push(...batch.map((_, index) => Entries[index]?.EventId !== undefined && Entries[index].ErrorCode === undefined));
    }
    return accepted;
  };
}
