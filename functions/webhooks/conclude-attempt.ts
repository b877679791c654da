import type { AttemptResult, NextStep } from '../domain/delivery.ts';
import { beginsToFail, isBlemished, isFailing, gotNoResponse, shouldDisable } from '../domain/endpoint-health.ts';
import type { EndpointEventType } from '../contract/tickets.ts';
import { logInfo } from '../log.ts';
import type { NotifyOwner } from '../messages/owner-events.ts';
import type { Database } from '../store/database.ts';
import { recordFailure, recordSuccess, recordNotified } from '../store/endpoint-health.ts';
import { disableBrokenEndpoint } from '../store/webhook-endpoints.ts';
import type { Held, Slots } from './slots.ts';

interface ConcludeTools {
  readonly database: Database<'webhookEndpoints'>;
  readonly slots: Slots;
  readonly notifyOwner: NotifyOwner;
}

interface ConcludeInput {
  readonly held: Held;
  readonly result: AttemptResult;
  readonly next: NextStep;
  readonly deliveryCreatedAt: string;
}

/** Notifies before it writes: a crash then notifies twice, not never. */
export async function concludeAttempt(
  { database, slots, notifyOwner }: ConcludeTools,
  { held, result, next, deliveryCreatedAt }: ConcludeInput,
  now: number,
): Promise<void> {
  const { endpoint, slot } = held;
  const notify = async (type: EndpointEventType) => {
    logInfo('endpoint owner notified', { endpointId: endpoint.endpointId, eventType: type });
    await notifyOwner(type, endpoint);
  };
  if (next.status === 'delivered') {
    if (endpoint.ownerNotifiedAt !== undefined) await notify('webhook.endpoint.recovered');
    if (!isBlemished(endpoint)) return slots.free(held);
    await recordSuccess(database, endpoint, slot, now);
    return slots.forget(held);
  }
  const health = await recordFailure(
    database,
    endpoint,
    { slot, noResponse: gotNoResponse(result), deliveryCreatedAt },
    now,
  );
  // Moved or deleted meanwhile: the old server's health no longer applies.
  if (!health) return slots.free(held);
  slots.forget(held);
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
