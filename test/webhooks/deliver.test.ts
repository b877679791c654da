import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { DeliveryTicket } from '../../functions/contract/tickets.ts';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { generateSigningSecret } from '../../functions/domain/webhook-signature.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhook-endpoint.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { createDelivery, getDelivery, dueDeliveries } from '../../functions/store/deliveries.ts';
import { listAttempts } from '../../functions/store/delivery-log.ts';
import { getEvent } from '../../functions/store/events.ts';
import { listDue } from '../../functions/store/due-index.ts';
import { insertSession } from '../../functions/store/sessions.ts';
import { writeExpiry } from '../../functions/store/transitions.ts';
import { createWebhookEndpoint, getWebhookEndpoint } from '../../functions/store/webhook-endpoints.ts';
import { deliver, type DeliveryTools } from '../../functions/webhooks/deliver.ts';
import type { Post, PostResult } from '../../functions/webhooks/post.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/test-tables.ts';

const tables = await startTestTables();

/** One event due to one endpoint, a clock that the test sets, and a receiver that answers as told. */
async function aDelivery(answer: (post: Post) => Partial<PostResult>, endpoint: Partial<WebhookEndpoint> = {}) {
  const startedAt = Date.now();
  const session = aSession({
    sessionId: `ses_${ulid(startedAt, randomBytes)}`,
    practiceId: `prc_${ulid(startedAt, randomBytes)}`,
    expiresAt: new Date(startedAt).toISOString(),
  });
  await insertSession(tables.database, session, undefined, startedAt);
  await writeExpiry(tables.database, session);
  const event = await getEvent(tables.database, sessionEventId(session.sessionId, 1));
  if (!event) throw new Error('no event');
  const signingSecret = generateSigningSecret(randomBytes);
  await createWebhookEndpoint(tables.database, {
    practiceId: session.practiceId,
    endpointId: 'whe_1',
    url: 'https://hooks.example.com/',
    status: 'enabled',
    signingSecret,
    createdAt: session.createdAt,
    ...endpoint,
  });
  await createDelivery(tables.database, event, { endpointId: 'whe_1', enabled: true }, startedAt);

  const key = { eventId: event.eventId, endpointId: 'whe_1' };
  const posts: Post[] = [];
  const tickets: Ticket[] = [];
  const state = { now: startedAt };
  const tools: DeliveryTools = {
    full: new Map(),
    database: tables.database,
    clock: () => state.now,
    random: () => 0,
    tellOwner: async () => undefined,
    sendDeliveries: async (sent) => void tickets.push(...sent),
    post: async (post) => {
      posts.push(post);
      return { responseTruncated: false, ...answer(post) };
    },
  };
  return {
    key,
    posts,
    tickets,
    state,
    signingSecret,
    practiceId: session.practiceId,
    body: event.body,
    attempt: (attemptNumber: number) => deliver(tools, { ...key, attemptNumber } satisfies DeliveryTicket),
    row: () => getDelivery(tables.database, key),
    attemptRow: async (attemptNumber: number) =>
      (await listAttempts(tables.database, key)).find((made) => made.attemptNumber === attemptNumber),
  };
}

