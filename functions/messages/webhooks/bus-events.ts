import type { BusEventDetail, EndpointEventType } from '../../contract/webhooks/tickets.ts';
import { Fault } from '../../domain/fault.ts';
import type { EventRow } from '../../domain/webhooks/event-row.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { SendToBus } from './event-bus.ts';

/** Returns, for each event in order, whether the bus accepted it. Never throws. */
export type Publish = (events: readonly EventRow[]) => Promise<boolean[]>;

/** Sends only IDs, so no event is too big for the bus. */
export function publisher(sendToBus: SendToBus): Publish {
  return (events) =>
    sendToBus(
      events.map(({ eventId, sessionId, practiceId, type, createdAt }) => ({
        type,
        detail: { eventId, sessionId, practiceId } satisfies BusEventDetail,
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
