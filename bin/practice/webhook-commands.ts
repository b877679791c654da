import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { DeliveryTicket } from '../../functions/contract/tickets.ts';
import { webhookEventTypes } from '../../functions/contract/webhook-events.ts';
import type { Delivery } from '../../functions/domain/delivery.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { toIso } from '../../functions/domain/time.ts';
import { replayStart, type WebhookEndpoint } from '../../functions/domain/webhook-endpoint.ts';
import { ticketSender } from '../../functions/messages/queues.ts';
import type { Database } from '../../functions/store/database.ts';
import { getDelivery } from '../../functions/store/deliveries.ts';
import { createTestDelivery, listAttempts, listDeliveries, requeueDelivery } from '../../functions/store/delivery-log.ts';
import { changeWebhookEndpoint, deleteWebhookEndpoint, getWebhookEndpoint, listWebhookEndpoints, turnWebhookOff, turnWebhookOn } from '../../functions/store/webhook-endpoints.ts';
import { longestReplay, replayDeliveries } from '../../functions/webhooks/replay.ts';
import { eventList, requirePractice, requireTarget, retryPolicy } from './commands.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

const text = z.string().check(z.minLength(1), z.maxLength(200));
const endpoint = { practice: text, endpoint: text };

export const webhookCommandOptions = {
  'update-webhook': z.strictObject({ ...endpoint, url: z.optional(text), events: z.optional(eventList([...webhookEventTypes, 'all'])), retry: z.optional(retryPolicy) }),
  'delete-webhook': z.strictObject(endpoint),
  'list-webhooks': z.strictObject({ practice: text }),
  'enable-webhook': z.strictObject(endpoint),
  'disable-webhook': z.strictObject(endpoint),
  'test-webhook': z.strictObject(endpoint),
  deliveries: z.strictObject({ ...endpoint, since: z.optional(text) }),
  resend: z.strictObject({ ...endpoint, event: text }),
  replay: z.strictObject({ ...endpoint, since: text }),
} as const;

type Options<Name extends keyof typeof webhookCommandOptions> = z.output<(typeof webhookCommandOptions)[Name]>;

const shownDeliveries = 100;

/** The endpoints of a practice, without their secrets. */
export async function listWebhooks(stack: OperatedStack, { practice }: Options<'list-webhooks'>) {
  const { database } = stack;
  await requirePractice(stack, practice);
  const endpoints = await listWebhookEndpoints(database, practice);
  return {
    endpoints: endpoints.map(
      ({ endpointId, url, status, eventTypes, retriesAllFailures, disabledReason, disabledAt, failingSince, failedAttempts, circuitOpenUntil, previousSecretExpiresAt, createdAt }) =>
        ({ endpointId, url, status, eventTypes, retriesAllFailures, disabledReason, disabledAt, failingSince, failedAttempts, circuitOpenUntil, previousSecretExpiresAt, createdAt }),
    ),
  };
}

/** Changes what is given of an endpoint, and says how to have sent to a new URL what the old one has missed. */
export async function updateWebhook(stack: OperatedStack, options: Options<'update-webhook'>) {
  const { practice: practiceId, endpoint: endpointId, url, events, retry } = options;
  const { database } = stack;
  if (url === undefined && events === undefined && retry === undefined) throw new OperatorError('Say what to change: --url, --events or --retry.');
  if (url !== undefined) requireTarget(stack, url);
  const { missedSince } = await requireEndpoint(database, options);
  const changed = await changeWebhookEndpoint(database, { practiceId, endpointId }, {
    ...(url !== undefined && { url }),
    ...(events && { eventTypes: events.includes('all') ? 'all' : events }),
    ...(retry && { retriesAllFailures: retry === 'all' }),
  });
  if (!changed) throw noSuchEndpoint();
  const { status, eventTypes, retriesAllFailures } = changed;
  return { endpointId, url: changed.url, status, eventTypes, retriesAllFailures, ...(url !== undefined && status === 'enabled' && missedSince !== undefined && replayOffer(options, missedSince)) };
}

/** Deletes an endpoint for good. What is pending for it ends as `skipped`. */
export async function deleteWebhook({ database }: OperatedStack, options: Options<'delete-webhook'>) {
  const { practiceId, endpointId } = await requireEndpoint(database, options);
  await deleteWebhookEndpoint(database, { practiceId, endpointId });
  return { endpointId, status: 'deleted' };
}

interface EndpointsStack {
  readonly database: Database<'webhookEndpoints'>;
}

/** Turns an endpoint off. What happens meanwhile waits as `skipped` deliveries. */
export async function disableWebhook({ database }: EndpointsStack, { practice: practiceId, endpoint: endpointId }: Options<'disable-webhook'>, now: number) {
  const disabled = (await turnWebhookOff(database, { practiceId, endpointId }, now)) ?? (await getWebhookEndpoint(database, practiceId, endpointId));
  if (!disabled) throw noSuchEndpoint();
  return { endpointId, status: disabled.status, disabledAt: disabled.disabledAt };
}

