import { expect, test } from 'vitest';
import { builtViewerFunction } from '../support/viewer.ts';

const nameViewer = await builtViewerFunction('nameViewer');

test("the viewer's address replaces the one that a client sends", async () => {
  const request = { method: 'GET', uri: '/api/patient/session', query: 'a=1', headers: { accept: '*/*' } };
  const forged = { ...request, headers: { ...request.headers, 'x-viewer-address': '10.0.0.1' } };
  for (const sent of [request, forged])
    expect(await nameViewer(sent, '203.0.113.9', 'pay.example')).toEqual({
      kind: 'request',
      request: { ...request, headers: { accept: '*/*', 'x-viewer-address': '203.0.113.9' } },
    });
});
