import { nextStep, type Delivery, type NextStep } from '../domain/delivery.ts';
import { isBlemished } from '../domain/endpoint-health.ts';
import type { EventRow } from '../domain/event-row.ts';
import type { Random } from '../domain/retry-schedule.ts';
import { toEpochSeconds, toIso, type Clock } from '../domain/time.ts';
import { signingSecrets, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { signatureHeaders } from '../domain/webhook-signature.ts';
import { logInfo } from '../log.ts';
import { ticketOfDelivery } from '../messages/delivery-tickets.ts';
import type { NotifyOwner } from '../messages/owner-events.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { recordAttempt } from '../store/deliveries.ts';
import { freeSlots } from '../store/endpoint-slots.ts';
import { attemptMetrics } from './attempt-metrics.ts';
import { concludeAttempt } from './conclude-attempt.ts';
import type { Connections, Post, PostResult } from './post.ts';

export interface AttemptTools {
  readonly database: Database<'deliveries' | 'attempts' | 'events' | 'webhookEndpoints'>;
  readonly post: (post: Post, connections: Connections) => Promise<PostResult>;
  readonly sendDeliveries: SendTickets;
  readonly notifyOwner: NotifyOwner;
  readonly clock: Clock;
  readonly random: Random;
}

interface AttemptInput {
  readonly leased: Delivery;
  readonly event: EventRow;
  /** As read when the slot was taken. */
  readonly endpoint: WebhookEndpoint;
  readonly slot: string;
  readonly connections: Connections;
}

interface Attempted {
  /** Else it is freed with the record of the endpoint's health. */
  readonly slotIsFree: boolean;
  readonly recorded: Promise<void>;
}

/** Ends with the request, so that the next one need not wait for this one's record. */
export async function makeAttempt(tools: AttemptTools, input: AttemptInput): Promise<Attempted> {
  const { post, clock, random } = tools;
  const { leased, event, endpoint, connections } = input;
  const { eventId } = leased;
  const startedAt = clock();
  const secrets = signingSecrets(endpoint, startedAt);
  const headers = signatureHeaders({ eventId, timestamp: toEpochSeconds(startedAt), body: event.body, secrets });
  const { retryAfter, ...result } = await post({ url: endpoint.url, headers, body: event.body }, connections);
  const endedAt = clock();
  const next = nextStep(
    { ...result, ...(retryAfter !== undefined && { retryAfter }) },
    leased.attempts + 1 - leased.attemptsBefore,
    endedAt,
    random(),
    endpoint.retryPolicy,
  );
  const slotIsFree = next.status === 'delivered' && !isBlemished(endpoint);
  return { slotIsFree, recorded: record(tools, input, { result, next, startedAt, endedAt, slotIsFree }) };
}

interface Outcome {
  readonly result: PostResult;
  readonly next: NextStep;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly slotIsFree: boolean;
}

/** In this order: the sweep replaces a lost ticket, not a lost record. */
async function record(
  tools: AttemptTools,
  input: AttemptInput,
  { result, next, startedAt, endedAt, slotIsFree }: Outcome,
): Promise<void> {
  const { database, sendDeliveries } = tools;
  const { leased, endpoint, slot } = input;
  const made = {
    ...result,
    url: endpoint.url,
    startedAt: toIso(startedAt),
    durationMilliseconds: endedAt - startedAt,
  };
  const recorded = await recordAttempt(database, leased, made, next, endedAt);
  logAttempt(input, result, next, startedAt);
  if (slotIsFree) return;
  if (!recorded) return freeSlots(database, endpoint, [slot]);

  // Before notifying: a bus that is down must not delay the retry.
  if (next.status === 'pending' && next.byTicket) {
    await sendDeliveries([ticketOfDelivery(leased, leased.attempts + 2, next.nextAttemptAt - endedAt)]);
  }
  await concludeAttempt(tools, { endpoint, slot, result, next, deliveryCreatedAt: leased.createdAt }, endedAt);
}

function logAttempt({ leased, event }: AttemptInput, result: PostResult, next: NextStep, startedAt: number): void {
  const { eventId, endpointId, attempts } = leased;
  const { statusCode, error } = result;
  const ids = { eventId, sessionId: event.sessionId, endpointId };
  const fields = { ...ids, attemptNumber: attempts + 1, statusCode, error, outcome: next.status };
  logInfo('webhook attempt', fields, attemptMetrics(leased, event, next.status, startedAt));
}
