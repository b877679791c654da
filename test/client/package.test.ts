import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ts } from '@ts-morph/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer } from '../support/server.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

const sample = `
import { createPaymentClient, isProblem, PaymentProblem, verifyWebhook, type WebhookEvent } from 'patient-invoice-payment-client';

const payments = createPaymentClient({ apiUrl: process.argv[2] ?? '', apiKey: 'key-1' });
const patient = { firstName: 'Ada', lastName: 'Okafor' };
const { sessionId, hostedUrl } = await payments.sessions.create({ invoiceId: 'INV-1', amountCents: 18_250, patient });
console.log(sessionId, hostedUrl);

export function paidInvoice(event: WebhookEvent): string | undefined {
  switch (event.type) {
    case 'session.payment.succeeded':
      return event.data.invoiceId + event.data.settledAt;
    case 'session.payment.failed':
      return event.data.failure.code;
    case 'webhook.test':
      // @ts-expect-error: a test event has no session
      return event.data.invoiceId;
    default:
      return undefined;
  }
}

export const verify = (body: string, headers: Headers) => verifyWebhook(body, headers, ['whsec_1', 'whsec_2']);
export async function sum() {
  let cents = 0;
  for await (const session of payments.sessions.list({ status: 'succeeded' })) cents += session.amountCents;
  return cents;
}
// @ts-expect-error: no cents
payments.sessions.create({ invoiceId: 'INV-1', patient }).catch((error: unknown) => {
  if (isProblem(error, 'invalid_request')) console.log(error.errors.map(({ pointer }) => pointer));
  else if (error instanceof PaymentProblem) console.log(error.code, error.requestId?.length);
});
`;

/** The samples in the client's README. */
function samplesIn(text: string): string[] {
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
}

const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--exactOptionalPropertyTypes'];
const withNode = ['--lib', 'es2023', '--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];

let folder: string;
let files: readonly { path: string }[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-package-'));
  const packing = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', packing, { cwd: join(root, 'web/client') });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string; files: { path: string }[] }];
  ({ files } = packed);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed.filename], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('the packed client runs and type-checks in an empty folder', async () => {
  expect(files.map(({ path }) => path.replace(/[^/]*\.(js|d\.ts)$/, '*.$1'))).toEqual(
    expect.arrayContaining(['package.json', 'README.md', 'dist/*.js', 'dist/*.d.ts']),
  );
  expect(
    files.filter(
      ({ path }) => !/^(package\.json|README\.md|dist\/(cjs\/)?([\w-]+\.(js|d\.ts)|package\.json))$/.test(path),
    ),
  ).toEqual([]);

  await writeFile(join(folder, 'sample.ts'), sample);
  const samples = samplesIn(await readFile(join(root, 'web/client/README.md'), 'utf8'));
  expect(samples.length).toBeGreaterThan(3);
  await Promise.all(samples.map((code, index) => writeFile(join(folder, `readme-${index}.ts`), code)));

  await run(
    process.execPath,
    [tsc, ...strict, ...withNode, 'sample.ts', ...samples.map((_, index) => `readme-${index}.ts`)],
    { cwd: folder },
  );

  const bodies: string[] = [];
  const server = createServer((request, response) => {
    bodies.push(String(request.headers['idempotency-key']));
    const isFirst = bodies.length === 1;
    response
      .writeHead(isFirst ? 201 : 400)
      .end(isFirst ? '{"sessionId":"ses_1","hostedUrl":"https://pay.example"}' : '{}');
  });
  const apiUrl = `http://127.0.0.1:${await startServer(server)}`;
  expect((await run(process.execPath, ['sample.ts', apiUrl], { cwd: folder })).stdout).toBe(
    'ses_1 https://pay.example\ngateway_error undefined\n',
  );
});

const required = `
import payments = require('patient-invoice-payment-client');

const client = payments.createPaymentClient({ apiUrl: 'http://127.0.0.1:1', apiKey: 'key-1', maximumAttempts: 1 });
client.sessions.get('ses_1').catch((error: unknown) => {
  if (error instanceof payments.PaymentConnectionError) console.log(error.name);
});
export const paid = (event: payments.WebhookEvent): boolean => event.type === 'session.payment.succeeded';
`;

/** Before Node 20.19, and in Jest, `require` cannot load an ES module. */
const withoutRequireOfModules = '--no-experimental-require-module';

it('the packed client can be required where require loads no ES modules', async () => {
  const script = `
    const { createPaymentClient, signWebhook, verifyWebhook } = require('patient-invoice-payment-client');
    const secret = 'whsec_' + Buffer.alloc(32, 1).toString('base64');
    const { body, headers } = signWebhook({ id: 'evt_1', type: 'webhook.test', data: {} }, secret);
    console.log(typeof createPaymentClient, verifyWebhook(body, headers, secret).type);`;
  await writeFile(join(folder, 'required.cjs'), script);
  const { stdout, stderr } = await run(process.execPath, [withoutRequireOfModules, 'required.cjs'], { cwd: folder });
  expect([stdout, stderr]).toEqual(['function webhook.test\n', '']);
});

it('both formats have the same names, and each knows the problems of the other', async () => {
  const script = `
    import { createRequire } from 'node:module';
    import * as imported from 'patient-invoice-payment-client';
    const required = createRequire(import.meta.url)('patient-invoice-payment-client');
    const problem = new required.PaymentProblem(new Response(null, { status: 409 }), { code: 'idempotency_key_reused' }, 0);
    console.log(JSON.stringify([
      Object.keys(imported).sort(), Object.keys(required).sort(),
      imported.PaymentProblem === required.PaymentProblem, imported.isProblem(problem, 'idempotency_key_reused'),
      imported.isProblem(problem, 'invalid_cursor'), imported.isProblem(new Error('x')),
    ]));`;
  await writeFile(join(folder, 'both.mjs'), script);
  const { stdout } = await run(process.execPath, [withoutRequireOfModules, 'both.mjs'], { cwd: folder });
  const [imported, required, ...facts] = JSON.parse(stdout) as unknown[];
  expect(imported).toContain('createPaymentClient');
  expect(required).toEqual(imported);
  expect(facts).toEqual([false, true, false, false]);
});

it('the packed client has types for require', async () => {
  await writeFile(join(folder, 'required.cts'), required);
  const { stdout } = await run(process.execPath, [tsc, ...strict, ...withNode, 'required.cts'], { cwd: folder });
  expect(stdout).toBe('');
});

it('module resolution node10, which reads no exports, finds the types of the CommonJS files', async () => {
  const options = { moduleResolution: ts.ModuleResolutionKind.Node10 };
  const importing = join(folder, 'required.ts');
  const found = ts.resolveModuleName('patient-invoice-payment-client', importing, options, ts.sys).resolvedModule;
  const types = found?.resolvedFileName ?? '';
  expect(types).toMatch(/\/dist\/cjs\/index\.d\.ts$/);
  const parts = ts.preProcessFile(await readFile(types, 'utf8')).importedFiles.map(({ fileName }) => fileName);
  expect(parts.length).toBeGreaterThan(5);
  for (const part of parts)
    expect(ts.resolveModuleName(part, types, options, ts.sys).resolvedModule, part).toBeDefined();
});
