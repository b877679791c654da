import { describe, expect, it } from 'vitest';
import {
  blockOf,
  limitHeader,
  policyHeader,
  quotaOf,
  windowEnd,
  rateLimiter,
  storedRateLimits,
  type RateLimiter,
  type RateLimitStore,
} from '../../functions/http/rate-limiter.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T15:00:03.500Z');
const [second, minute] = [1_000, 60_000];

let practices = 0;
const aPractice = () => `prc_${(practices += 1)}`;

/** The table's counter, with its own limit. */
function storeOf(rateLimit: number | undefined, differences: Partial<RateLimitStore> = {}) {
  const asked = { limits: 0, tokens: 0 };
  const table = storedRateLimits(database);
  const store: RateLimitStore = {
    readLimit: async () => {
      asked.limits += 1;
      return rateLimit;
    },
    reserveTokens: async (request) => {
      asked.tokens += 1;
      return table.reserveTokens(request);
    },
    ...differences,
  };
  return { store, asked };
}

async function told(limit: RateLimiter, practiceId: string, at: number) {
  const headers: Record<string, string> = {};
  const problem = await limit(practiceId, at, headers).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { problem, headers };
}

async function admitted(limit: RateLimiter, practiceId: string, requests: number, at = now): Promise<number> {
  let count = 0;
  for (let sent = 0; sent < requests; sent += 1)
    if ((await told(limit, practiceId, at)).problem === undefined) count += 1;
  return count;
}

describe('the limit of a practice', () => {
  it('costs one write in 20 requests, and one read of the limit', async () => {
    const { store, asked } = storeOf(undefined);
    const limit = rateLimiter(store);
    const practiceId = aPractice();
    expect(await admitted(limit, practiceId, 20)).toBe(20);
    expect(asked).toEqual({ limits: 1, tokens: 1 });
    expect(await admitted(limit, practiceId, 1)).toBe(1);
    expect(asked).toEqual({ limits: 1, tokens: 2 });
  });

  it('is in the headers, with what is left of it', async () => {
    const limit = rateLimiter(storeOf(undefined).store);
    const practiceId = aPractice();
    expect(await told(limit, practiceId, now)).toEqual({
      problem: undefined,
      headers: { 'ratelimit-policy': '"practice";q=1000;w=10', ratelimit: '"practice";r=999;t=7' },
    });
    const other = rateLimiter(storeOf(undefined).store);
    expect((await told(other, practiceId, now + second)).headers['ratelimit']).toBe('"practice";r=979;t=6');
  });

  it('is 1,000 requests in 10 seconds, then 429 until the window ends, without another write', async () => {
    const { store, asked } = storeOf(undefined);
    const limit = rateLimiter(store);
    const practiceId = aPractice();
    expect(await admitted(limit, practiceId, 1_100)).toBe(1_000);
    expect(asked.tokens).toBe(50);
    const { problem, headers } = await told(limit, practiceId, now);
    expect(problem).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '7' } });
    expect(headers['ratelimit']).toBe('"practice";r=0;t=7');
    expect(await admitted(limit, practiceId, 1, windowEnd(now) - 1)).toBe(0);
    expect(await admitted(limit, practiceId, 1, windowEnd(now))).toBe(1);
  });

  it('keeps what is left of a block for later windows', async () => {
    const { store, asked } = storeOf(undefined);
    const limit = rateLimiter(store);
    const practiceId = aPractice();
    for (let minutes = 0; minutes < 20; minutes += 1)
      expect(await admitted(limit, practiceId, 1, now + minutes * minute)).toBe(1);
    expect(asked.tokens).toBe(1);
  });

  it.each([1, 7, 10, 100])(
    'of %i a second holds for concurrent environments, give or take a block of each',
    async (rate) => {
      const practiceId = aPractice();
      const quota = quotaOf(rate);
      const environments = Array.from({ length: 4 }, () => rateLimiter(storeOf(rate).store));
      const first = await Promise.all(environments.map((limit) => admitted(limit, practiceId, 3)));
      const raced = await Promise.all(environments.map((limit) => admitted(limit, practiceId, quota)));
      expect([...first, ...raced].reduce((sum, count) => sum + count)).toBe(quota);
      // Tokens left from the previous window come on top.
      const kept = rateLimiter(storeOf(rate).store);
      expect(await admitted(kept, practiceId, 1, now + minute)).toBe(1);
      const next = await Promise.all(
        [kept, ...environments].map((limit) => admitted(limit, practiceId, quota, now + 2 * minute)),
      );
      const sum = next.reduce((total, count) => total + count);
      expect(sum).toBeGreaterThanOrEqual(quota);
      expect(sum).toBeLessThanOrEqual(quota + 20);
    },
  );

  it('does not affect another practice', async () => {
    const limit = rateLimiter(storeOf(1).store);
    const flooding = aPractice();
    expect(await admitted(limit, flooding, 50)).toBe(10);
    expect(await admitted(limit, aPractice(), 5)).toBe(5);
  });

  it('is read again after a minute', async () => {
    const limits = [1, 2];
    const limit = rateLimiter(storeOf(undefined, { readLimit: async () => limits.shift() }).store);
    const practiceId = aPractice();
    expect(await admitted(limit, practiceId, 30)).toBe(10);
    expect(await admitted(limit, practiceId, 30, now + minute / 2)).toBe(10);
    expect(await admitted(limit, practiceId, 30, now + minute)).toBe(20);
  });
});

describe('a limiter that fails', () => {
  it.each([
    ['refuses', () => Promise.reject(new Error('throttled'))],
    ['is silent', () => new Promise<never>(() => {})],
  ])('because its table %s admits requests, and asks again only after a second', async (_, reserveTokens) => {
    const { store } = storeOf(undefined);
    let failing = true;
    let asked = 0;
    const limit = rateLimiter({
      ...store,
      reserveTokens: (request) => {
        asked += 1;
        return failing ? reserveTokens() : store.reserveTokens(request);
      },
    });
    const practiceId = aPractice();
    const { problem, headers } = await told(limit, practiceId, now);
    expect(problem).toBeUndefined();
    expect(headers).toEqual({ 'ratelimit-policy': '"practice";q=1000;w=10' });
    expect(await admitted(limit, practiceId, 30, now + second - 1)).toBe(30);
    expect(asked).toBe(1);
    failing = false;
    expect((await told(limit, practiceId, now + second)).headers['ratelimit']).toBe('"practice";r=999;t=6');
  });
});

it('a refusal is a problem that says how long to wait', async () => {
  const limit = rateLimiter(storeOf(1).store);
  const practiceId = aPractice();
  await admitted(limit, practiceId, 10);
  expect(await problemOf(limit(practiceId, now, {}))).toMatchObject({ code: 'rate_limited' });
});

describe('the rate limit', () => {
  it('admits ten seconds of requests in each ten seconds', () => {
    expect(quotaOf(100)).toBe(1000);
    expect(policyHeader(1000)).toBe('"practice";q=1000;w=10');
    expect(limitHeader(3, 7)).toBe('"practice";r=3;t=7');
    const start = Date.parse('2026-11-20T15:00:00.000Z');
    expect([0, 1, 9_999, 10_000].map((after) => windowEnd(start + after) - start)).toEqual([
      10_000, 10_000, 10_000, 20_000,
    ]);
  });

  it('gives an environment a fiftieth of it at once, from 1 to 20 requests', () => {
    expect([10, 99, 100, 500, 1000, 9000].map(blockOf)).toEqual([1, 1, 2, 10, 20, 20]);
  });
});
