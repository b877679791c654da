import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliveryTicket, type DeliveryTicket } from '../../functions/contract/tickets.ts';
import { sessionEventId } from '../../functions/domain/event.ts';
import { ulid } from '../../functions/domain/identifier.ts';
import { generateSigningSecret } from '../../functions/domain/webhook-signature.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { getDelivery } from '../../functions/store/deliveries.ts';
import { listAttempts } from '../../functions/store/delivery-log.ts';
import { insertSession } from '../../functions/store/sessions.ts';
import { writeExpiry } from '../../functions/store/transitions.ts';
import { createWebhookEndpoint } from '../../functions/store/webhook-endpoints.ts';
import { sweep } from '../../functions/sweep/sweep.ts';
import { deliver } from '../../functions/webhooks/deliver.ts';
import { dispatchEvent } from '../../functions/webhooks/dispatch.ts';
import type { Post, PostResult } from '../../functions/webhooks/post.ts';
import { aSession } from '../support/examples.ts';
import { startTestTables } from '../support/test-tables.ts';
import { dueOutcomes } from '../../functions/store/sandbox-debits.ts';

const tables = await startTestTables();
afterEach(() => void vi.useRealTimers());

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
/** What the docs promise, in seconds between one attempt and the next. */
const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

interface Sent extends Post {
  readonly at: number;
}

/**
 * One event and one endpoint, from dispatch to the end of the delivery, on a clock that stands still but for this: it goes on to the next
 * ticket, or to the next whole minute, when the sweep runs. The server takes `answerTime` to answer as it is told.
 */
async function attemptsOf({
  random = 0,
  answerTime = 0,
  answer,
}: {
  random?: number;
  answerTime?: number;
  answer: (attempt: number, now: number) => Partial<PostResult>;
}) {
  const startedAt = Math.ceil(Date.now() / minute) * minute;
  const [practiceId, endpointId, signingSecret] = [
    `prc_${ulid(startedAt, randomBytes)}`,
    `whe_${ulid(startedAt, randomBytes)}`,
    generateSigningSecret(randomBytes),
  ];
  const session = aSession({
    sessionId: `ses_${ulid(startedAt, randomBytes)}`,
    practiceId,
    expiresAt: new Date(startedAt).toISOString(),
  });
  await insertSession(tables.database, session, undefined, startedAt);
  await writeExpiry(tables.database, session);
  await createWebhookEndpoint(tables.database, {
    practiceId,
    endpointId,
    url: 'https://hooks.example.com/',
    status: 'enabled',
    signingSecret,
    createdAt: new Date(startedAt).toISOString(),
  });

  const key = { eventId: sessionEventId(session.sessionId, 1), endpointId };
  const state = { now: startedAt };
  const queue: { ticket: DeliveryTicket; at: number }[] = [];
  const delays: number[] = [];
  const sent: Sent[] = [];
  const database = tables.database;
  const sendDeliveries = async (tickets: readonly Ticket[]) => {
    for (const { body, delay = 0 } of tickets.filter(({ groupId }) => groupId === endpointId)) {
      delays.push(delay);
      queue.push({ ticket: deliveryTicket.parse(body), at: state.now + delay });
    }
  };
  const post = async (made: Post) => {
    sent.push({ ...made, at: state.now });
    state.now += answerTime;
    return { responseTruncated: false, ...answer(sent.length, state.now) };
  };
  const others = async () => undefined;

  await dispatchEvent({ database, sendDeliveries }, { eventId: key.eventId }, state.now);
  for (let row = await getDelivery(database, key); row?.status === 'pending'; row = await getDelivery(database, key)) {
    const [next] = queue.splice(0, 1);
    if (next) {
      state.now = Math.max(state.now, next.at);
      await deliver(
        {
          database,
          full: new Map(),
          clock: () => state.now,
          random: () => random,
          sendDeliveries,
          tellOwner: others,
          post,
        },
        next.ticket,
      );
    } else {
      // Past minutes in which there is nothing to do.
      state.now = Math.max(
        Math.floor(state.now / minute + 1) * minute,
        Math.ceil(Date.parse(row.dueAt ?? '') / minute) * minute,
      );
      await sweep({
        database,
        publish: async (events) => events.map(() => true),
        sendDebits: others,
        outcomes: { rows: dueOutcomes(database), sendSettlements: others },
        sendDeliveries,
        clock: () => state.now,
      });
    }
    if (state.now > startedAt + 14 * day) throw new Error('the delivery does not end');
  }
  return {
    sent,
    delays,
    signingSecret,
    startedAt,
    answeredAt: sent.map(({ at }) => at + answerTime),
    attempts: await listAttempts(database, key),
    row: await getDelivery(database, key),
  };
}

