import type { SQSRecord } from 'aws-lambda';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { deliveryTicket } from '../../functions/contract/webhooks/tickets.ts';
import { day, minute, second } from '../../functions/domain/time.ts';
import { slotOf } from '../../functions/domain/webhooks/endpoint-health.ts';
import { batchHandler } from '../../functions/messages/batch-handlers.ts';
import { listAttempts } from '../../functions/store/webhooks/delivery-log.ts';
import { reserveSlot } from '../../functions/store/webhooks/endpoint-health.ts';
import { deliver } from '../../functions/webhooks/deliver.ts';
import type { PostResult } from '../../functions/webhooks/post.ts';
import { resendEvent } from '../../functions/webhooks/resend.ts';
import { author } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint, type Received } from '../support/webhook-endpoint.ts';

// The link above a test reports the failure it guards against.

const tables = await startTestTables();
const { database } = tables;

const queueIsDown = async () => {
  throw new Error('the queue is down');
};

describe('lost work', () => {
  // https://github.com/LanternOps/breeze/issues/4095 and https://github.com/frain-dev/convoy/issues/1977
  it('is retried within two minutes if the queue fails between an attempt and its next ticket', async () => {
    const { state, tools, dispatchedEvent, drain, sweep, row } = await anEndpoint(tables);
    const key = await dispatchedEvent();
    const { sendDeliveries } = tools;
    state.answer = { statusCode: 500 };
    tools.sendDeliveries = queueIsDown;
    await expect(drain()).rejects.toThrow('the queue is down');
    expect(await row(key), 'the attempt is recorded').toMatchObject({ status: 'pending', attempts: 1 });

    tools.sendDeliveries = sendDeliveries;
    state.answer = { statusCode: 204 };
    state.now += 5 * second + 2 * minute - 1;
    await sweep();
    await drain();
    expect(state.posts).toHaveLength(1);
    state.now += 1;
    await sweep();
    await drain();
    expect(state.posts).toHaveLength(2);
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('is retried within two minutes if the queue fails after a delivery was put off without a lease', async () => {
    const { state, tools, practiceId, endpointId, dispatchedEvent, drain, sweep, row, posted } =
      await anEndpoint(tables);
    const reserved = slotOf('evt_other', state.now - second);
    await reserveSlot(database, { practiceId, endpointId }, reserved, state.now - second);
    const key = await dispatchedEvent();
    const { sendDeliveries } = tools;
    tools.sendDeliveries = queueIsDown;
    await expect(drain()).rejects.toThrow('the queue is down');
    expect(await row(key)).toMatchObject({ status: 'pending', attempts: 0 });
    expect(posted()).toEqual([]);

    tools.sendDeliveries = sendDeliveries;
    state.now += second + 2 * minute;
    await sweep();
    await drain();
    expect(posted()).toEqual([key.eventId]);
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('is retried within two minutes if a dispatch dies between its rows and their tickets', async () => {
    const { state, tools, outboxEvent, dispatch, drain, sweep, row, endpointId, posted } = await anEndpoint(tables);
    const eventId = await outboxEvent();
    const { sendDeliveries } = tools;
    tools.sendDeliveries = queueIsDown;
    await expect(dispatch(eventId)).rejects.toThrow('the queue is down');
    tools.sendDeliveries = sendDeliveries;
    state.now += 2 * minute;
    await sweep();
    await drain();
    expect(posted()).toEqual([eventId]);
    expect(await row({ eventId, endpointId })).toMatchObject({ status: 'delivered' });
  });

  // https://github.com/svix/svix-webhooks/issues/1844 and https://github.com/Vexa-ai/vexa/issues/520
  it('is retried in full if the whole queue is lost, with one POST per delivery', async () => {
    const { state, dispatchedEvent, drain, sweep, row, posted } = await anEndpoint(tables);
    const keys = await Promise.all(Array.from({ length: 25 }, dispatchedEvent));
    expect(state.tickets).toHaveLength(25);
    state.tickets.length = 0;
    state.now += 2 * minute;
    await sweep();
    await sweep();
    await drain();
    expect(posted().sort()).toEqual(keys.map(({ eventId }) => eventId).sort());
    for (const key of keys) expect(await row(key)).toMatchObject({ status: 'delivered' });
  });

  // https://github.com/hookdeck/outpost/issues/1000, /issues/998 and /issues/663: unrecorded attempts repeated forever.
  it('stays in the queue if its attempt cannot be recorded, and is sent again under its id', async () => {
    const { state, tools, dispatchedEvent, row, posted } = await anEndpoint(tables);
    const key = await dispatchedEvent();
    const [ticket] = state.tickets.splice(0);
    const record = (messageId: string) =>
      ({ messageId, body: JSON.stringify(ticket?.body), eventSource: 'aws:sqs' }) as SQSRecord;
    const handler = batchHandler(deliveryTicket, (read) => deliver(tools, read));

    state.answer = { statusCode: 500 };
    tools.database = { ...database, tables: { ...database.tables, attempts: 'no-such-table' } };
    // A throw slows the poller: https://github.com/aws-powertools/powertools-lambda-typescript/issues/2122
    expect(await handler({ Records: [record('a')] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'a' }],
    });
    expect(await row(key)).toMatchObject({ status: 'pending', attempts: 0 });

    state.answer = { statusCode: 204 };
    tools.database = database;
    state.now += 3 * minute;
    expect(await handler({ Records: [record('b')] })).toEqual({ batchItemFailures: [] });
    expect(posted()).toEqual([key.eventId, key.eventId]);
    expect(new Set(state.posts.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(2);
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await listAttempts(database, await row(key))).toHaveLength(1);
  });
});

describe('a retry', () => {
  // https://github.com/svix/svix-webhooks/issues/93 and https://github.com/hookdeck/outpost/commit/b7279410
  it('a day later is still accepted by the standard library', async () => {
    const { state, dispatchedEvent, drain, sweep, endpoint } = await anEndpoint(tables, { now: Date.now() - day });
    state.answer = { statusCode: 503, retryAfter: '86400' };
    await dispatchedEvent();
    await drain();
    state.now += day;
    await sweep();
    await drain();
    const [first, late] = state.posts;
    const { signingSecret } = await endpoint();
    const verify = (post: Received | undefined) =>
      new Webhook(signingSecret).verify(post?.body ?? '', { ...post?.headers });
    expect(late?.headers['webhook-timestamp']).toMatch(/^\d{10}$/);
    expect(() => verify(late)).not.toThrow();
    expect(() => verify(first)).toThrow('Message timestamp too old');
  });

  // https://github.com/hookdeck/outpost/issues/662 and /issues/670: manual and scheduled retries interfered.
  it('by hand replaces the one that was waiting', async () => {
    const { state, tools, practiceId, dispatchedEvent, drain, row } = await anEndpoint(tables);
    state.answer = { statusCode: 500 };
    const key = await dispatchedEvent();
    await drain();
    state.answer = { statusCode: 204 };
    await resendEvent(tools, { author, practiceId, ...key }, state.now);
    await drain();
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 2 });
    state.now += 5 * second;
    await drain();
    expect(state.posts, 'the waiting ticket is stale').toHaveLength(2);
    expect(state.tickets).toEqual([]);

    await resendEvent(tools, { author, practiceId, ...key }, state.now);
    await drain();
    expect(state.posts, 'also after a success').toHaveLength(3);
  });
});

describe('two endpoints of one practice', () => {
  // https://github.com/hookdeck/outpost/issues/609: retries to two destinations shared an id.
  it('are retried separately', async () => {
    const { state, endpointId: sound, addEndpoint, dispatchedEvent, drain, row, posted } = await anEndpoint(tables);
    const broken = await addEndpoint();
    state.answer = ({ endpointId }) => ({ statusCode: endpointId === broken ? 500 : 204 });
    const { eventId } = await dispatchedEvent();
    await drain();
    state.now += 5 * second;
    await drain();
    expect(state.posts.map(({ endpointId }) => endpointId).sort()).toEqual([broken, broken, sound].sort());
    expect(await row({ eventId, endpointId: sound })).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await row({ eventId, endpointId: broken })).toMatchObject({ status: 'pending', attempts: 2 });
    expect(new Set(posted())).toEqual(new Set([eventId]));
  });

  // https://github.com/hookdeck/outpost/issues/64: a duplicate message was delivered twice.
  it('get one POST each, however often the event is published and its tickets arrive', async () => {
    const { state, endpointId, addEndpoint, outboxEvent, dispatch, drain } = await anEndpoint(tables);
    const other = await addEndpoint();
    const eventId = await outboxEvent();
    await Promise.all([dispatch(eventId), dispatch(eventId), dispatch(eventId)]);
    state.tickets.push(...state.tickets);
    await drain();
    expect(state.posts.map((post) => post.endpointId).sort()).toEqual([endpointId, other].sort());
    await dispatch(eventId);
    expect(state.tickets, 'an event that was dispatched').toEqual([]);
  });

  // https://github.com/hookdeck/outpost/issues/967: one tenant's failures counted against another.
  it('fail separately: the owner hears which one is disabled', async () => {
    const { state, tools, practiceId, addEndpoint, dispatchedEvent, drain, endpoint } = await anEndpoint(tables);
    const broken = await addEndpoint();
    const notified: unknown[] = [];
    tools.notifyOwner = async (type, owned) => void notified.push([type, owned.practiceId, owned.endpointId]);
    state.answer = ({ endpointId }) => ({ statusCode: endpointId === broken ? 410 : 204 });
    await dispatchedEvent();
    await drain();
    expect(notified).toEqual([['webhook.endpoint.disabled', practiceId, broken]]);
    expect(await endpoint()).toMatchObject({ status: 'enabled' });
  });
});

describe("a receiver's failure", () => {
  // https://github.com/hookdeck/outpost/issues/571, /issues/600 and /issues/828: customers' failures paged the operator.
  it.each<Partial<PostResult>>([
    { statusCode: 200 },
    { statusCode: 301 },
    { statusCode: 304 },
    { statusCode: 400 },
    { statusCode: 404 },
    { statusCode: 410 },
    { statusCode: 429, retryAfter: 'x' },
    { statusCode: 500 },
    { statusCode: 799 },
    { error: 'timeout' },
    { error: 'network_error' },
    { error: 'blocked_address' },
    { statusCode: 200, responseExcerpt: '\ufffd\u0000'.repeat(8192), responseTruncated: true },
  ])('is recorded, not thrown: %j', async (answer) => {
    const { state, dispatchedEvent, drain, row } = await anEndpoint(tables);
    state.answer = answer;
    const key = await dispatchedEvent();
    await drain();
    expect(await row(key)).toMatchObject({ attempts: 1 });
    const { retryAfter: _, ...recorded } = answer;
    expect(await listAttempts(database, await row(key))).toMatchObject([{ attemptNumber: 1, ...recorded }]);
  });

  // https://github.com/hookdeck/outpost/issues/596: endpoints with nobody to notify stayed enabled.
  it('disables its endpoint with the next answer if its owner could not be notified at first', async () => {
    const { state, tools, dispatchedEvent, drain, endpoint } = await anEndpoint(tables);
    const { notifyOwner } = tools;
    state.answer = { statusCode: 410 };
    tools.notifyOwner = async () => {
      throw new Error('the bus is down');
    };
    await dispatchedEvent();
    await expect(drain()).rejects.toThrow('the bus is down');
    tools.notifyOwner = notifyOwner;
    await dispatchedEvent();
    await drain();
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  });
});
