import { expect, it } from 'vitest';
import { viewerFunction } from '../../lib/local/viewer-function.ts';
import { rewriteLink } from '../../lib/viewer-functions.ts';

const rewrite = viewerFunction({
  logicalId: 'RewriteLink',
  name: 'RewriteLink',
  properties: { Name: 'RewriteLink', FunctionCode: rewriteLink, FunctionConfig: { Runtime: 'cloudfront-js-2.0' } },
});

it.each([
  ['/s/the-token', '/index.html'],
  ['/s/the-token/and/more', '/index.html'],
  ['/s/', '/index.html'],
  ['/s', '/index.html'],
  ['/', '/'],
  ['/sx', '/sx'],
  ['/S/the-token', '/S/the-token'],
  ['/assets/s/x.js', '/assets/s/x.js'],
])('the address %s leads to %s', async (uri, leadsTo) => {
  expect(await rewrite({ method: 'GET', uri, query: '', headers: {} }, '203.0.113.9', 'pay.example')).toMatchObject({
    kind: 'request',
    request: { uri: leadsTo },
  });
});
