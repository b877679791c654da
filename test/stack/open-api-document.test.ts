import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

it.each(['apiUrl', 'dashboardUrl'] as const)(
  'the document at %s is the printed one with the API as its server, needs no key and is cached for minutes',
  async (host) => {
    const response = await fetch(`${service[host]}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/openapi.ts', '--server', service.apiUrl]);
    expect(await response.json()).toEqual(JSON.parse(stdout));
    expect((JSON.parse(stdout) as { servers: unknown }).servers).toEqual([{ url: service.apiUrl }]);
  },
);

it('npm run openapi refuses a server that is not a URL', async () => {
  const printed = promisify(execFile)(process.execPath, ['bin/openapi.ts', '--server', 'localhost']);
  await expect(printed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('takes a URL') as string });
});

describe('security txt', () => {
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
});