/** Turns an endpoint on again, and says how to have sent what it has missed. */
export async function enableWebhook({ database }: EndpointsStack, { practice: practiceId, endpoint: endpointId }: Options<'enable-webhook'>) {
  const before = await turnWebhookOn(database, { practiceId, endpointId });
  if (!before) throw noSuchEndpoint();
  const since = replayStart(before);
  return { endpointId, status: 'enabled', ...(since !== undefined && replayOffer({ practice: practiceId, endpoint: endpointId }, since)) };
}

function replayOffer({ practice, endpoint: endpointId }: { practice: string; endpoint: string }, missedSince: string) {
  return { missedSince, replay: `npm run -s practice -- replay --practice ${practice} --endpoint ${endpointId} --since ${missedSince}` };
}

/** Sends a test to an endpoint, signed like any other webhook. */
export async function testWebhook(stack: OperatedStack, options: Options<'test-webhook'>, now: number) {
  const { database, mode } = stack;
  await requireEnabled(database, options);
  const eventId = `evt_${ulid(now, randomBytes)}`;
  await createTestDelivery(database, { eventId, practiceId: options.practice, endpointId: options.endpoint, livemode: mode === 'live' }, now);
  await sendNow(stack, { eventId, endpointId: options.endpoint, attempts: 0 });
  return { eventId, endpointId: options.endpoint, status: 'pending' };
}

/** The newest deliveries of an endpoint with all their attempts. */
export async function showDeliveries({ database }: OperatedStack, options: Options<'deliveries'>, now: number) {
  await requireEndpoint(database, options);
  const since = options.since === undefined ? now - longestReplay : timeOf(options.since, now);
  const { deliveries, after } = await listDeliveries(database, options.endpoint, { since, limit: shownDeliveries, newestFirst: true });
  return {
    since: toIso(since),
    more: after !== undefined,
    deliveries: await Promise.all(
      deliveries.map(async ({ eventId, endpointId, eventType, status, createdAt, deliveredAt, nextAttemptAt }) => {
        const attempts = await listAttempts(database, { eventId, endpointId });
        return { eventId, eventType, status, createdAt, deliveredAt, nextAttemptAt, attempts: attempts.map(({ deliveryId: _, ...made }) => made) };
      }),
    ),
  };
}

/** Sends one event to an endpoint anew, under the same id. */
export async function resend(stack: OperatedStack, options: Options<'resend'>, now: number) {
  const { database } = stack;
  await requireEnabled(database, options);
  const delivery = await getDelivery(database, { eventId: options.event, endpointId: options.endpoint });
  if (!delivery) throw new OperatorError('This endpoint has no delivery of such an event.');
  if (!(await requeueDelivery(database, delivery, now))) throw new OperatorError('The event is being sent right now. Look at `deliveries` in a minute.');
  await sendNow(stack, delivery);
  return { eventId: delivery.eventId, endpointId: delivery.endpointId, status: 'pending' };
}

/** Sends anew what an endpoint has missed since a date, 14 days ago at most: its failed and skipped deliveries. */
export async function replay({ database }: OperatedStack, options: Options<'replay'>, now: number) {
  await requireEnabled(database, options);
  const since = Math.max(timeOf(options.since, now), now - longestReplay);
  return { since: toIso(since), ...(await replayDeliveries(database, options.endpoint, since, now)) };
}

/** Lets a delivery that the sweep would find within a minute begin at once. */
async function sendNow({ deadLetters, sqs }: OperatedStack, { eventId, endpointId, attempts }: Pick<Delivery, 'eventId' | 'endpointId' | 'attempts'>): Promise<void> {
  const tickets = deadLetters.find(({ name }) => name === 'FailedDeliveries');
  if (tickets?.kind !== 'ticket') return;
  await ticketSender(tickets.target, sqs)([{ body: { eventId, endpointId, attemptNumber: attempts + 1 } satisfies DeliveryTicket, groupId: endpointId }]);
}

async function requireEndpoint(database: OperatedStack['database'], options: { practice: string; endpoint: string }): Promise<WebhookEndpoint> {
  const found = await getWebhookEndpoint(database, options.practice, options.endpoint);
  if (!found) throw noSuchEndpoint();
  return found;
}

async function requireEnabled(database: OperatedStack['database'], options: { practice: string; endpoint: string }): Promise<void> {
  const { status } = await requireEndpoint(database, options);
  if (status === 'disabled') throw new OperatorError('This endpoint is turned off: nothing would be sent. Turn it on with `enable-webhook` first.');
}

function noSuchEndpoint(): OperatorError {
  return new OperatorError('This practice has no such webhook endpoint.');
}

function timeOf(date: string, now: number): number {
  const time = /^\d{4}-\d\d-\d\d/.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(time)) throw new OperatorError('Give --since as a date, like 2026-11-20 or 2026-11-20T15:00:00Z.');
  if (time > now) throw new OperatorError('Give --since as a date that is past.');
  return time;
}
