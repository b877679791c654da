import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { awsClient } from '../../aws-client.ts';
import { busEventSource, type BusEventDetail, type EndpointEventType } from '../../contract/webhooks/tickets.ts';
import { batchesOf } from '../../domain/collections.ts';
import { logFault } from '../../log.ts';
import { Fault } from '../../domain/fault.ts';
import type { EventRow } from '../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';

interface BusEvent {
  readonly type: string;
  readonly detail: object;
  /** When it happened. Defaults to now. */
  readonly time?: Date;
}

/** Returns, for each event in order, whether the bus accepted it. Never throws. */
type SendToBus = (events: readonly BusEvent[]) => Promise<boolean[]>;

const batchSize = 10;
const retryDelays = [50, 200, 800] as const;

/** Stops at the first batch with a rejected event. Retries by itself. */
export function busSender(
  eventBusName: string,
  client = new EventBridgeClient({ ...awsClient, maxAttempts: 1 }),
  wait: (milliseconds: number) => Promise<void> = pause,
): SendToBus {
  async function put(batch: readonly BusEvent[]): Promise<boolean[]> {
    try {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({
          Entries: batch.map(({ type, detail, time }) => ({
            EventBusName: eventBusName,
            Source: busEventSource,
            DetailType: type,
            Time: time,
            Detail: JSON.stringify(detail),
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

  async function putUntilAccepted(batch: readonly BusEvent[]): Promise<boolean[]> {
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

/** Returns, for each event in order, whether the bus accepted it. Never throws. */
export type Publish = (events: readonly EventRow[]) => Promise<boolean[]>;

/** Sends only IDs, so no event is too big for the bus. */
export function publisher(sendToBus: SendToBus): Publish {
  return (events) =>
    sendToBus(
      events.map(({ eventId, sessionId, practiceId, type, createdAt, requestId }) => ({
        type,
        detail: { eventId, sessionId, practiceId, requestId } satisfies BusEventDetail,
        time: new Date(createdAt),
      })),
    );
}

export type NotifyOwner = (
  type: EndpointEventType,
  endpoint: Pick<WebhookEndpoint, 'practiceId' | 'endpointId'>,
) => Promise<void>;

export function ownerNotifier(sendToBus: SendToBus): NotifyOwner {
  return async (type, { practiceId, endpointId }) => {
    const [accepted] = await sendToBus([{ type, detail: { practiceId, endpointId } }]);
    if (accepted !== true) throw new Fault(`the bus rejected ${type}`);
  };
}
