import type { AttemptOutcome, NextStep } from '../domain/delivery.ts';
import { isFailing, isFault, isHopeless } from '../domain/endpoint-health.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { TellOwner } from '../messages/owner-events.ts';
import type { Database } from '../store/database.ts';
import { recordFailure, recordSuccess, recordTold } from '../store/endpoint-health.ts';
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
  made: { outcome: AttemptOutcome; next: NextStep; slot: string; deliveryCreatedAt: string },
  { database, tellOwner }: HealthTools,
  now: number,
): Promise<void> {
  const { outcome, next, slot, deliveryCreatedAt } = made;
  if (next.status === 'delivered') {
    const before = await recordSuccess(database, endpoint, slot);
    if (before?.failingToldAt !== undefined) await tellOwner('webhook.endpoint.recovered', endpoint);
    return;
  }
  const health = await recordFailure(database, endpoint, { slot, fault: isFault(outcome), deliveryCreatedAt }, now);
  const gone = next.status === 'failed' && next.disableEndpoint;
  if (gone || (health && isHopeless(health, now))) {
    await tellOwner('webhook.endpoint.disabled', endpoint);
    await disableWebhookEndpoint(database, endpoint, gone ? 'gone' : 'failing', now);
  } else if (health && isFailing(health)) {
    await tellOwner('webhook.endpoint.failing', endpoint);
    await recordTold(database, endpoint, now);
  }
}
