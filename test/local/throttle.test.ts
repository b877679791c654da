import { expect, it } from 'vitest';
import { createThrottle } from '../../lib/local/http-api.ts';

const limit = (rate: number, burst: number) => ({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst });

it('accepts a burst, then as many per second as the rate says', () => {
  let now = 0;
  const { accepts } = createThrottle({ RouteSettings: { 'GET /a': limit(10, 3) } }, () => now);
  const accepted = () => Array.from({ length: 20 }, () => accepts('GET /a')).filter(Boolean).length;
  expect(accepted()).toBe(3);
  now = 200;
  expect(accepted()).toBe(2);
  now = 60_000;
  expect(accepted(), 'never more than the burst').toBe(3);
});

it('gives each route with settings a bucket of its own, and accepts everything on all others', () => {
  const RouteSettings = { 'GET /a': limit(1, 1), 'GET /b': limit(1, 1) };
  const { accepts } = createThrottle({ RouteSettings }, () => 0);
  expect(['GET /a', 'GET /b', 'GET /c'].map(accepts)).toEqual([true, true, true]);
  expect(['GET /a', 'GET /b', 'GET /c'].map(accepts)).toEqual([false, false, true]);
});

it('accepts everything without settings', () => {
  const { accepts } = createThrottle({});
  expect(Array.from({ length: 1000 }, () => accepts('GET /a'))).not.toContain(false);
});
