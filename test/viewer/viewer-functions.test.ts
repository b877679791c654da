import { expect, test, describe } from 'vitest';
import { handler } from '../../functions/viewer/serve-index.ts';
import { builtViewerFunction } from '../support/viewer.ts';
import { Script } from 'node:vm';
import { buildViewerFunctions } from '../../lib/build/build.ts';

function served(uri: string) {
  const answer = handler({ viewer: { ip: '192.0.2.1' }, request: { uri, querystring: {}, headers: {} } });
  return 'uri' in answer ? answer.uri : answer.statusCode;
}

describe('in the dashboard,', () => {
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
  ])('%s is a page of the docs', (uri, document) => {
    expect(served(uri)).toBe(document);
  });

  test.each(['/docs/unheard-of', '/docs/decisions/0000', '/docs/not-found', '/docs/__proto__'])(
    '%s is not found',
    (uri) => {
      expect(served(uri)).toBe(404);
    },
  );

  test('the answer to a missing page of the docs leads to those that exist', async () => {
    const serveIndex = await builtViewerFunction('serveIndex');
    const request = { method: 'GET', uri: '/docs/unheard-of', query: '', headers: {} };
    const answer = await serveIndex(request, '203.0.113.9', 'dashboard.example');
    expect(answer).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect('body' in answer && answer.body.toString()).toContain('<a href="/docs/">');
  });
});

const nameViewer = await builtViewerFunction('nameViewer');

test("the viewer's address replaces the one that a client sends", async () => {
  const request = { method: 'GET', uri: '/api/patient/session', query: 'a=1', headers: { accept: '*/*' } };
  const forged = { ...request, headers: { ...request.headers, 'x-viewer-address': '10.0.0.1' } };
  for (const sent of [request, forged])
    expect(await nameViewer(sent, '203.0.113.9', 'pay.example')).toEqual({
      ...request,
      headers: { accept: '*/*', 'x-viewer-address': '203.0.113.9' },
    });
});

const rewriteLink = await builtViewerFunction('rewriteLink');
const [english, spanish] = ['/index.html', '/index.es.html'];

async function documentFor(acceptLanguage: string | undefined, query = '', uri = '/s/the-token') {
  const headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
  const answer = await rewriteLink({ method: 'GET', uri, query, headers }, '203.0.113.9', 'pay.example');
  return 'uri' in answer ? answer.uri : answer.status;
}

describe('on the hosted page,', () => {
  test.each([
    ['/s/the-token', english],
    ['/s/the-token/and/more', english],
    ['/s/', english],
    ['/s', english],
    ['/s/the-token.', english],
    ['/S/the-token.Thanks', english],
    ['/S/the-token.)', english],
    ['//s/the-token.x', english],
    ['/%73/the-token.x', english],
    ['/', english],
    ['/S/the-token', english],
    ['/a/path/that/does/not/exist', english],
    ['/logos/prc_1/logo.png', '/logos/prc_1/logo.png'],
    ['/.well-known/security.txt', '/.well-known/security.txt'],
    ['/S/the-token.pdf', english],
    ['/index.html', english],
    ['/api/practice/sessions', '/api/practice/sessions'],
  ])('the path %s leads to %s', async (uri, path) => {
    expect(await documentFor(undefined, '', uri)).toBe(path);
  });

  test.each([
    ['/privacy', 'lang=es', '/privacy.es.html'],
    ['/privacy', 'lang=en', '/privacy.html'],
    ['/terms', '', '/terms.html'],
    ['/accessibility', '', '/accessibility.html'],
    ['/privacy/', '', '/privacy.html'],
    ['/privacy.html', 'lang=es', '/privacy.es.html'],
  ])('the page %s with "%s" is %s', async (uri, query, document) => {
    expect(await documentFor('en', query, uri)).toBe(document);
  });
});

describe("a link's document", () => {
  test.each([
    [undefined, english],
    ['', english],
    ['es', spanish],
    ['es-MX,es;q=0.9,en;q=0.8', spanish],
    ['ES-419', spanish],
    ['en-US,en;q=0.9,es;q=0.8', english],
    ['en;q=0.5, es;q=0.6', spanish],
    ['es;q=0.001', spanish],
    ['es;q=0', english],
    ['fr, de', english],
    ['fr, es;q=0.1', spanish],
    ['en;q=0, *', spanish],
    ['*', english],
    ['est', english],
    ['es;q=high', english],
    [';;;,,=', english],
  ])('for Accept-Language "%s" is %s', async (acceptLanguage, document) => {
    expect(await documentFor(acceptLanguage)).toBe(document);
  });

  test('follows ?lang= if we have that language, and otherwise ignores it', async () => {
    expect(await documentFor('en', 'lang=es')).toBe(spanish);
    expect(await documentFor('es', 'lang=en')).toBe(english);
    expect(await documentFor('es', 'lang=en&lang=en')).toBe(english);
    for (const end of ['&fbclid=1', '?utm_source=mail', '%3Futm_source=mail', '.', ')', ').', '%29', '%20'])
      expect(await documentFor('en', `lang=es${end}`), end).toBe(spanish);
    for (const query of ['lang=', 'lang', 'lang=fr', 'lang=ES%00', 'lang=__proto__', 'Lang=en', 'lang=../index'])
      expect(await documentFor('es', query)).toBe(spanish);
  });

  test('is not served in place of a file', async () => {
    expect(await documentFor('es', '', '/logos/prc_1/logo.png')).toBe('/logos/prc_1/logo.png');
  });
});

test.each(Object.entries(await buildViewerFunctions()))(
  '%s is a small script with a global handler, as CloudFront requires',
  (_, code) => {
    expect(Buffer.byteLength(code)).toBeLessThan(10 * 1024);
    expect(new Script(`${code}; typeof handler`).runInNewContext()).toBe('function');
  },
);

test('the same sources produce the same text', async () => {
  expect(await buildViewerFunctions()).toEqual(await buildViewerFunctions());
});
