import { expect, test } from 'vitest';
import { handler } from '../../functions/viewer/serve-index.ts';

function served(uri: string): string {
  return handler({ viewer: { ip: '192.0.2.1' }, request: { uri, querystring: {}, headers: {} } }).uri;
}

test.each([
  '/',
  '/join',
  '/prc_1',
  '/prc_1/settings/keys',
  '/prc_1/sessions/ses_1',
  '/favicon.ico',
  '/assets',
  '/docsy',
  '/.well-known',
])('%s is the document', (uri) => {
  expect(served(uri)).toBe('/index.html');
});

test.each([
  '/assets/main-1.js',
  '/api/dashboard/me',
  '/api/other',
  '/logos/prc_1/logo.png',
  '/.well-known/security.txt',
])('%s is itself', (uri) => {
  expect(served(uri)).toBe(uri);
});

test.each([
  ['/docs', '/docs/index.html'],
  ['/docs/', '/docs/index.html'],
  ['/docs/errors', '/docs/errors.html'],
  ['/docs/decisions', '/docs/decisions.html'],
  ['/docs/decisions/0001', '/docs/decisions/0001.html'],
  ['/docs/errors/', '/docs/errors.html'],
  ['/docs/errors.html', '/docs/errors.html'],
  ['/docs/unheard-of', '/docs/not-found.html'],
  ['/docs/decisions/0000', '/docs/not-found.html'],
])('%s is a page of the docs', (uri, document) => {
  expect(served(uri)).toBe(document);
});
