import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
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
