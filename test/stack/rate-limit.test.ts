import { describe, expect, it } from 'vitest';
import { quotaOf, windowEnd } from '../../functions/http/rate-limiter.ts';
import { listKeys, revokeKey } from '../../functions/practices/keys.ts';
import { author, createPractice } from '../support/create-practice.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patience } from '../support/until.ts';
import { createPlatform, joinPlatform } from '../../functions/practices/platforms.ts';
import { reserveTokens } from '../../functions/store/practices/rate-limits.ts';
import { runCommand } from '../support/run-command.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

async function aPractice(rateLimit?: number) {
  const created = await createPractice(service.operated, { author, name: 'Hillside' }, Date.now());
  const { practiceId } = created;
  if (rateLimit !== undefined)
    await runCommand(service.operated, 'update', { practice: practiceId, rateLimit: String(rateLimit) });
  return created;
}

async function ask(apiKey: string, path = '/api/practice/sessions') {
  const { status, headers } = await checkedFetch(`${service.apiUrl}${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const told = (name: string) => headers.get(name);
  return { status, policy: told('ratelimit-policy'), limit: told('ratelimit'), retryAfter: told('retry-after') };
}

describe('every answer to a key', () => {
  it('has the limit and what is left of it, even if it is a problem', async () => {
    const { apiKey } = await aPractice();
    const first = await ask(apiKey);
    expect(first).toMatchObject({ status: 200, policy: '"practice";q=1000;w=10', retryAfter: null });
    expect(first.limit).toMatch(/^"practice";r=999;t=([1-9]|10)$/);
    const refused = await ask(apiKey, '/api/practice/sessions/ses_01KAG3ZQ8M0000000000000001/status');
    expect(refused).toMatchObject({ status: 404, policy: first.policy });
    expect(refused.limit).toMatch(/^"practice";r=\d+;t=\d+$/);
    // The key lacks the scope, but the request still counts.
    expect(await ask(apiKey, '/api/practice/webhook-endpoints')).toMatchObject({ status: 403, policy: first.policy });
  });

  it('that no longer works has no limit', async () => {
    const { apiKey, practiceId } = await aPractice();
    const [key] = (await listKeys(service.operated, { practiceId })).keys;
    await revokeKey(service.operated, { practiceId, keyId: key?.keyId ?? '', author }, Date.now());
    expect(await ask(apiKey)).toEqual({ status: 401, policy: null, limit: null, retryAfter: null });
  });
});

it('a practice that floods several functions gets its quota and then 429, and another one is not limited', async () => {
  const rate = 2;
  const { apiKey } = await aPractice(rate);
  const quiet = await aPractice();
  const paths = ['/api/practice/sessions', '/api/practice/events'];
  const start = Date.now();
  const [answers, others] = await Promise.all([
    Promise.all(Array.from({ length: 120 }, (_, each) => ask(apiKey, paths[each % paths.length]))),
    Promise.all(Array.from({ length: 10 }, () => ask(quiet.apiKey))),
  ]);
  const windows = (windowEnd(Date.now()) - windowEnd(start)) / 10_000 + 1;
  const admitted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(admitted.length + refused.length).toBe(120);
  expect(admitted.length).toBeGreaterThanOrEqual(Math.min(120, quotaOf(rate)));
  // With so small a quota, a block is one token. What a slow machine admits unchecked has no such header.
  const checked = admitted.filter(({ limit }) => limit !== null);
  expect(checked.length).toBeLessThanOrEqual(windows * quotaOf(rate));
  for (const { policy, limit, retryAfter } of refused) {
    expect(policy).toBe('"practice";q=20;w=10');
    expect(limit).toBe(`"practice";r=0;t=${retryAfter}`);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(Number(retryAfter)).toBeLessThanOrEqual(10);
  }
  expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
});

it("a request for a practice that is not the platform's counts for the platform, and for no practice", async () => {
  const { operated, apiUrl } = service;
  const { platformId, apiKey } = await createPlatform(operated, { author, name: 'Harbor' }, Date.now());
  const [own, foreign] = [await aPractice(), await aPractice()];
  await joinPlatform(operated, { practiceId: own.practiceId, platformId, author }, Date.now());
  const askFor = async (practiceId: string) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'practice-id': practiceId };
    const response = await checkedFetch(`${apiUrl}/api/practice/sessions`, { headers });
    return { status: response.status, limit: response.headers.get('ratelimit') };
  };
  const unused = expect.stringMatching(/^"practice";r=999;/);
  expect(await askFor(foreign.practiceId)).toEqual({ status: 404, limit: unused });
  const { database } = operated;
  const spend = async (end: number) =>
    reserveTokens(database, { practiceId: platformId, windowEnd: end, quota: 1000, block: 1000 });
  // Covers every window that this test can last.
  const end = windowEnd(Date.now());
  // A write that is repeated on a slow machine reports that its tokens may be taken already.
  await Promise.allSettled(Array.from({ length: patience / 10_000 + 1 }, (_, window) => spend(end + window * 10_000)));
  await expect.poll(async () => (await askFor('prc_none')).status, { timeout: patience }).toBe(429);
  expect(await askFor(own.practiceId)).toEqual({ status: 200, limit: unused });
  expect((await ask(foreign.apiKey)).limit).toEqual(unused);
});

it('only the operator changes a limit', async () => {
  const { practiceId } = await aPractice();
  const shown = () => runCommand(service.operated, 'show', { practice: practiceId });
  expect(await shown()).not.toHaveProperty('rateLimit');
  await runCommand(service.operated, 'update', { practice: practiceId, rateLimit: '250' });
  expect(await shown()).toHaveProperty('rateLimit', 250);
  const admin = await dashboardUser(service, { practiceId, role: 'admin' });
  expect(await admin.call('changeSettings', { practiceId }, { rateLimit: 9_999 })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
  expect(await shown()).toHaveProperty('rateLimit', 250);
});
