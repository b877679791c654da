import type { DeliveryTicket } from '../contract/tickets.ts';
import { nextStep, type Delivery } from '../domain/delivery.ts';
import { unreachable } from '../domain/fault.ts';
import { longestTicketDelay } from '../domain/retry-schedule.ts';
import { minute, toEpochSeconds, toIso } from '../domain/time.ts';
import { signingSecrets, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import { signatureHeaders } from '../domain/webhook-signature.ts';
import { logInfo } from '../log.ts';
import type { SendTickets } from '../messages/queues.ts';
import type { Database } from '../store/database.ts';
import type { TellOwner } from '../messages/owner-events.ts';
import { leaseDelivery, rescheduleDelivery, recordAttempt, skipDelivery } from '../store/deliveries.ts';
import { recordMissed } from '../store/endpoint-health.ts';
import { freeSlots } from '../store/endpoint-slots.ts';
import type { EventRow } from '../domain/event.ts';
import { getEvent } from '../store/events.ts';
import { admit, type FullEndpoints } from './admit.ts';
import { concludeAttempt } from './conclude-attempt.ts';
import type { Post, PostResult } from './post.ts';

export interface DeliveryTools {
  readonly database: Database<'deliveries' | 'attempts' | 'events' | 'webhookEndpoints'>;
  readonly post: (post: Post) => Promise<PostResult>;
  readonly sendDeliveries: SendTickets;
  readonly tellOwner: TellOwner;
  readonly full: FullEndpoints;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Makes the attempt that a ticket stands for. A stale ticket, or one that another worker holds, does nothing.
 * Whatever the receiver does is recorded, not thrown; the row is written before the next ticket, so that the sweep can make up for it.
 */
export async function deliver(ticket: DeliveryTicket, tools: DeliveryTools): Promise<void> {
  const { database, full, clock, random } = tools;
  const leased = await leaseDelivery(database, ticket, ticket.attemptNumber, clock());
  if (!leased) return;
  const [event, admission] = await Promise.all([
    getEvent(database, ticket.eventId),
    admit(database, full, leased, clock(), random()),
  ]);
  switch (admission.may) {
    case 'nothing':
      return skip(leased, tools);
    case 'wait':
      return putOff(ticket, leased, admission.until, tools);
    case 'post':
      if (event) return makeAttempt(leased, event, admission, tools);
      await freeSlots(database, admission.endpoint, [admission.slot]);
      return skipDelivery(database, leased);
    default:
      return unreachable(admission);
  }
}

/** Ends a delivery whose endpoint is off or gone, and notes from when on a replay has to reach. */
async function skip(leased: Delivery, { database }: DeliveryTools): Promise<void> {
  await skipDelivery(database, leased);
  if (leased.deliveredAt === undefined) await recordMissed(database, leased, leased.createdAt);
}

/** Puts off a delivery that has to wait for its endpoint, which is no attempt. */
async function putOff(
  ticket: DeliveryTicket,
  leased: Delivery,
  until: number,
  { database, sendDeliveries, clock }: DeliveryTools,
): Promise<void> {
  const delay = until - clock();
  const byTicket = delay <= longestTicketDelay;
  if (!(await rescheduleDelivery(database, leased, until, byTicket))) return;
  if (byTicket) await sendDeliveries([{ body: ticket, delay, groupId: ticket.endpointId }]);
}

async function makeAttempt(
  leased: Delivery,
  event: EventRow,
  { endpoint, slot }: { endpoint: WebhookEndpoint; slot: string },
  { database, post, sendDeliveries, tellOwner, clock, random }: DeliveryTools,
): Promise<void> {
  const { eventId, endpointId } = leased;
  const attemptNumber = leased.attempts + 1;
  const startedAt = clock();
  const secrets = signingSecrets(endpoint, startedAt);
  const headers = signatureHeaders({ eventId, timestamp: toEpochSeconds(startedAt), body: event.body, secrets });
  const { retryAfter, ...result } = await post({ url: endpoint.url, headers, body: event.body });
  const endedAt = clock();
  const attemptOfSchedule = attemptNumber - leased.attemptsBefore;
  const next = nextStep(
    { ...result, ...(retryAfter !== undefined && { retryAfter }) },
    attemptOfSchedule,
    endedAt,
    random(),
    endpoint.retriesAllFailures,
  );
  const made = { ...result, startedAt: toIso(startedAt), durationMilliseconds: endedAt - startedAt };
  const recorded = await recordAttempt(database, leased, made, next, endedAt);
  logInfo(
    'webhook attempt',
    {
      eventId,
      sessionId: event.sessionId,
      endpointId,
      attemptNumber,
      statusCode: result.statusCode,
      error: result.error,
      outcome: next.status,
    },
    [
      { metric: 'WebhookAttempts', value: 1, by: next.status },
      ...(isFirstPost(leased, event, startedAt)
        ? [{ metric: 'CommitToPost' as const, value: startedAt - Date.parse(event.createdAt) }]
        : []),
    ],
  );
  if (!recorded) return freeSlots(database, endpoint, [slot]);

  // The next attempt first: a bus that is down, over which the owner is told, must not cost it its time.
  if (next.status === 'pending' && next.byTicket) {
    const following: DeliveryTicket = { eventId, endpointId, attemptNumber: attemptNumber + 1 };
    await sendDeliveries([{ body: following, delay: next.nextAttemptAt - endedAt, groupId: endpointId }]);
  }
  await concludeAttempt(
    endpoint,
    { outcome: result, next, slot, deliveryCreatedAt: leased.createdAt },
    { database, tellOwner },
    endedAt,
  );
}

/** Whether this is an event's own first POST: no test, no replay, nothing that a circuit held back for long. */
function isFirstPost({ attempts, createdAt }: Delivery, { sessionId }: EventRow, now: number): boolean {
  return sessionId !== undefined && attempts === 0 && now - Date.parse(createdAt) < 5 * minute;
}
