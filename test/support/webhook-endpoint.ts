import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { deliveryTicket, type EndpointEventType } from '../../functions/contract/webhooks/tickets.ts';
import type { Delivery } from '../../functions/domain/webhooks/delivery.ts';
import { sessionEventId } from '../../functions/domain/webhooks/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { toIso } from '../../functions/domain/time.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { generateSigningSecret } from '../../functions/domain/webhooks/webhook-signature.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import type { Database } from '../../functions/store/database.ts';
import {
  createDelivery,
  getDelivery,
  updateDelivery,
  type DeliveryKey,
} from '../../functions/store/webhooks/deliveries.ts';
import { markDispatched } from '../../functions/store/webhooks/events.ts';
import { writeExpiry } from '../../functions/store/sessions/transitions.ts';
import { createWebhookEndpoint, getWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { deliver, type EndpointTools } from '../../functions/webhooks/deliver.ts';
import type { Post, PostResult } from '../../functions/webhooks/post.ts';
import { anEntry, storeSession } from './create-practice.ts';
import type { Tables } from './tables.ts';
import { deliverOne, deliveryTools, dispatchOne, sweepTools } from './tools.ts';

export async function storeEndpoint(
  database: Database,
  differences: Partial<WebhookEndpoint> = {},
): Promise<WebhookEndpoint> {
  const now = Date.now();
  const endpointId = `whe_${ulid(now, randomBytes)}`;
  const endpoint: WebhookEndpoint = {
    practiceId: `prc_${ulid(now, randomBytes)}`,
    endpointId,
    url: `https://hooks.example.com/${endpointId}`,
    status: 'enabled',
    signingSecret: generateSigningSecret(randomBytes),
    createdAt: toIso(now),
    ...differences,
  };
  await createWebhookEndpoint(database, endpoint, anEntry(endpoint.practiceId));
  return endpoint;
}

/** A session that expires puts an event into the outbox. */
export async function storeEvent(database: Database, practiceId: string, now: number): Promise<string> {
  const session = await storeSession(database, { practiceId, expiresAt: toIso(now) }, now);
  await writeExpiry(database, session, Date.parse(session.expiresAt));
  return sessionEventId(session.sessionId, 1);
}

/** Stores what a dispatch leaves: `skipped` for a disabled endpoint. */
export async function storeDelivery(
  database: Database,
  { practiceId, endpointId }: Pick<WebhookEndpoint, 'practiceId' | 'endpointId'>,
  now: number,
  status: WebhookEndpoint['status'] = 'enabled',
): Promise<DeliveryKey> {
  const eventId = await storeEvent(database, practiceId, now);
  const event = { eventId, practiceId, type: 'session.payment.cancelled' } as const;
  await createDelivery(database, event, { practiceId, endpointId, status }, now);
  await markDispatched(database, eventId);
  return { eventId, endpointId };
}

/** A delivery with its own endpoint. */
export async function aDelivery(database: Database, now: number, differences: Partial<Delivery> = {}) {
  const { practiceId, endpointId } = await storeEndpoint(database);
  const key = await storeDelivery(database, { practiceId, endpointId }, now);
  await updateDelivery(database, key, { set: differences });
  const read = async () => (await getDelivery(database, key)) ?? expect.fail('the delivery is gone');
  return { key, practiceId, ticket: { ...key, practiceId, attemptNumber: 1 }, read, asRead: await read() };
}

export interface Received extends Post {
  readonly eventId: string;
  readonly endpointId: string;
  readonly at: number;
}

type Answer = Partial<PostResult>;
type Answering = Answer | ((received: Received) => Answer | Promise<Answer>);

/** The test controls the receiver, the clock and the queue. */
export async function anEndpoint(
  { database }: Pick<Tables, 'database'>,
  { now = Date.now(), ...differences }: Partial<WebhookEndpoint> & { readonly now?: number } = {},
) {
  const { practiceId, endpointId } = await storeEndpoint(database, { createdAt: toIso(now), ...differences });
  const endpointIds = [endpointId];
  const state = {
    now,
    answer: { statusCode: 204 } as Answering,
    posts: [] as Received[],
    tickets: [] as Ticket[],
    notified: [] as EndpointEventType[],
  };
  const readyAt = new WeakMap<Ticket, number>();
  const sending: { -readonly [Name in keyof EndpointTools]: EndpointTools[Name] } = deliveryTools(database, {
    clock: () => state.now,
    notifyOwner: async (type) => void state.notified.push(type),
    async sendDeliveries(tickets) {
      for (const ticket of tickets) readyAt.set(ticket, state.now + (ticket.delay ?? 0));
      state.tickets.push(...tickets);
    },
    async post(post) {
      const ids = { eventId: post.headers['webhook-id'] ?? '', endpointId: post.url.split('/').at(-1) ?? '' };
      const received = { ...post, ...ids, at: state.now };
      state.posts.push(received);
      const answer = typeof state.answer === 'function' ? state.answer(received) : state.answer;
      return { responseTruncated: false, ...(await answer) };
    },
  });
  const tools = { ...sending, database, randomBytes };
  const row = async (key: DeliveryKey) => required(await getDelivery(database, key));
  const attempt = (key: DeliveryKey, attemptNumber: number, others: Partial<EndpointTools> = {}) =>
    deliverOne({ ...tools, ...others }, { ...key, practiceId, attemptNumber });
  const dispatch = (eventId: string) => dispatchOne(tools, eventId, state.now);

  return {
    state,
    tools,
    practiceId,
    endpointId,
    endpoint: async (id = endpointId) => required(await getWebhookEndpoint(database, practiceId, id)),
    row,
    posted: () => state.posts.map(({ eventId }) => eventId),
    attempt,
    /** First attempts in one batch. */
    async batch(keys: readonly DeliveryKey[], others: Partial<EndpointTools> = {}) {
      const sent = keys.map((key) => ({ ...key, practiceId, attemptNumber: 1 }));
      return deliver({ ...tools, ...others }, sent);
    },
    dispatch,
    async addEndpoint(): Promise<string> {
      const added = await storeEndpoint(database, { practiceId, createdAt: toIso(state.now) });
      endpointIds.push(added.endpointId);
      return added.endpointId;
    },
    outboxEvent: () => storeEvent(database, practiceId, state.now),
    /** The queue has a ticket for each endpoint. */
    async dispatchedEvent(): Promise<DeliveryKey> {
      const eventId = await storeEvent(database, practiceId, state.now);
      await dispatch(eventId);
      return { eventId, endpointId };
    },
    /** The queue has no ticket for it. */
    event: (status?: WebhookEndpoint['status']) =>
      storeDelivery(database, { practiceId, endpointId }, state.now, status),
    async attempts(key: DeliveryKey, count: number) {
      for (let made = 0; made < count; made += 1) {
        const { attempts, nextAttemptAt = '' } = await row(key);
        state.now = Math.max(state.now, Date.parse(nextAttemptAt));
        await attempt(key, attempts + 1);
      }
    },
    /** Also handles tickets that are sent in the meantime. */
    async drain() {
      const isReady = (ticket: Ticket) => (readyAt.get(ticket) ?? 0) <= state.now;
      for (let next = state.tickets.findIndex(isReady); next !== -1; next = state.tickets.findIndex(isReady))
        for (const { body } of state.tickets.splice(next, 1)) await deliverOne(tools, deliveryTicket.parse(body));
    },
    nextReadyAt: () => Math.min(...state.tickets.map((ticket) => readyAt.get(ticket) ?? 0)),
    sweep: () =>
      sweep(
        sweepTools(database, {
          clock: () => state.now,
          sendDeliveries: (tickets) =>
            tools.sendDeliveries(tickets.filter(({ groupId = '' }) => endpointIds.includes(groupId))),
        }),
      ),
  };
}

function required<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error('missing');
  return found;
}