describe('delivering a webhook', () => {
  it('posts the stored body under a signature that the standard library accepts, and records the attempt', async () => {
    const delivery = await aDelivery(() => ({ statusCode: 204, responseExcerpt: '' }));
    await delivery.attempt(1);
    const [post] = delivery.posts;
    expect(post?.body).toBe(delivery.body);
    expect(() => new Webhook(delivery.signingSecret).verify(post?.body ?? '', { ...post?.headers })).not.toThrow();
    expect(await delivery.row()).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await delivery.row()).not.toHaveProperty('dueAt');
    expect(await delivery.attemptRow(1)).toMatchObject({ statusCode: 204, durationMilliseconds: 0 });
    expect(delivery.tickets).toEqual([]);
  });

  // https://github.com/frain-dev/convoy/issues/1833: attempts were not counted, and so never ended; https://github.com/frain-dev/convoy/issues/1667: a due time in the past was never seen again.
  it('makes all ten attempts at their times: 5 s and 5 m by ticket, the longer waits by the sweep', async () => {
    const delivery = await aDelivery(() => ({ statusCode: 500 }));
    const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, wait] of waits.entries()) {
      await delivery.attempt(index + 1);
      const row = await delivery.row();
      expect(row).toMatchObject({ status: 'pending', attempts: index + 1 });
      expect(Date.parse(row?.nextAttemptAt ?? '') - delivery.state.now).toBe(wait * 1000);
      if (wait <= 900) {
        expect(delivery.tickets.at(-1)).toEqual({
          body: { ...delivery.key, attemptNumber: index + 2 },
          delay: wait * 1000,
          groupId: 'whe_1',
        });
      } else {
        expect(delivery.tickets).toHaveLength(2);
        expect(
          await listDue(tables.database, dueDeliveries(tables.database), delivery.state.now + wait * 1000 - 1, 100),
        ).not.toContainEqual(delivery.key);
        expect(
          await listDue(tables.database, dueDeliveries(tables.database), delivery.state.now + wait * 1000, 100),
        ).toContainEqual(delivery.key);
      }
      delivery.state.now += wait * 1000;
    }
    await delivery.attempt(10);
    expect(await delivery.row()).toMatchObject({ status: 'failed', attempts: 10 });
    expect(delivery.posts).toHaveLength(10);
    expect(new Set(delivery.posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(delivery.posts.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  });

  // https://github.com/frain-dev/convoy/issues/2747 and https://github.com/hookdeck/outpost/issues/64: two workers took one delivery.
  it('makes each attempt once, however many workers get its ticket', async () => {
    const delivery = await aDelivery(() => ({ statusCode: 500 }));
    await Promise.all([1, 2, 3, 4, 5].map(() => delivery.attempt(1)));
    await delivery.attempt(1);
    expect(delivery.posts).toHaveLength(1);
  });

  // https://github.com/hookdeck/outpost/issues/151: a crash after the POST; https://github.com/frain-dev/convoy/issues/1977: what a killed worker held stayed "processing".
  it('takes over, with the same id, from a worker that died after its POST', async () => {
    let dies = true;
    const delivery = await aDelivery(() => {
      if (dies) throw new Error('killed');
      return { statusCode: 200 };
    });
    await expect(delivery.attempt(1)).rejects.toThrow('killed');
    dies = false;
    await delivery.attempt(1);
    expect(delivery.posts, 'leased by the dead worker').toHaveLength(1);
    delivery.state.now += 60_000;
    await delivery.attempt(1);
    expect(delivery.posts.map(({ headers }) => headers['webhook-id'])).toEqual([
      delivery.key.eventId,
      delivery.key.eventId,
    ]);
    expect(await delivery.row()).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('ends a delivery to a disabled endpoint as skipped, without a POST', async () => {
    const delivery = await aDelivery(() => ({ statusCode: 200 }), { status: 'disabled' });
    await delivery.attempt(1);
    expect(delivery.posts).toEqual([]);
    expect(await delivery.row()).toMatchObject({ status: 'skipped', attempts: 0 });
  });

  it('disables an endpoint that answers 410', async () => {
    const delivery = await aDelivery(() => ({ statusCode: 410 }));
    await delivery.attempt(1);
    expect(await delivery.row()).toMatchObject({ status: 'failed' });
    expect(await getWebhookEndpoint(tables.database, delivery.practiceId, 'whe_1')).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    });
  });

  it('signs with both secrets after a rotation, until the old one ends', async () => {
    const previous = generateSigningSecret(randomBytes);
    const delivery = await aDelivery(() => ({ statusCode: 500 }), {
      previousSigningSecret: previous,
      previousSecretExpiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
    await delivery.attempt(1);
    delivery.state.now += 120_000;
    await delivery.attempt(2);
    expect(delivery.posts.map(({ headers }) => headers['webhook-signature']?.split(' ').length)).toEqual([2, 1]);
  });
});