describe('the ten attempts', () => {
  // https://github.com/frain-dev/convoy/issues/2110: an attempt was followed by the wait of the one before.
  // https://github.com/svix/svix-webhooks/issues/93: a retry came with the timestamp and signature of the first attempt.
  it.each([
    ['the least jitter and a server that answers at once', 0, 0],
    ['half the jitter and a server that takes 3 s', 0.5, 3000],
    ['the most jitter and a server that takes 15 s', 1 - Number.EPSILON, 15_000],
  ])('come at their times with %s, each with a timestamp and signature of its own', async (_, random, answerTime) => {
    const { sent, delays, signingSecret, startedAt, answeredAt, attempts, row } = await attemptsOf({
      random,
      answerTime,
      answer: () => ({ statusCode: 500 }),
    });
    expect(row).toMatchObject({ status: 'failed', attempts: 10 });
    expect(attempts.map(({ attemptNumber, startedAt: at }) => [attemptNumber, at])).toEqual(
      sent.map(({ at }, index) => [index + 1, new Date(at).toISOString()]),
    );
    expect(sent).toHaveLength(10);
    expect(sent[0]?.at).toBe(startedAt);

    for (const [index, wait] of waits.entries()) {
      const jitter = Math.floor(random * Math.min(Math.max(2 * second, wait * 100), 15 * minute));
      const waited = (sent[index + 1]?.at ?? 0) - (answeredAt[index] ?? 0);
      // Never early; by a ticket exactly then, by the sweep within the minute after.
      const late = waited - (wait * second + jitter);
      expect(late, `after attempt ${index + 1}`).toBeGreaterThanOrEqual(0);
      expect(late, `after attempt ${index + 1}`).toBeLessThan(wait <= 900 ? 1 : minute);
    }
    const span = (sent[9]?.at ?? 0) - startedAt;
    expect(span).toBeGreaterThanOrEqual(75 * hour + 35 * minute + 5 * second);
    expect(span).toBeLessThan(77 * hour + 20 * minute);
    // SQS holds nothing back for more than 15 minutes.
    expect(Math.max(...delays)).toBeLessThanOrEqual(900 * second);

    const [first] = sent;
    for (const { at, headers, body } of sent) {
      expect(headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(body).toBe(first?.body);
      expect(headers['webhook-timestamp']).toBe(String(Math.floor(at / second)));
      vi.useFakeTimers({ now: at, toFake: ['Date'] });
      expect(() => new Webhook(signingSecret).verify(body, { ...headers })).not.toThrow();
      vi.useRealTimers();
    }
    expect(new Set(sent.map(({ headers }) => headers['webhook-signature'])).size).toBe(10);
  });

  // https://github.com/hook0/hook0 (honoring_retry_after_only_ever_delays in main.rs) and https://github.com/svix/svix-webhooks (test_retry_after in worker.rs).
  it.each<[string, Partial<PostResult> | ((now: number) => Partial<PostResult>), number]>([
    ['seconds after 503', { statusCode: 503, retryAfter: '600' }, 600 * second],
    ['seconds after 429', { statusCode: 429, retryAfter: '600' }, 600 * second],
    ['a date after 503', (now) => ({ statusCode: 503, retryAfter: new Date(now + 2 * hour).toUTCString() }), 2 * hour],
    ['a date after 429', (now) => ({ statusCode: 429, retryAfter: new Date(now + 2 * hour).toUTCString() }), 2 * hour],
    ['more than a day, which is cut to a day', { statusCode: 503, retryAfter: '1000000000' }, day],
    [
      'a date of next year, which is cut to a day',
      (now) => ({ statusCode: 503, retryAfter: new Date(now + 365 * day).toUTCString() }),
      day,
    ],
    ['less than the schedule', { statusCode: 429, retryAfter: '1' }, 5 * second],
    ['a date that is past', (now) => ({ statusCode: 503, retryAfter: new Date(now - hour).toUTCString() }), 5 * second],
    ['nonsense', { statusCode: 503, retryAfter: 'in a while' }, 5 * second],
    ['anything after another status', { statusCode: 500, retryAfter: '600' }, 5 * second],
  ])('wait as Retry-After asks by %s, and each still counts', async (_, answer, wait) => {
    const { sent, row, delays } = await attemptsOf({
      answer: (attempt, now) =>
        attempt > 1 ? { statusCode: 204 } : typeof answer === 'function' ? answer(now) : answer,
    });
    const late = (sent[1]?.at ?? 0) - (sent[0]?.at ?? 0) - wait;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(wait <= 900 * second ? 1 : minute + 1);
    expect(row).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(Math.max(...delays)).toBeLessThanOrEqual(900 * second);
  });
});
