import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../lib/openapi/document.ts';

const packages = resolve(import.meta.dirname, '../../node_modules');
const typeScriptApi = resolve(import.meta.dirname, '../support/typescript-api.ts');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generators-'));
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApiDocument('1.0.0')));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder });
const generate = (...args: string[]) => run('--import', typeScriptApi, ...args);

const compilerOptions = {
  strict: true,
  noImplicitReturns: true,
  noEmit: true,
  skipLibCheck: false,
  module: 'nodenext',
  allowImportingTsExtensions: true,
  types: [],
};

/** What the compiler says, an error per line. */
async function errorsIn(files: Readonly<Record<string, string>>): Promise<string[]> {
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const said = await run(join(packages, 'typescript/bin/tsc'), '-p', 'tsconfig.json').then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  return said.split('\n').filter((line) => /^\S/.test(line));
}

/** Reads a field that only this event, or only this problem, has. */
const usage = `
export function detailOf(event: WebhookEvent): string {
  switch (event.type) {
    case 'session.payment.processing':
      return event.data.processingAt;
    case 'session.payment.succeeded':
      return event.data.settledAt;
    case 'session.payment.failed':
      return event.data.failure.code;
    case 'session.payment.cancelled':
      return event.data.cancellation.reason;
    case 'session.payment.returned':
      return event.data.return.returnedAt;
    case 'session.payment.refunded':
    case 'session.payment.refund_failed':
      return event.data.refund.refundedAt;
    case 'session.payment.link_requested':
      return event.data.previousStatus;
    case 'session.payment.opened':
      return event.data.status;
    case 'practice.joined':
      return event.data.joinedAt;
    case 'practice.left':
      return event.data.leftAt;
    case 'webhook.test':
      return event.practiceId;
  }
}
export function wayOut(refusal: Refusal): string | undefined {
  return refusal.code === 'session_not_cancellable' ? refusal.sessionStatus : undefined;
}
export function faultsOf(refusal: InvalidRequest): (string | number | undefined)[] {
  return refusal.errors.flatMap(({ pointer, index, expected, minimum, maximum }) => [pointer, index, expected, minimum, maximum]);
}
`;
const mixedUp =
  'export const wrong = (event: WebhookEvent) => event.type === "session.payment.failed" && event.data.settledAt;';

describe.each([
  {
    name: 'openapi-typescript',
    args: [join(packages, 'openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'types.ts'],
    imports: `import type { components, operations } from './types.ts';
type WebhookEvent = components['schemas']['WebhookEvent'];
type InvalidRequest = components['schemas']['InvalidRequestProblem'];
type Refusal = operations['cancelSession']['responses'][409]['content']['application/problem+json'];`,
  },
  {
    name: 'Hey API',
    args: [
      join(packages, '@hey-api/openapi-ts/dist/run.mjs'),
      '-i',
      'openapi.json',
      '-o',
      'client',
      '-p',
      '@hey-api/typescript',
    ],
    imports: `import type { CancelSessionErrors, InvalidRequestProblem, WebhookEvent } from './client/types.gen.ts';
type InvalidRequest = InvalidRequestProblem;
type Refusal = CancelSessionErrors[409];`,
  },
])('the types that $name generates', ({ name, args, imports }) => {
  it('tell webhooks apart by type and problems by code', async () => {
    await generate(...args);
    const errors = await errorsIn({ 'usage.ts': `${imports}\n${usage}`, 'wrong.ts': `${imports}\n${mixedUp}` });
    expect(errors, name).toEqual([expect.stringMatching(/^wrong\.ts.*'settledAt' does not exist/)]);
  });
});
