import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { minute, second, toIso } from '../../functions/domain/time.ts';
import { generateSigningSecret } from '../../functions/domain/webhooks/webhook-signature.ts';
import { dueDeliveries, getDelivery, rescheduleDelivery } from '../../functions/store/webhooks/deliveries.ts';
import { listAttempts, reopenDelivery } from '../../functions/store/webhooks/delivery-log.ts';
import { getEvent } from '../../functions/store/webhooks/events.ts';
import { sessionEventBody } from '../../functions/domain/webhooks/event.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { attemptMetrics } from '../../functions/webhooks/attempt.ts';
import { countRequests } from '../support/answered-client.ts';
import { listDue } from '../support/put-all.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint, storeDelivery, storeEndpoint } from '../support/webhook-endpoint.ts';
import { aSession } from '../support/examples.ts';

const tables = await startTestTables();
const { database } = tables;

describe('delivering a webhook', () => {
  it('posts the stored body with a signature the standard library accepts, and records the attempt', async () => {
    const { state, event, attempt, row, endpoint } = await anEndpoint(tables);
    const key = await event();
    state.answer = { statusCode: 204, responseExcerpt: '' };
    await attempt(key, 1);
    const [post] = state.posts;
    const { signingSecret } = await endpoint();
    expect(post?.body).toBe((await getEvent(database, key.eventId))?.body);
    expect(() => new Webhook(signingSecret).verify(post?.body ?? '', { ...post?.headers })).not.toThrow();
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await row(key)).not.toHaveProperty('dueAt');
    expect(await listAttempts(database, await row(key))).toMatchObject([
      { attemptNumber: 1, statusCode: 204, durationMilliseconds: 0 },
    ]);
    expect(state.tickets).toEqual([]);
  });

  // https://github.com/frain-dev/convoy/issues/1833 and https://github.com/frain-dev/convoy/issues/1667
  it('makes ten attempts on schedule: by ticket after 5 s and 5 min, then by the sweep', async () => {
    const { state, practiceId, endpointId, event, attempt, row, posted } = await anEndpoint(tables);
    const key = await event();
    state.answer = { statusCode: 500 };
    for (const [index, wait] of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
      await attempt(key, index + 1);
      const nextAttemptAt = state.now + wait * second;
      expect(await row(key)).toMatchObject({
        status: 'pending',
        attempts: index + 1,
        nextAttemptAt: toIso(nextAttemptAt),
      });
      const tickets = state.tickets.splice(0);
      if (wait <= 900) {
        const body = { ...key, practiceId, attemptNumber: index + 2 };
        expect(tickets).toEqual([{ body, delay: wait * second, groupId: endpointId }]);
      } else {
        expect(tickets).toEqual([]);
        expect(await listDue(dueDeliveries(database), nextAttemptAt - 1, 100)).not.toContainEqual(key);
        expect(await listDue(dueDeliveries(database), nextAttemptAt, 100)).toContainEqual(key);
      }
      state.now = nextAttemptAt;
    }
    await attempt(key, 10);
    expect(await row(key)).toMatchObject({ status: 'failed', attempts: 10 });
    expect(posted()).toEqual(Array.from({ length: 10 }, () => key.eventId));
    expect(new Set(state.posts.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  });

  it('writes nothing about the endpoint if it works as before', async () => {
    const { tools, event, endpoint, attempt } = await anEndpoint(tables);
    await attempt(await event(), 1);
    const works = await endpoint();
    const { database: counting, requests } = countRequests(tools.database);
    await attempt(await event(), 1, { database: counting });
    // Its slot is reserved and freed.
    expect(requests()).toMatchObject({ webhookEndpoints: 2 });
    expect(await endpoint()).toEqual({ ...works, answeredAt: expect.any(String) });
  });

  it('skips a disabled endpoint without a POST', async () => {
    const { state, event, attempt, row } = await anEndpoint(tables, { status: 'disabled' });
    const key = await event('enabled');
    await attempt(key, 1);
    expect(state.posts).toEqual([]);
    expect(await row(key)).toMatchObject({ status: 'skipped', attempts: 0 });
  });

  it('disables an endpoint that answers 410', async () => {
    const { state, event, attempt, row, endpoint } = await anEndpoint(tables);
    const key = await event();
    state.answer = { statusCode: 410 };
    await attempt(key, 1);
    expect(await row(key)).toMatchObject({ status: 'failed' });
    expect(await endpoint()).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  });

  it('signs with both secrets after a rotation until the old one expires', async () => {
    const now = Date.now();
    const { state, event, attempts } = await anEndpoint(tables, {
      now,
      previousSigningSecret: generateSigningSecret(randomBytes),
      previousSecretExpiresAt: toIso(now + minute),
    });
    const key = await event();
    state.answer = { statusCode: 500 };
    await attempts(key, 1);
    state.now += 2 * minute;
    await attempts(key, 1);
    expect(state.posts.map(({ headers }) => headers['webhook-signature']?.split(' ').length)).toEqual([2, 1]);
  });
});

describe('an attempt', () => {
  // https://github.com/frain-dev/convoy/issues/2747 and https://github.com/hookdeck/outpost/issues/64
  it('is made once, however many workers get its ticket', async () => {
    const { state, event, attempt, drain } = await anEndpoint(tables);
    const key = await event();
    state.answer = { statusCode: 500 };
    await Promise.all([1, 2, 3, 4, 5].map(() => attempt(key, 1)));
    await attempt(key, 1);
    // A worker with a stale ticket may have held the only slot.
    state.now += second;
    await drain();
    expect(state.posts).toHaveLength(1);
  });

  // https://github.com/hookdeck/outpost/issues/151 and https://github.com/frain-dev/convoy/issues/1977
  it('is made again under the same id a minute after its worker died', async () => {
    const { state, event, attempt, row, posted } = await anEndpoint(tables);
    const key = await event();
    state.answer = () => Promise.reject(new Error('killed'));
    await expect(attempt(key, 1)).rejects.toThrow('killed');
    state.answer = { statusCode: 200 };
    await attempt(key, 1);
    expect(state.posts, 'the dead worker still holds the lease').toHaveLength(1);
    state.now += minute;
    await attempt(key, 1);
    expect(posted()).toEqual([key.eventId, key.eventId]);
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  // https://github.com/frain-dev/convoy/issues/2747: two workers sent one delivery.
  it('may be leased again from a worker that is too slow, whose result then changes nothing', async () => {
    const { state, event, attempt, row, endpoint } = await anEndpoint(tables);
    const key = await event();
    state.answer = async () => {
      state.now += 61 * second;
      state.answer = { statusCode: 204 };
      await attempt(key, 1);
      expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
      return { statusCode: 410 };
    };
    await attempt(key, 1);
    expect(state.posts).toHaveLength(2);
    expect(await row(key)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await listAttempts(database, await row(key))).toMatchObject([{ attemptNumber: 1, statusCode: 204 }]);
    expect(await endpoint()).toMatchObject({ status: 'enabled' });
    expect(await endpoint(), 'its slot is free').not.toHaveProperty('inFlight');
  });

  // https://github.com/hookdeck/outpost/issues/662: the manual retry and the current one both ran.
  it('keeps its delivery from being resent, during and after it, by a row read before it', async () => {
    const { state, event, attempt, row } = await anEndpoint(tables);
    const key = await event();
    const before = await row(key);
    let reopened: boolean | undefined;
    state.answer = async () => {
      reopened = await reopenDelivery(database, before, state.now);
      return { statusCode: 500 };
    };
    await attempt(key, 1);
    expect(reopened).toBe(false);
    expect(await reopenDelivery(database, before, state.now)).toBe(false);
    expect(await row(key)).toMatchObject({ status: 'pending', attempts: 1, attemptsBefore: 0 });
  });
});

async function aDelivery(status: 'enabled' | 'disabled' = 'enabled') {
  const now = Date.now();
  const key = await storeDelivery(database, await storeEndpoint(database), now, status);
  const body = sessionEventBody('session.payment.succeeded', aSession(), 'processing', toIso(now));
  const event = { ...(await getEvent(database, key.eventId))!, body };
  const row = async () => (await getDelivery(database, key))!;
  const measured = async (startedAt: number) =>
    Object.fromEntries(
      attemptMetrics(await row(), event, 'delivered', startedAt).map(({ metric, value }) => [metric, value]),
    );
  return { now, row, event, measured };
}

it('the time from an event to its POST is that of a first attempt, however late we are', async () => {
  const { event, measured } = await aDelivery();
  const created = Date.parse(event.createdAt);
  for (const late of [second, 3600 * second])
    expect(await measured(created + late)).toMatchObject({ CommitToPost: late, WebhookAttempts: 1 });
});

it('the time to the POST is not measured if the endpoint was full or its circuit open', async () => {
  const { now, row, measured } = await aDelivery();
  expect(await rescheduleDelivery(database, await row(), { nextAttemptAt: now + 30 * second, byTicket: true })).toBe(
    true,
  );
  expect(await measured(now + 30 * second)).not.toHaveProperty('CommitToPost');
});

it('the time to the POST is not measured for a replay of what was skipped', async () => {
  const { now, row, measured } = await aDelivery('disabled');
  expect(await reopenDelivery(database, await row(), now + 30 * second)).toBe(true);
  expect(await measured(now + 31 * second)).not.toHaveProperty('CommitToPost');
});

it('the time to the POST is not measured for a test event, which no payment waits for', async () => {
  const { row, event, now } = await aDelivery();
  const { sessionId: _, ...test } = event;
  const measured = attemptMetrics(await row(), test, 'delivered', now).map(({ metric }) => metric);
  expect(measured).not.toContain('CommitToPost');
});

it('the time to the POST is not measured for an expiration, which the sweep writes up to minutes after its time', async () => {
  const { row, now } = await aDelivery();
  const cancelled = (reason: 'expired' | 'requested_by_practice') =>
    aSession({ status: 'cancelled', cancelledAt: toIso(now), cancellation: { reason } });
  const metricsOf = async (session: Session) => {
    const body = sessionEventBody('session.payment.cancelled', session, 'pending', toIso(now));
    const event = { sessionId: session.sessionId, createdAt: toIso(now), body };
    return attemptMetrics(await row(), event, 'delivered', now + 90 * second).map(({ metric }) => metric);
  };
  expect(await metricsOf(cancelled('expired'))).not.toContain('CommitToPost');
  expect(await metricsOf(cancelled('requested_by_practice'))).toContain('CommitToPost');
});

it.each([
  ['delivered', 1],
  ['pending', 0],
  ['failed', 0],
] as const)('an attempt that ends as %s counts as %d webhooks delivered', async (status, value) => {
  const { row, event, now } = await aDelivery();
  expect(attemptMetrics(await row(), event, status, now)).toContainEqual({ metric: 'WebhooksDelivered', value });
});
