import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
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

it('the packed client runs and type-checks in an empty folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-package-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'web/client'),
  });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ];
  expect(files.map(({ path }) => path.replace(/[^/]*\.(js|d\.ts)$/, '*.$1'))).toEqual(
    expect.arrayContaining(['package.json', 'README.md', 'dist/*.js', 'dist/*.d.ts']),
  );
  expect(files.filter(({ path }) => !/^(package\.json|README\.md|dist\/[\w-]+\.(js|d\.ts))$/.test(path))).toEqual([]);

  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'sample.ts'), sample);
  const samples = samplesIn(await readFile(join(root, 'web/client/README.md'), 'utf8'));
  expect(samples.length).toBeGreaterThan(3);
  await Promise.all(samples.map((code, index) => writeFile(join(folder, `readme-${index}.ts`), code)));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', filename], { cwd: folder });

  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--exactOptionalPropertyTypes'];
  const withNode = ['--lib', 'es2023', '--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
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
