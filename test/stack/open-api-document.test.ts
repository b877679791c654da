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
    const options = ['--server', service.apiUrl, '--mode', 'sandbox'];
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/openapi.ts', ...options]);
    expect(await response.json()).toEqual(JSON.parse(stdout));
    expect((JSON.parse(stdout) as { servers: unknown }).servers).toEqual([{ url: service.apiUrl }]);
  },
);

const hosts = ['apiUrl', 'dashboardUrl'] as const;

it.each(hosts)('HEAD of the document at %s says how long it is, and sends no body', async (host) => {
  const head = await fetch(`${service[host]}/openapi.json`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'identity' },
  });
  const get = await fetch(`${service[host]}/openapi.json`, { headers: { 'accept-encoding': 'identity' } });
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const name of ['content-type', 'content-length', 'cache-control', 'access-control-allow-origin'])
    expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
});

it.each(hosts)('scripts of every site may read the document at %s', async (host) => {
  const { headers } = await fetch(`${service[host]}/openapi.json`, { headers: { origin: 'https://editor.example' } });
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

it.each(hosts)('scripts of other sites may read nothing else at %s', async (host) => {
  for (const path of ['/openapi.json/', '/api/practice/sessions', '/api/dashboard/me', '/']) {
    const { headers } = await fetch(service[host] + path, { headers: { origin: 'https://editor.example' } });
    expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
  }
});

it('the document has no other method', async () => {
  const { status, headers } = await fetch(`${service.apiUrl}/openapi.json`, { method: 'POST' });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

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
    // RFC 9116 recommends this.
    expect(daysLeft).toBeLessThan(365);
  });
});
