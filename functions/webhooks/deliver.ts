import type { DeliveryTicket } from '../contract/tickets.ts';
import { nextStep } from '../domain/delivery.ts';
import { toEpochSeconds, toIso } from '../domain/time.ts';
import { signingSecrets } from '../domain/webhook-endpoint.ts';
import { signatureHeaders } from '../domain/webhook-signature.ts';
import { logInfo } from '../log.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { leaseDelivery, recordAttempt, skipDelivery } from '../store/deliveries.ts';
import { getEvent } from '../store/events.ts';
import { disableWebhookEndpoint, getWebhookEndpoint } from '../store/webhook-endpoints.ts';
import type { Post, PostResult } from './post.ts';

export interface DeliveryTools {
  readonly database: Database<'deliveries' | 'attempts' | 'events' | 'webhookEndpoints'>;
  readonly post: (post: Post) => Promise<PostResult>;
  readonly sendDeliveries: SendTickets;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Makes the attempt that a ticket stands for. A stale ticket, or one that another worker holds, does nothing.
 * Whatever the receiver does is recorded, not thrown; the row is written before the next ticket, so that the sweep can make up for it.
 */
export async function deliver(ticket: DeliveryTicket, { database, post, sendDeliveries, clock, random }: DeliveryTools): Promise<void> {
  const { eventId, endpointId, attemptNumber } = ticket;
  const leased = await leaseDelivery(database, ticket, attemptNumber, clock());
  if (!leased) return;
  const [event, endpoint] = await Promise.all([getEvent(database, eventId), getWebhookEndpoint(database, leased.practiceId, endpointId)]);
  if (!event || endpoint?.status !== 'enabled') return skipDelivery(database, leased);

  const startedAt = clock();
  const secrets = signingSecrets(endpoint, startedAt);
  const headers = signatureHeaders({ eventId, timestamp: toEpochSeconds(startedAt), body: event.body, secrets });
  const { retryAfter, ...result } = await post({ url: endpoint.url, headers, body: event.body });
  const endedAt = clock();
  const next = nextStep({ ...result, ...(retryAfter !== undefined && { retryAfter }) }, attemptNumber - leased.attemptsBefore, endedAt, random());
  const made = { ...result, startedAt: toIso(startedAt), durationMilliseconds: endedAt - startedAt };
  const recorded = await recordAttempt(database, leased, made, next, endedAt);
  logInfo('webhook attempt', { eventId, sessionId: event.sessionId, endpointId, attemptNumber, statusCode: result.statusCode, error: result.error, outcome: next.status }, [
    { metric: 'WebhookAttempts', value: 1, by: next.status },
    ...(attemptNumber === 1 ? [{ metric: 'CommitToPost' as const, value: startedAt - Date.parse(event.createdAt) }] : []),
  ]);
  if (!recorded) return;

  if (next.status === 'failed' && next.disableEndpoint) await disableWebhookEndpoint(database, endpoint);
  if (next.status === 'pending' && next.byTicket) {
    const following: DeliveryTicket = { eventId, endpointId, attemptNumber: attemptNumber + 1 };
    await sendDeliveries([{ body: following, delay: next.nextAttemptAt - endedAt, groupId: endpointId }]);
  }
}
