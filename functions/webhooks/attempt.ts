import { nextStep, type Delivery, type NextStep } from '../domain/delivery.ts';
import type { EventRow } from '../domain/event-row.ts';
import type { Random } from '../domain/retry-schedule.ts';
import { toEpochSeconds, toIso, type Clock } from '../domain/time.ts';
import { signingSecrets } from '../domain/webhook-endpoint.ts';
import { signatureHeaders } from '../domain/webhook-signature.ts';
import { logInfo } from '../log.ts';
import { ticketOfDelivery } from '../messages/delivery-tickets.ts';
import type { NotifyOwner } from '../messages/owner-events.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import { recordAttempt } from '../store/deliveries.ts';
import { attemptMetrics } from './attempt-metrics.ts';
import { concludeAttempt } from './conclude-attempt.ts';
import type { Post, PostResult } from './post.ts';
import type { Held, Slots } from './slots.ts';

export interface AttemptTools {
  readonly database: Database<'deliveries' | 'attempts' | 'webhookEndpoints'>;
  readonly slots: Slots;
  readonly post: (post: Post) => Promise<PostResult>;
  readonly sendDeliveries: SendTickets;
  readonly notifyOwner: NotifyOwner;
  readonly clock: Clock;
  readonly random: Random;
}

interface AttemptInput {
  readonly leased: Delivery;
  readonly event: EventRow;
  readonly held: Held;
}

/** In this order: the sweep replaces a lost ticket, not a lost record. */
export async function makeAttempt(tools: AttemptTools, input: AttemptInput): Promise<void> {
  const { database, slots, post, sendDeliveries, clock, random } = tools;
  const { leased, event, held } = input;
  const { endpoint } = held;
  const { eventId } = leased;
  const attemptNumber = leased.attempts + 1;
  const startedAt = clock();
  const secrets = signingSecrets(endpoint, startedAt);
  const headers = signatureHeaders({ eventId, timestamp: toEpochSeconds(startedAt), body: event.body, secrets });
  const { retryAfter, ...result } = await post({ url: endpoint.url, headers, body: event.body });
  const endedAt = clock();
  const next = nextStep(
    { ...result, ...(retryAfter !== undefined && { retryAfter }) },
    attemptNumber - leased.attemptsBefore,
    endedAt,
    random(),
    endpoint.retryPolicy,
  );
  const attempt = {
    ...result,
    url: endpoint.url,
    startedAt: toIso(startedAt),
    durationMilliseconds: endedAt - startedAt,
  };
  const recorded = await recordAttempt(database, leased, attempt, next, endedAt);
  logAttempt(input, result, next, startedAt);
  if (!recorded) return slots.free(held);

  // Before notifying: a bus that is down must not delay the retry.
  if (next.status === 'pending' && next.byTicket) {
    await sendDeliveries([ticketOfDelivery(leased, attemptNumber + 1, next.nextAttemptAt - endedAt)]);
  }
  await concludeAttempt(tools, { held, result, next, deliveryCreatedAt: leased.createdAt }, endedAt);
}

function logAttempt({ leased, event }: AttemptInput, result: PostResult, next: NextStep, startedAt: number): void {
  const { eventId, endpointId, attempts } = leased;
  const { statusCode, error } = result;
  const ids = { eventId, sessionId: event.sessionId, endpointId };
  const fields = { ...ids, attemptNumber: attempts + 1, statusCode, error, outcome: next.status };
  logInfo('webhook attempt', fields, attemptMetrics(leased, event, next.status, startedAt));
}
