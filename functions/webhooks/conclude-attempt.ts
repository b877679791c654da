import type { AttemptResult, NextStep } from '../domain/delivery.ts';
import { isFailing, isFault, shouldDisable } from '../domain/endpoint-health.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { EndpointEventType } from '../contract/tickets.ts';
import { logInfo } from '../log.ts';
import type { TellOwner } from '../messages/owner-events.ts';
import type { Database } from '../store/database.ts';
import { recordFailure, recordSuccess, recordTold } from '../store/endpoint-health.ts';
import { freeSlots } from '../store/endpoint-slots.ts';
import { disableWebhookEndpoint } from '../store/webhook-endpoints.ts';

export interface ConcludeTools {
  readonly database: Database<'webhookEndpoints'>;
  readonly tellOwner: TellOwner;
}

export interface ConcludeInput {
  /** As it was read before the attempt. */
  readonly endpoint: WebhookEndpoint;
  readonly result: AttemptResult;
  readonly next: NextStep;
  readonly slot: string;
  readonly deliveryCreatedAt: string;
}

/**
 * Updates the endpoint's health after an attempt, disables it where it is hopeless, and tells its owner.
 * Notify before writing: a crash then notifies twice, not never.
 */
export async function concludeAttempt(
  { database, tellOwner }: ConcludeTools,
  { endpoint, result, next, slot, deliveryCreatedAt }: ConcludeInput,
  now: number,
): Promise<void> {
  const tell = async (type: EndpointEventType) => {
    logInfo('endpoint owner told', { endpointId: endpoint.endpointId, eventType: type });
    await tellOwner(type, endpoint);
  };
  if (next.status === 'delivered') {
    if (endpoint.failingToldAt !== undefined) await tell('webhook.endpoint.recovered');
    return recordSuccess(database, endpoint, slot);
  }
  const health = await recordFailure(database, endpoint, { slot, fault: isFault(result), deliveryCreatedAt }, now);
  // The endpoint was moved or deleted meanwhile: its old server says nothing about the new one.
  if (!health) return freeSlots(database, endpoint, [slot]);
  if (health.status !== 'enabled') return;
  const gone = next.status === 'failed' && next.disableEndpoint;
  if (gone || shouldDisable(health, endpoint.lastFailedAt, now)) {
    await tell('webhook.endpoint.disabled');
    await disableWebhookEndpoint(database, health, gone ? 'gone' : 'failing', now);
  } else if (isFailing(health, result)) {
    await tell('webhook.endpoint.failing');
    await recordTold(database, endpoint, now);
  }
}
