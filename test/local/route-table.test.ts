import { describe, expect, it } from 'vitest';
import { routeTable } from '../../lib/local/route-table.ts';
import { createThrottle } from '../../lib/local/http-api.ts';

const table = (...routeKeys: string[]) => {
  const find = routeTable(routeKeys.map((routeKey) => ({ routeKey, target: undefined })));
  return (method: string, path: string) => find(method, path)?.routeKey;
};

it('prefers the method to ANY on the same path', () => {
  const find = table('ANY /a', 'GET /a');
  expect([find('GET', '/a'), find('POST', '/a')]).toEqual(['GET /a', 'ANY /a']);
});

it('prefers a full match to a greedy one, even if the greedy one has a longer literal prefix', () => {
  const find = table('GET /{x}/{y}/{z}', 'GET /a/b/{rest+}');
  expect(find('GET', '/a/b/c')).toBe('GET /{x}/{y}/{z}');
});

it('prefers the greedy route with the longer literal prefix', () => {
  const find = table('ANY /{rest+}', 'ANY /a/{rest+}', 'ANY /a/b/{rest+}');
  expect(['/a/b/c', '/a/c', '/c/d'].map((path) => find('GET', path))).toEqual([
    'ANY /a/b/{rest+}',
    'ANY /a/{rest+}',
    'ANY /{rest+}',
  ]);
});

it('falls back to a greedy route if the full match has another method', () => {
  expect(table('GET /a', 'POST /{rest+}')('POST', '/a')).toBe('POST /{rest+}');
});

it('takes $default for everything else, if there is one', () => {
  expect(table('$default', 'GET /a')('PATCH', '/a/b')).toBe('$default');
  expect(table('GET /a')('GET', '/b')).toBeUndefined();
});

describe('throttle', () => {
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
});
