import { randomBytes } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context, SQSRecord } from 'aws-lambda';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { deliveryTicket, type DeliveryTicket } from '../../functions/contract/tickets.ts';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { generateSigningSecret } from '../../functions/domain/webhook-signature.ts';
import type { TellOwner } from '../../functions/messages/owner-events.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { ticketHandler } from '../../functions/messages/ticket-handler.ts';
import { getDelivery } from '../../functions/store/deliveries.ts';
import { listAttempts, reopenDelivery } from '../../functions/store/delivery-log.ts';
import { insertSession } from '../../functions/store/sessions.ts';
import { writeExpiry } from '../../functions/store/transitions.ts';
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  getWebhookEndpoint,
  rotateSigningSecret,
  turnWebhookOff,
  turnWebhookOn,
} from '../../functions/store/webhook-endpoints.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { deliver, type DeliveryTools } from '../../functions/webhooks/deliver.ts';
import { dispatchEvent } from '../../functions/webhooks/dispatch.ts';
import type { Post, PostResult } from '../../functions/webhooks/post.ts';
import { replayDeliveries } from '../../functions/webhooks/replay.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/test-tables.ts';
import { dueOutcomes } from '../../functions/store/sandbox-debits.ts';

// Each test is of a failure that another webhook service had; the address above it is that of the report.

const tables = await startTestTables();

const [second, minute, hour] = [1000, 60_000, 3_600_000];

/** A practice with endpoints whose servers answer as the test says, a clock that the test sets, and a queue that it empties. */
async function aPractice(endpointIds: readonly string[], startedAt = Date.now()) {
  const practiceId = `prc_${ulid(startedAt, randomBytes)}`;
  const secrets = new Map(endpointIds.map((endpointId) => [endpointId, generateSigningSecret(randomBytes)]));
  for (const [endpointId, signingSecret] of secrets) {
    await createWebhookEndpoint(tables.database, {
      practiceId,
      endpointId,
      url: `https://${endpointId}.example.com/`,
      status: 'enabled',
      signingSecret,
      createdAt: new Date(startedAt).toISOString(),
    });
  }
  const state = {
    now: startedAt,
    queueIsDown: false,
    tellOwner: (async () => undefined) as TellOwner,
    database: tables.database,
  };
  const answers = new Map<string, Partial<PostResult>>();
  const queue: { ticket: DeliveryTicket; at: number }[] = [];
  const posts: (Post & { endpointId: string })[] = [];
  const sendDeliveries = async (tickets: readonly Ticket[]) => {
    if (state.queueIsDown) throw new Error('the queue is down');
    queue.push(
      ...tickets.map(({ body, delay = 0 }) => ({ ticket: deliveryTicket.parse(body), at: state.now + delay })),
    );
  };
  const full = new Map<string, number>();
  const tools = (): DeliveryTools => ({
    database: state.database,
    full,
    clock: () => state.now,
    random: () => 0,
    tellOwner: (...told) => state.tellOwner(...told),
    sendDeliveries,
    post: async (post) => {
      const endpointId = new URL(post.url).hostname.split('.')[0] ?? '';
      posts.push({ ...post, endpointId });
      return { responseTruncated: false, ...(answers.get(endpointId) ?? { statusCode: 204 }) };
    },
  });
  return {
    practiceId,
    state,
    answers,
    queue,
    posts,
    secrets,
    work: (ticket: DeliveryTicket) => deliver(tools(), ticket),
    /** An event, not yet dispatched. */
    async happens() {
      const session = aSession({
        sessionId: `ses_${ulid(state.now, randomBytes)}`,
        practiceId,
        expiresAt: new Date(state.now).toISOString(),
      });
      await insertSession(tables.database, session, undefined, state.now);
      await writeExpiry(tables.database, session);
      return sessionEventId(session.sessionId, 1);
    },
    dispatch: (eventId: string) => dispatchEvent({ database: tables.database, sendDeliveries }, { eventId }, state.now),
    /** Works on every ticket whose time has come, also on those that come up meanwhile. */
    async drain() {
      for (
        let next = queue.findIndex(({ at }) => at <= state.now);
        next !== -1;
        next = queue.findIndex(({ at }) => at <= state.now)
      ) {
        for (const { ticket } of queue.splice(next, 1)) await deliver(tools(), ticket);
      }
    },
    /** What the minute's sweep does, as far as this practice sees it. */
    async sweep() {
      const others = async () => undefined;
      await sweep({
        database: tables.database,
        publish: async (events) => {
          for (const event of events)
            if (event.practiceId === practiceId)
              await dispatchEvent({ database: tables.database, sendDeliveries }, { eventId: event.eventId }, state.now);
          return events.map(() => true);
        },
        sendDebits: others,
        outcomes: { rows: dueOutcomes(tables.database), sendSettlements: others },
        sendDeliveries: (tickets) => sendDeliveries(tickets.filter(({ groupId = '' }) => secrets.has(groupId))),
        clock: () => state.now,
      });
    },
    row: (eventId: string, endpointId: string) => getDelivery(tables.database, { eventId, endpointId }),
  };
}

