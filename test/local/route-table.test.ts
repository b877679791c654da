import { expect, it } from 'vitest';
import { routeTable } from '../../lib/local/route-table.ts';

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
