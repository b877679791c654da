import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { generateSigningSecret, signatureHeaders } from '../../functions/domain/webhooks/webhook-signature.ts';
import { readContract } from '../../lib/openapi/python/document.ts';
import { modelWriter } from '../../lib/openapi/python/models.ts';
import { resourceClasses } from '../../lib/openapi/python/operations.ts';
import { pythonFiles } from '../../lib/openapi/python/package.ts';
import { onStack } from '../support/on-stack.ts';
import { noPython, pythonEnvironment, pythonPackage } from '../support/python.ts';

it.each(Object.entries(pythonFiles()))(
  '%s is up to date: otherwise run `npm run client:python`',
  async (name, text) => {
    expect(await readFile(join(pythonPackage, 'patient_invoice_payment_client', name), 'utf8')).toBe(text);
  },
);

it('is not generated if two operations would have the same name, because Python would keep only the last', () => {
  const { operations, schemas } = readContract();
  const create = operations.find(({ operationId }) => operationId === 'createSession')!;
  const generateWith = (operationId: string) => {
    const contract = { operations: [...operations, { ...create, operationId }], schemas };
    return resourceClasses(contract, modelWriter(contract), 'sync');
  };
  expect(() => generateWith('createSessions')).toThrow(
    'createSession and createSessions would both be sessions.create in Python: rename one of them.',
  );
  expect(() => generateWith('list_page'), 'the page of a list').toThrow('both be sessions.list_page');
});

const timestamp = 1_763_000_000;
const body = JSON.stringify({ id: 'evt_1', type: 'webhook.test', data: {}, note: 'Zoë 山田' });
const secrets = [generateSigningSecret(randomBytes), generateSigningSecret(randomBytes)];
const headers = signatureHeaders({ eventId: 'evt_1', timestamp, body, secrets });
// A proxy that nobody may use: plain http is only for this machine.
const proxy = { http_proxy: 'http://127.0.0.1:9', no_proxy: '' };

onStack('the Python client passes its own tests', { skip: noPython }, async ({ own }) => {
  const given = { apiUrl: own.apiUrl, apiKey: own.practice.apiKey, webhook: { body, secrets, timestamp, headers } };
  const env = { ...process.env, ...pythonEnvironment, ...proxy, PYTHON_CLIENT_TEST: JSON.stringify(given) };
  const script = join(import.meta.dirname, 'client_python_test.py');
  const run = promisify(execFile)('python3', [script], { env, timeout: 240_000 });
  const { stderr } = await run.catch((error: unknown) => error as { stderr: string });
  expect(stderr).toMatch(/^OK$/m);
});
