import type { Measurement } from '../contract/metrics.ts';
import type { EndpointEventType } from '../contract/webhooks/tickets.ts';
import { nextStep, type Delivery, type NextStep, type AttemptResult } from '../domain/webhooks/delivery.ts';
import {
  gotNoResponse,
  successChangesHealth,
  beginsToFail,
  isFailing,
  shouldDisable,
} from '../domain/webhooks/endpoint-health.ts';
import { isExpiration, type EventRow } from '../domain/webhooks/event.ts';
import type { Random } from '../domain/webhooks/retry-schedule.ts';
import { toEpochSeconds, toIso, type Clock } from '../domain/time.ts';
import { signingSecrets, type WebhookEndpoint } from '../domain/webhooks/webhook-endpoint.ts';
import { signatureHeaders } from '../domain/webhooks/webhook-signature.ts';
import { logInfo } from '../log.ts';
import type { NotifyOwner } from '../messages/webhooks/event-bus.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { recordAttempt } from '../store/webhooks/deliveries.ts';
import {
  recordMissed,
  disableBrokenEndpoint,
  forgetNotified,
  recordFailure,
  recordNotified,
  recordSuccess,
} from '../store/webhooks/endpoint-health.ts';
import { ticketOfDelivery } from './dispatch.ts';
import type { Connections, Post, PostResult } from './post.ts';

export interface AttemptTools extends ReadingTools {
  readonly post: (post: Post, connections: Connections) => Promise<PostResult>;
  readonly sendDeliveries: SendTickets;
  readonly notifyOwner: NotifyOwner;
  readonly clock: Clock;
  readonly random: Random;
}

interface AttemptInput {
  readonly leased: Delivery;
  readonly event: EventRow;
  /** The endpoint as it was when the slot was reserved. */
  readonly endpoint: WebhookEndpoint;
  readonly connections: Connections;
}

/** Resolves when the request ends, so that the next one does not wait until this one is recorded. */
export async function makeAttempt(tools: AttemptTools, input: AttemptInput) {
  const { post, clock, random } = tools;
  const { leased, event, endpoint, connections } = input;
  const { eventId } = leased;
  const startedAt = clock();
  const secrets = signingSecrets(endpoint, startedAt);
  const headers = signatureHeaders({ eventId, timestamp: toEpochSeconds(startedAt), body: event.body, secrets });
  const answer = await post({ url: endpoint.url, headers, body: event.body }, connections);
  const { retryAfter: _, ...result } = answer;
  const endedAt = clock();
  const next = nextStep(answer, leased.attempts + 1 - leased.attemptsBefore, endedAt, random(), endpoint.retryPolicy);
  /** If true, the endpoint has to be read again before the next request. */
  const changesHealth = next.status !== 'delivered' || successChangesHealth(endpoint);
  const recorded = record(tools, input, { result, next, startedAt, endedAt, changesHealth });
  return { answered: !gotNoResponse(result), changesHealth, recorded };
}

interface Outcome {
  readonly result: PostResult;
  readonly next: NextStep;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly changesHealth: boolean;
}

/** Records first, then sends the ticket: the sweep replaces a lost ticket, but not a lost record. */
async function record(
  tools: AttemptTools,
  input: AttemptInput,
  { result, next, startedAt, endedAt, changesHealth }: Outcome,
): Promise<void> {
  const { database, sendDeliveries } = tools;
  const { leased, endpoint, event } = input;
  const made = {
    ...result,
    url: endpoint.url,
    startedAt: toIso(startedAt),
    durationMilliseconds: endedAt - startedAt,
  };
  if (next.status === 'failed') await recordMissed(database, leased);
  const recorded = await recordAttempt(database, leased, made, next, endedAt);
  logAttempt(input, result, next, startedAt);
  if (!recorded || !changesHealth) return;

  // Sent before notifying: a bus outage must not delay the retry.
  if (next.status === 'pending' && next.byTicket) {
    await sendDeliveries([
      ticketOfDelivery({ ...leased, requestId: event.requestId }, leased.attempts + 2, next.nextAttemptAt - endedAt),
    ]);
  }
  await concludeAttempt(tools, { endpoint, result, next, deliveryCreatedAt: leased.createdAt }, endedAt);
}

function logAttempt({ leased, event }: AttemptInput, result: PostResult, next: NextStep, startedAt: number): void {
  const { eventId, endpointId, attempts } = leased;
  const { statusCode, error } = result;
  const ids = { requestId: event.requestId, eventId, sessionId: event.sessionId, endpointId };
  const fields = { ...ids, attemptNumber: attempts + 1, statusCode, error, outcome: next.status };
  logInfo('webhook attempt', fields, attemptMetrics(leased, event, next.status, startedAt));
}

export function attemptMetrics(
  leased: Delivery,
  event: Pick<EventRow, 'sessionId' | 'createdAt' | 'body'>,
  status: NextStep['status'],
  startedAt: number,
): Measurement[] {
  return [
    { metric: 'WebhookAttempts', value: 1, by: status },
    { metric: 'WebhooksDelivered', value: status === 'delivered' ? 1 : 0 },
    ...(isPromptPost(leased, event)
      ? [{ metric: 'CommitToPost' as const, value: startedAt - Date.parse(event.createdAt) }]
      : []),
  ];
}

/** False for a delivery that was tried before, waited for its endpoint or was replayed: its `nextAttemptAt` has changed. */
function isPromptPost({ createdAt, nextAttemptAt }: Delivery, event: Pick<EventRow, 'sessionId' | 'body'>): boolean {
  return event.sessionId !== undefined && nextAttemptAt === createdAt && !isExpiration(event);
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
async function concludeAttempt(
  { database, notifyOwner }: { readonly database: Database; readonly notifyOwner: NotifyOwner },
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
  const gone = next.status === 'failed' && next.gone;
  if (gone || shouldDisable(health, endpoint.lastFailedAt, now)) {
    await notify('webhook.endpoint.disabled');
    await disableBrokenEndpoint(database, health, gone ? 'gone' : 'failing', now);
  } else if (isFailing(health, result)) {
    await notify('webhook.endpoint.failing');
    await recordNotified(database, endpoint, now);
  }
}
