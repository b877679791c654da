import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { awsClient } from '../../aws-client.ts';
import { busEventSource, type EndpointEventType } from '../../contract/webhooks/tickets.ts';
import { Fault } from '../../domain/fault.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';

export type NotifyOwner = (
  type: EndpointEventType,
  endpoint: Pick<WebhookEndpoint, 'practiceId' | 'endpointId'>,
) => Promise<void>;

export function ownerNotifier(eventBusName: string, client = new EventBridgeClient(awsClient)): NotifyOwner {
  return async (type, { practiceId, endpointId }) => {
    const { FailedEntryCount = 0 } = await client.send(
      new PutEventsCommand({
        Entries: [
          {
            EventBusName: eventBusName,
            Source: busEventSource,
            DetailType: type,
            Detail: JSON.stringify({ practiceId, endpointId }),
          },
        ],
      }),
    );
    if (FailedEntryCount > 0) throw new Fault(`the bus rejected ${type}`);
  };
}
