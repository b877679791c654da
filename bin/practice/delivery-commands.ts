import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { DeliveryTicket } from '../../functions/contract/tickets.ts';
import type { Delivery } from '../../functions/domain/delivery.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { toIso } from '../../functions/domain/time.ts';
import { ticketSender } from '../../functions/messages/queues.ts';
import { getDelivery } from '../../functions/store/deliveries.ts';
import {
  createTestDelivery,
  listAttempts,
  listDeliveries,
  reopenDelivery,
} from '../../functions/store/delivery-log.ts';
import { longestReplay, replayDeliveries } from '../../functions/webhooks/replay.ts';
import { requireEndpoint } from './endpoint-commands.ts';
import { endpointOptions, text, type EndpointOptions } from './options.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

const shownDeliveries = 100;

/** Sends a test to an endpoint, signed like any other webhook. */
export async function testWebhook(stack: OperatedStack, options: EndpointOptions, now: number) {
  const { database, mode } = stack;
  await requireEnabled(stack, options);
  const eventId = `evt_${ulid(now, randomBytes)}`;
  await createTestDelivery(
    database,
    { eventId, practiceId: options.practice, endpointId: options.endpoint, livemode: mode === 'live' },
    now,
  );
  await sendNow(stack, { eventId, endpointId: options.endpoint, attempts: 0 });
  return { eventId, endpointId: options.endpoint, status: 'pending' };
}

export const deliveriesOptions = z.extend(endpointOptions, { since: z.optional(text) });

/** The newest deliveries of an endpoint with all their attempts. */
export async function showDeliveries(stack: OperatedStack, options: z.output<typeof deliveriesOptions>, now: number) {
  await requireEndpoint(stack, options);
  const since = options.since === undefined ? now - longestReplay : timeOf(options.since, now);
  const { deliveries, after } = await listDeliveries(stack.database, options.endpoint, {
    since,
    limit: shownDeliveries,
    newestFirst: true,
  });
  return {
    since: toIso(since),
    more: after !== undefined,
    deliveries: await Promise.all(
      deliveries.map(async ({ eventId, endpointId, eventType, status, createdAt, deliveredAt, nextAttemptAt }) => {
        const attempts = await listAttempts(stack.database, { eventId, endpointId });
        return {
          eventId,
          eventType,
          status,
          createdAt,
          deliveredAt,
          nextAttemptAt,
          attempts: attempts.map(({ deliveryId: _, ...made }) => made),
        };
      }),
    ),
  };
}

export const resendOptions = z.extend(endpointOptions, { event: text });

/** Sends one event to an endpoint anew, under the same id. */
export async function resend(stack: OperatedStack, options: z.output<typeof resendOptions>, now: number) {
  const { database } = stack;
  await requireEnabled(stack, options);
  const delivery = await getDelivery(database, { eventId: options.event, endpointId: options.endpoint });
  if (!delivery) throw new OperatorError('This endpoint has no delivery of such an event.');
  if (!(await reopenDelivery(database, delivery, now)))
    throw new OperatorError('The event is being sent right now. Look at `deliveries` in a minute.');
  await sendNow(stack, delivery);
  return { eventId: delivery.eventId, endpointId: delivery.endpointId, status: 'pending' };
}

export const replayOptions = z.extend(endpointOptions, { since: text });

/** Sends anew what an endpoint has missed since a date, 14 days ago at most: its failed and skipped deliveries. */
export async function replay(stack: OperatedStack, options: z.output<typeof replayOptions>, now: number) {
  await requireEnabled(stack, options);
  const since = Math.max(timeOf(options.since, now), now - longestReplay);
  return { since: toIso(since), ...(await replayDeliveries(stack.database, options.endpoint, since, now)) };
}

/** Lets a delivery that the sweep would find within a minute begin at once. */
async function sendNow(
  { deadLetters, sqs }: OperatedStack,
  { eventId, endpointId, attempts }: Pick<Delivery, 'eventId' | 'endpointId' | 'attempts'>,
): Promise<void> {
  const tickets = deadLetters.find(({ name }) => name === 'FailedDeliveries');
  if (tickets?.kind !== 'ticket') return;
  await ticketSender(
    tickets.target,
    sqs,
  )([{ body: { eventId, endpointId, attemptNumber: attempts + 1 } satisfies DeliveryTicket, groupId: endpointId }]);
}

async function requireEnabled(stack: OperatedStack, options: EndpointOptions): Promise<void> {
  const { status } = await requireEndpoint(stack, options);
  if (status === 'disabled')
    throw new OperatorError(
      'This endpoint is turned off: nothing would be sent. Turn it on with `enable-webhook` first.',
    );
}

function timeOf(date: string, now: number): number {
  const time = /^\d{4}-\d\d-\d\d/.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(time)) throw new OperatorError('Give --since as a date, like 2026-11-20 or 2026-11-20T15:00:00Z.');
  if (time > now) throw new OperatorError('Give --since as a date that is past.');
  return time;
}
