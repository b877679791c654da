import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { day, hour, minute, second, toIso } from '../../functions/domain/time.ts';
import { listAttempts } from '../../functions/store/webhooks/delivery-log.ts';
import type { PostResult } from '../../functions/webhooks/post.ts';
import { startTestTables } from '../support/tables.ts';
import { anEndpoint } from '../support/webhook-endpoint.ts';

const tables = await startTestTables();
afterEach(() => void vi.useRealTimers());

const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** The clock jumps to the next ticket or, if there is none, to the sweep. */
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
  const made = await anEndpoint(tables, { now: startedAt });
  const { state, tools, row, drain, sweep } = made;
  const delays: number[] = [];
  const { sendDeliveries } = tools;
  tools.random = () => random;
  tools.sendDeliveries = async (tickets) => {
    delays.push(...tickets.map(({ delay = 0 }) => delay));
    await sendDeliveries(tickets);
  };
  state.answer = () => {
    state.now += answerTime;
    return answer(state.posts.length, state.now);
  };

  const key = await made.dispatchedEvent();
  await drain();
  for (let delivery = await row(key); delivery.status === 'pending'; delivery = await row(key)) {
    if (state.now > startedAt + 14 * day) throw new Error('the delivery does not end');
    if (state.tickets.length > 0) {
      state.now = Math.max(state.now, made.nextReadyAt());
      await drain();
    } else {
      const nextMinute = Math.floor(state.now / minute + 1) * minute;
      state.now = Math.max(nextMinute, Math.ceil(Date.parse(delivery.dueAt ?? '') / minute) * minute);
      await sweep();
    }
  }
  return {
    posts: state.posts,
    delays,
    startedAt,
    answeredAt: state.posts.map(({ at }) => at + answerTime),
    attempts: await listAttempts(tables.database, await row(key)),
    row: await row(key),
    signingSecret: (await made.endpoint()).signingSecret,
  };
}

describe('the ten attempts', () => {
  // https://github.com/frain-dev/convoy/issues/2110 and https://github.com/svix/svix-webhooks/issues/93
  it.each([
    ['the least jitter and a server that answers at once', 0, 0],
    ['half the jitter and a server that takes 3 s', 0.5, 3000],
    ['the most jitter and a server that takes 15 s', 1 - Number.EPSILON, 15_000],
  ])('come on time with %s, each with its own timestamp and signature', async (_, random, answerTime) => {
    const { posts, delays, signingSecret, startedAt, answeredAt, attempts, row } = await attemptsOf({
      random,
      answerTime,
      answer: () => ({ statusCode: 500 }),
    });
    expect(row).toMatchObject({ status: 'failed', attempts: 10 });
    expect(attempts.map(({ attemptNumber, startedAt: at }) => [attemptNumber, at])).toEqual(
      posts.map(({ at }, index) => [index + 1, toIso(at)]),
    );
    expect(posts).toHaveLength(10);
    expect(posts[0]?.at).toBe(startedAt);

    for (const [index, wait] of waits.entries()) {
      const jitter = Math.floor(random * Math.min(Math.max(2 * second, wait * 100), 15 * minute));
      const waited = (posts[index + 1]?.at ?? 0) - (answeredAt[index] ?? 0);
      // A ticket arrives on the millisecond, and the sweep within a minute.
      const late = waited - (wait * second + jitter);
      expect(late, `after attempt ${index + 1}`).toBeGreaterThanOrEqual(0);
      expect(late, `after attempt ${index + 1}`).toBeLessThan(wait <= 900 ? 1 : minute);
    }
    const span = (posts[9]?.at ?? 0) - startedAt;
    expect(span).toBeGreaterThanOrEqual(75 * hour + 35 * minute + 5 * second);
    expect(span).toBeLessThan(77 * hour + 20 * minute);
    expect(Math.max(...delays), 'the longest delay of SQS').toBeLessThanOrEqual(900 * second);

    const [first] = posts;
    for (const { at, headers, body } of posts) {
      expect(headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(body).toBe(first?.body);
      expect(headers['webhook-timestamp']).toBe(String(Math.floor(at / second)));
      vi.useFakeTimers({ now: at, toFake: ['Date'] });
      expect(() => new Webhook(signingSecret).verify(body, { ...headers })).not.toThrow();
      vi.useRealTimers();
    }
    expect(new Set(posts.map(({ headers }) => headers['webhook-signature'])).size).toBe(10);
  });
});

describe('Retry-After', () => {
  // Forms from https://github.com/hook0/hook0 (main.rs) and https://github.com/svix/svix-webhooks (worker.rs).
  it.each<[string, Partial<PostResult> | ((now: number) => Partial<PostResult>), number]>([
    ['in seconds after 503 is honored', { statusCode: 503, retryAfter: '600' }, 600 * second],
    ['in seconds after 429 is honored', { statusCode: 429, retryAfter: '600' }, 600 * second],
    [
      'as a date after 503 is honored',
      (now) => ({ statusCode: 503, retryAfter: new Date(now + 2 * hour).toUTCString() }),
      2 * hour,
    ],
    [
      'as a date after 429 is honored',
      (now) => ({ statusCode: 429, retryAfter: new Date(now + 2 * hour).toUTCString() }),
      2 * hour,
    ],
    ['of more than a day is cut to a day', { statusCode: 503, retryAfter: '1000000000' }, day],
    [
      'as a date next year is cut to a day',
      (now) => ({ statusCode: 503, retryAfter: new Date(now + 365 * day).toUTCString() }),
      day,
    ],
    ['shorter than the schedule is ignored', { statusCode: 429, retryAfter: '1' }, 5 * second],
    [
      'in the past is ignored',
      (now) => ({ statusCode: 503, retryAfter: new Date(now - hour).toUTCString() }),
      5 * second,
    ],
    ['that is not a time is ignored', { statusCode: 503, retryAfter: 'in a while' }, 5 * second],
    ['after another status is ignored', { statusCode: 500, retryAfter: '600' }, 5 * second],
  ])('%s, and the attempt counts', async (_, answer, wait) => {
    const { posts, row, delays } = await attemptsOf({
      answer: (attempt, now) =>
        attempt > 1 ? { statusCode: 204 } : typeof answer === 'function' ? answer(now) : answer,
    });
    const late = (posts[1]?.at ?? 0) - (posts[0]?.at ?? 0) - wait;
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(wait <= 900 * second ? 1 : minute + 1);
    expect(row).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(Math.max(...delays)).toBeLessThanOrEqual(900 * second);
  });
});
