import { expect, it } from 'vitest';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

it.each(['hostedUrl', 'dashboardUrl'] as const)('the site at the %s names a security contact', async (site) => {
  const response = await fetch(`${service.stack[site]}/.well-known/security.txt`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await response.text();
  const host = new URL(service.stack[site] ?? '').host;
  expect(text).toContain('Contact: mailto:security@payments.example\n');
  expect(text).toContain(`Canonical: https://${host}/.well-known/security.txt\n`);
  const [, expires = ''] = /^Expires: (.+)$/m.exec(text) ?? [];
  const daysLeft = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(daysLeft).toBeGreaterThan(360);
  // As RFC 9116 recommends.
  expect(daysLeft).toBeLessThan(365);
});