const endpointName = () => `whe-${randomBytes(6).toString('hex')}`;

async function oneEndpoint(startedAt?: number) {
  const endpointId = endpointName();
  const practice = await aPractice([endpointId], startedAt);
  return { ...practice, endpointId };
}

describe('lost work', () => {
  // https://github.com/LanternOps/breeze/issues/4095 and https://github.com/frain-dev/convoy/issues/1977: it stayed lost.
  it('is made up for within two minutes where the queue fails between an attempt and its next ticket', async () => {
    const { state, happens, dispatch, drain, sweep: sweeps, answers, endpointId, row, posts } = await oneEndpoint();
    const eventId = await happens();
    await dispatch(eventId);
    answers.set(endpointId, { statusCode: 500 });
    state.queueIsDown = true;
    await expect(drain()).rejects.toThrow('the queue is down');
    expect(await row(eventId, endpointId), 'the attempt is not lost').toMatchObject({ status: 'pending', attempts: 1 });

    state.queueIsDown = false;
    answers.delete(endpointId);
    state.now += 5 * second + 2 * minute - 1;
    await sweeps();
    await drain();
    expect(posts).toHaveLength(1);
    state.now += 1;
    await sweeps();
    await drain();
    expect(posts).toHaveLength(2);
    expect(await row(eventId, endpointId)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('is made up for within two minutes where a dispatch dies between its rows and their tickets', async () => {
    const { state, happens, dispatch, drain, sweep: sweeps, endpointId, row, posts } = await oneEndpoint();
    const eventId = await happens();
    state.queueIsDown = true;
    await expect(dispatch(eventId)).rejects.toThrow('the queue is down');
    state.queueIsDown = false;
    state.now += 2 * minute;
    await sweeps();
    await drain();
    expect(posts.map(({ headers }) => headers['webhook-id'])).toEqual([eventId]);
    expect(await row(eventId, endpointId)).toMatchObject({ status: 'delivered' });
  });

  // https://github.com/svix/svix-webhooks/issues/1844 and https://github.com/Vexa-ai/vexa/issues/520: what should bring it back was lost with it.
  it('is all made up for when everything in the queue is gone, each delivery by one POST', async () => {
    const { state, happens, dispatch, drain, sweep: sweeps, queue, endpointId, row, posts } = await oneEndpoint();
    const events = await Promise.all(Array.from({ length: 25 }, happens));
    for (const eventId of events) await dispatch(eventId);
    expect(queue).toHaveLength(25);
    queue.length = 0;
    state.now += 2 * minute;
    await sweeps();
    await sweeps();
    await drain();
    expect(posts.map(({ headers }) => headers['webhook-id']).sort()).toEqual(events.sort());
    for (const eventId of events) expect(await row(eventId, endpointId)).toMatchObject({ status: 'delivered' });
  });

  // https://github.com/hookdeck/outpost/issues/1000, /issues/998 and /issues/663: the message was acknowledged, the record of its attempt lost, and the retry looped for ever.
  it('stays in the queue where its attempt cannot be recorded, and is sent again under its id', async () => {
    const { state, happens, dispatch, queue, work, endpointId, row, posts } = await oneEndpoint();
    const eventId = await happens();
    await dispatch(eventId);
    const [first] = queue.splice(0);
    state.database = { ...tables.database, tables: { ...tables.database.tables, attempts: 'no-such-table' } };
    const record = (messageId: string): SQSRecord => ({
      messageId,
      body: JSON.stringify(first?.ticket),
      receiptHandle: '',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '',
        SenderId: '',
        ApproximateFirstReceiveTimestamp: '',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: '',
      awsRegion: '',
    });
    const handler = ticketHandler(deliveryTicket, work);
    // https://github.com/aws-powertools/powertools-lambda-typescript/issues/2122: a batch that failed as a whole was thrown, which slows the poller down.
    expect(await handler({ Records: [record('a')] }, {} as Context)).toEqual({
      batchItemFailures: [{ itemIdentifier: 'a' }],
    });
    expect(await row(eventId, endpointId)).toMatchObject({ status: 'pending', attempts: 0 });

    state.database = tables.database;
    state.now += 3 * minute;
    expect(await handler({ Records: [record('b')] }, {} as Context)).toEqual({ batchItemFailures: [] });
    expect(posts.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(new Set(posts.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(2);
    expect(await row(eventId, endpointId)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await listAttempts(tables.database, { eventId, endpointId })).toHaveLength(1);
  });
});

describe('two endpoints of one practice', () => {
  // https://github.com/hookdeck/outpost/issues/609: the retries of one event to two destinations had one id.
  it('keep their attempts apart: the one that fails is tried again, the other is left alone', async () => {
    const [sound, broken] = [endpointName(), endpointName()];
    const { state, happens, dispatch, drain, answers, posts, row } = await aPractice([sound, broken]);
    answers.set(broken, { statusCode: 500 });
    const eventId = await happens();
    await dispatch(eventId);
    await drain();
    state.now += 5 * second;
    await drain();
    expect(posts.map(({ endpointId }) => endpointId).sort()).toEqual([broken, broken, sound].sort());
    expect(await row(eventId, sound)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await row(eventId, broken)).toMatchObject({ status: 'pending', attempts: 2 });
    expect(new Set(posts.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]));
  });

  // https://github.com/hookdeck/outpost/issues/64: a message that came twice was delivered twice.
  it('get one POST each, however often the event is published and its tickets come', async () => {
    const endpoints = [endpointName(), endpointName()];
    const { happens, dispatch, drain, queue, posts } = await aPractice(endpoints);
    const eventId = await happens();
    await Promise.all([dispatch(eventId), dispatch(eventId), dispatch(eventId)]);
    queue.push(...queue);
    await drain();
    expect(posts.map(({ endpointId }) => endpointId).sort()).toEqual(endpoints.sort());
  });

  // https://github.com/hookdeck/outpost/issues/967: what was remembered of one tenant's failures stood for another's.
  it('are told of apart: the owner hears of the practice and the endpoint that fails', async () => {
    const [sound, broken] = [endpointName(), endpointName()];
    const { practiceId, state, happens, dispatch, drain, answers } = await aPractice([sound, broken]);
    const told: unknown[] = [];
    state.tellOwner = async (type, endpoint) => void told.push([type, endpoint.practiceId, endpoint.endpointId]);
    answers.set(broken, { statusCode: 410 });
    await dispatch(await happens());
    await drain();
    expect(told).toEqual([['webhook.endpoint.disabled', practiceId, broken]]);
    expect(await getWebhookEndpoint(tables.database, practiceId, sound)).toMatchObject({ status: 'enabled' });
  });
});

describe('an endpoint that changes while tickets are under way', () => {
  // https://github.com/svix/svix-webhooks/issues/1511 and https://github.com/hookdeck/outpost/issues/59: a deleted one filled the dead letters.
  it('may be gone: its tickets end without a POST and without a fault', async () => {
    const { practiceId, happens, dispatch, drain, queue, posts, endpointId, row } = await oneEndpoint();
    const eventId = await happens();
    await dispatch(eventId);
    await tables.database.client.send(
      new DeleteCommand({ TableName: tables.database.tables.webhookEndpoints, Key: { practiceId, endpointId } }),
    );
    await drain();
    expect([posts, queue]).toEqual([[], []]);
    expect(await row(eventId, endpointId)).toMatchObject({ status: 'skipped' });
  });

  // https://github.com/frain-dev/convoy/issues/965 and /issues/1200: retries went on after it was turned off, or were lost.
  it('may be turned off: a waiting retry ends as skipped, and a replay sends it when it is on again', async () => {
    const {
      practiceId,
      state,
      happens,
      dispatch,
      drain,
      sweep: sweeps,
      answers,
      posts,
      endpointId,
      row,
    } = await oneEndpoint();
    answers.set(endpointId, { statusCode: 500 });
    const eventId = await happens();
    await dispatch(eventId);
    await drain();
    await turnWebhookOff(tables.database, { practiceId, endpointId }, Date.now());
    state.now += 5 * second;
    await drain();
    expect(await row(eventId, endpointId)).toMatchObject({ status: 'skipped', attempts: 1 });

    answers.delete(endpointId);
    await turnWebhookOn(tables.database, { practiceId, endpointId });
    expect(await replayDeliveries(tables, { practiceId, endpointId, since: 0 }, state.now)).toMatchObject({
      replayed: 1,
      more: false,
    });
    await sweeps();
    await drain();
    expect(posts.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(await row(eventId, endpointId)).toMatchObject({ status: 'delivered' });
  });

  // https://github.com/svix/svix-webhooks/issues/2227: the old URL and secret stayed in a cache.
  it('may move: the next attempt goes to its new URL under its new secret', async () => {
    const { practiceId, state, happens, dispatch, drain, answers, posts, endpointId } = await oneEndpoint();
    answers.set(endpointId, { statusCode: 500 });
    await dispatch(await happens());
    await drain();
    const signingSecret = generateSigningSecret(randomBytes);
    await changeWebhookEndpoint(tables.database, { practiceId, endpointId }, { url: 'https://moved.example.com/' });
    await rotateSigningSecret(tables.database, practiceId, endpointId, {
      signingSecret,
      previousSecretExpiresAt: new Date(state.now).toISOString(),
    });
    state.now += 5 * second;
    await drain();
    const [, moved] = posts;
    expect(moved?.url).toBe('https://moved.example.com/');
    expect(moved?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(() => new Webhook(signingSecret).verify(moved?.body ?? '', { ...moved?.headers })).not.toThrow();
  });

  // https://github.com/hookdeck/outpost/issues/951 and Svix's change log for 1.91: old secrets stayed, or went, at a rotation.
  it('may rotate twice in a row: the last two secrets sign, the first is dropped', async () => {
    const { practiceId, state, happens, dispatch, drain, posts, endpointId, secrets } = await oneEndpoint();
    const later = [generateSigningSecret(randomBytes), generateSigningSecret(randomBytes)];
    for (const signingSecret of later) {
      await rotateSigningSecret(tables.database, practiceId, endpointId, {
        signingSecret,
        previousSecretExpiresAt: new Date(state.now + 24 * hour).toISOString(),
      });
    }
    await dispatch(await happens());
    await drain();
    const verify = (secret: string) => new Webhook(secret).verify(posts[0]?.body ?? '', { ...posts[0]?.headers });
    for (const secret of later) expect(() => verify(secret)).not.toThrow();
    expect(() => verify(secrets.get(endpointId) ?? '')).toThrow('No matching signature found');
  });
});

describe('a retry', () => {
  // https://github.com/svix/svix-webhooks/issues/93: it came with the timestamp of the first attempt, which receivers refuse as a replay.
  // https://github.com/hookdeck/outpost/commit/b7279410: the timestamp was not in whole seconds.
  it('that comes a day late is still accepted by the standard library', async () => {
    const {
      state,
      happens,
      dispatch,
      drain,
      sweep: sweeps,
      answers,
      posts,
      endpointId,
      secrets,
    } = await oneEndpoint(Date.now() - 24 * hour);
    answers.set(endpointId, { statusCode: 503, retryAfter: '86400' });
    await dispatch(await happens());
    await drain();
    state.now += 24 * hour;
    await sweeps();
    await drain();
    const [first, late] = posts;
    const verify = (post: Post | undefined) =>
      new Webhook(secrets.get(endpointId) ?? '').verify(post?.body ?? '', { ...post?.headers });
    expect(late?.headers['webhook-timestamp']).toMatch(/^\d{10}$/);
    expect(() => verify(late)).not.toThrow();
    expect(() => verify(first)).toThrow('Message timestamp too old');
  });

  // https://github.com/hookdeck/outpost/issues/662 and /issues/670: a manual one and the one that was waiting got in each other's way.
  it('made by hand takes the place of the one that was waiting', async () => {
    const { state, happens, dispatch, drain, sweep: sweeps, answers, posts, endpointId, row } = await oneEndpoint();
    answers.set(endpointId, { statusCode: 500 });
    const eventId = await happens();
    await dispatch(eventId);
    await drain();
    answers.delete(endpointId);
    const waiting = await row(eventId, endpointId);
    if (!waiting) throw new Error('missing');
    expect(await reopenDelivery(tables.database, waiting, state.now)).toBe(true);
    await sweeps();
    await drain();
    expect(await row(eventId, endpointId)).toMatchObject({ status: 'delivered', attempts: 2 });
    state.now += 5 * second;
    await drain();
    expect(posts, 'the ticket that was under way is stale').toHaveLength(2);

    // And after a success, another one is made all the same.
    const delivered = await row(eventId, endpointId);
    if (!delivered) throw new Error('missing');
    expect(await reopenDelivery(tables.database, delivered, state.now)).toBe(true);
    await sweeps();
    await drain();
    expect(posts).toHaveLength(3);
  });
});

describe('a receiver at fault', () => {
  // https://github.com/hookdeck/outpost/issues/571, /issues/600 and /issues/828: the failures of customers woke the operator.
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
  ])('is none of ours: %j is recorded and nothing is thrown', async (answer) => {
    const { happens, dispatch, drain, answers, endpointId, row } = await oneEndpoint();
    answers.set(endpointId, answer);
    const eventId = await happens();
    await dispatch(eventId);
    await drain();
    expect(await row(eventId, endpointId)).toMatchObject({ attempts: 1 });
    const { retryAfter: _, ...recorded } = answer;
    expect(await listAttempts(tables.database, { eventId, endpointId })).toMatchObject([
      { attemptNumber: 1, ...recorded },
    ]);
  });

  // https://github.com/hookdeck/outpost/issues/596: an endpoint was only ever disabled where somebody was to be told.
  it('has its endpoint turned off although its owner cannot be told, with the next answer', async () => {
    const { practiceId, state, happens, dispatch, drain, answers, endpointId } = await oneEndpoint();
    answers.set(endpointId, { statusCode: 410 });
    state.tellOwner = async () => {
      throw new Error('the bus is down');
    };
    await dispatch(await happens());
    await expect(drain()).rejects.toThrow('the bus is down');
    state.tellOwner = async () => undefined;
    await dispatch(await happens());
    await drain();
    expect(await getWebhookEndpoint(tables.database, practiceId, endpointId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    });
  });
});

describe('a replay', () => {
  // https://github.com/svix/svix-webhooks: recovery.rs, whose pages mix two orders and may skip rows.
  it('stops at its limit and says so, and the next one goes on where it stopped', async () => {
    const { practiceId, state, happens, dispatch, endpointId } = await oneEndpoint();
    await turnWebhookOff(tables.database, { practiceId, endpointId }, Date.now());
    for (let count = 0; count < 5; count += 1) await dispatch(await happens());
    await turnWebhookOn(tables.database, { practiceId, endpointId });
    expect(await replayDeliveries(tables, { practiceId, endpointId, since: 0, limit: 3 }, state.now)).toMatchObject({
      replayed: 3,
      more: true,
    });
    expect(await replayDeliveries(tables, { practiceId, endpointId, since: 0, limit: 3 }, state.now)).toMatchObject({
      replayed: 2,
      more: false,
    });
  });
});
