import type { AttemptResult, NextStep } from '../domain/webhooks/delivery.ts';
import { beginsToFail, isFailing, gotNoResponse, shouldDisable } from '../domain/webhooks/endpoint-health.ts';
import type { EndpointEventType } from '../contract/webhooks/tickets.ts';
import type { WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { logInfo } from '../log.ts';
import type { NotifyOwner } from '../messages/webhooks/bus-events.ts';
import type { Database } from '../store/database.ts';
import {
  disableBrokenEndpoint,
  forgetNotified,
  recordFailure,
  recordNotified,
  recordSuccess,
} from '../store/webhooks/endpoint-health.ts';

interface ConcludeTools {
  readonly database: Database<'webhookEndpoints'>;
  readonly notifyOwner: NotifyOwner;
}

interface ConcludeInput {
  readonly endpoint: WebhookEndpoint;
  readonly result: AttemptResult;
  readonly next: NextStep;
  readonly deliveryCreatedAt: string;
}

/**
 * Records the endpoint's health and notifies its owner. Records the notice last: after a crash, the owner is notified twice
 * rather than never.
 */
export async function concludeAttempt(
  { database, notifyOwner }: ConcludeTools,
  { endpoint, result, next, deliveryCreatedAt }: ConcludeInput,
  now: number,
): Promise<void> {
  const notify = async (type: EndpointEventType) => {
    logInfo('endpoint owner notified', { endpointId: endpoint.endpointId, eventType: type });
    await notifyOwner(type, endpoint);
  };
  if (next.status === 'delivered') {
    const healthy = await recordSuccess(database, endpoint, now);
    if (healthy?.ownerNotifiedAt === undefined) return;
    await notify('webhook.endpoint.recovered');
    return forgetNotified(database, healthy);
  }
  const { statusCode, error, redirectsTo } = result;
  const failure = { lastFailure: { statusCode, error, redirectsTo }, noResponse: gotNoResponse(result) };
  const health = await recordFailure(database, endpoint, { ...failure, deliveryCreatedAt }, now);
  // The endpoint was moved or deleted: the old server's health no longer applies.
  if (!health) return;
  if (beginsToFail(health))
    logInfo('endpoint began to fail', { endpointId: endpoint.endpointId }, [{ metric: 'EndpointOutages', value: 1 }]);
  if (health.status !== 'enabled') return;
  const gone = next.status === 'failed' && next.disableEndpoint;
  if (gone || shouldDisable(health, endpoint.lastFailedAt, now)) {
    await notify('webhook.endpoint.disabled');
    await disableBrokenEndpoint(database, health, gone ? 'gone' : 'failing', now);
  } else if (isFailing(health, result)) {
    await notify('webhook.endpoint.failing');
    await recordNotified(database, endpoint, now);
  }
}
