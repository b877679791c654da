import { describe, expect, test } from 'vitest';
import { builtViewerFunction } from '../support/viewer.ts';

const rewriteLink = await builtViewerFunction('rewriteLink');
const [english, spanish] = ['/index.html', '/index.es.html'];

async function documentFor(acceptLanguage: string | undefined, query = '', uri = '/s/the-token') {
  const headers = acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage };
  const answer = await rewriteLink({ method: 'GET', uri, query, headers }, '203.0.113.9', 'pay.example');
  return answer.kind === 'request' ? answer.request.uri : answer.kind;
}

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
    for (const query of ['lang=', 'lang', 'lang=fr', 'lang=ES%00', 'lang=__proto__', 'Lang=en', 'lang=../index'])
      expect(await documentFor('es', query)).toBe(spanish);
  });

  test('is not served in place of a file', async () => {
    expect(await documentFor('es', '', '/logos/prc_1/logo.png')).toBe('/logos/prc_1/logo.png');
  });
});
