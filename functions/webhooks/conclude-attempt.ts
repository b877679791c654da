import type { AttemptResult, NextStep } from '../domain/delivery.ts';
import { isFailing, isFault, isHopeless } from '../domain/endpoint-health.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { EndpointEventType } from '../contract/tickets.ts';
import { logInfo } from '../log.ts';
import type { TellOwner } from '../messages/owner-events.ts';
import type { Database } from '../store/database.ts';
import { recordFailure, recordSuccess, recordTold } from '../store/endpoint-health.ts';
import { freeSlots } from '../store/endpoint-slots.ts';
import { disableWebhookEndpoint } from '../store/webhook-endpoints.ts';

export interface HealthTools {
  readonly database: Database<'webhookEndpoints'>;
  readonly tellOwner: TellOwner;
}

/**
 * Draws the conclusions of an attempt for its endpoint: what is remembered of its server, whether it is turned off, and whether its owner
 * is told. Told before it is written, so that a crash tells twice rather than never.
 */
export async function concludeAttempt(
  endpoint: WebhookEndpoint,
  made: { outcome: AttemptResult; next: NextStep; slot: string; deliveryCreatedAt: string },
  { database, tellOwner }: HealthTools,
  now: number,
): Promise<void> {
  const { outcome, next, slot, deliveryCreatedAt } = made;
  const tell = async (type: EndpointEventType) => {
    logInfo('endpoint owner told', { endpointId: endpoint.endpointId, eventType: type });
    await tellOwner(type, endpoint);
  };
  if (next.status === 'delivered') {
    if (endpoint.failingToldAt !== undefined) await tell('webhook.endpoint.recovered');
    return recordSuccess(database, endpoint, slot);
  }
  const health = await recordFailure(database, endpoint, { slot, fault: isFault(outcome), deliveryCreatedAt }, now);
  // The old server of one that was moved meanwhile says nothing of the new one.
  if (!health) return freeSlots(database, endpoint, [slot]);
  if (health.status !== 'enabled') return;
  const gone = next.status === 'failed' && next.disableEndpoint;
  if (gone || isHopeless(health, endpoint.lastFailedAt, now)) {
    await tell('webhook.endpoint.disabled');
    await disableWebhookEndpoint(database, health, gone ? 'gone' : 'failing', now);
  } else if (isFailing(health, outcome)) {
    await tell('webhook.endpoint.failing');
    await recordTold(database, endpoint, now);
  }
}
