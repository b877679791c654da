import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { generateSigningSecret, signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import { pythonFiles } from '../../lib/openapi/python/package.ts';
import { onStack } from '../support/on-stack.ts';
import { noPython, pythonEnvironment, pythonPackage } from '../support/python.ts';

it.each(Object.entries(pythonFiles()))(
  '%s is up to date: otherwise run `npm run client:python`',
  async (name, text) => {
    expect(await readFile(join(pythonPackage, 'patient_invoice_payment_client', name), 'utf8')).toBe(text);
  },
);

const timestamp = 1_763_000_000;
const body = JSON.stringify({ id: 'evt_1', type: 'webhook.test', data: {}, note: 'Zoë 山田' });
const secrets = [generateSigningSecret(randomBytes), generateSigningSecret(randomBytes)];
const headers = signatureHeaders({ eventId: 'evt_1', timestamp, body, secrets });
// A proxy that nobody may use: plain http is for this machine only.
const proxy = { http_proxy: 'http://127.0.0.1:9', no_proxy: '' };

onStack('the Python client passes its own tests', { skip: noPython }, async ({ own }) => {
  const given = { apiUrl: own.apiUrl, apiKey: own.practice.apiKey, webhook: { body, secrets, timestamp, headers } };
  const env = { ...process.env, ...pythonEnvironment, ...proxy, PYTHON_CLIENT_TEST: JSON.stringify(given) };
  const script = join(import.meta.dirname, 'client_python_test.py');
  const run = promisify(execFile)('python3', [script], { env, timeout: 240_000 });
  const { stderr } = await run.catch((error: unknown) => error as { stderr: string });
  expect(stderr).toMatch(/^OK$/m);
});
