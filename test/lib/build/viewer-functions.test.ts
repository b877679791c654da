import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { buildViewerFunctions } from '../../../lib/build/viewer-functions.ts';

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
