import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommandLine } from '../../bin/practice/command-line.ts';
import { operatorFileOf, writePrivateFile, writeStackFile } from '../../bin/practice/files.ts';
import { operatorFileName } from '../../bin/practice/stack.ts';
import { generateApiKey } from '../../functions/domain/practices/api-key.ts';
import { listApiKeys } from '../../functions/store/practices/api-keys.ts';
import { verifyWebhook, type WebhookEvent } from '../../web/client/index.ts';
import { author, createPractice } from '../support/create-practice.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { paymentsOf } from '../support/payments.ts';
import { captured, runLine } from '../support/run-command.ts';
import { startServer } from '../support/server.ts';
import { patience } from '../support/until.ts';

let dataDir: string;
let service: TestPractice;
onStack.beforeAll(async ({ own }) => {
  service = own;
  dataDir = await mkdtemp(join(tmpdir(), 'payment-listen-'));
  await writePrivateFile(join(dataDir, operatorFileName), operatorFileOf(service.stack));
  const { apiUrl, hostedUrl, dashboardUrl, dashboardUsers } = service;
  const { practiceId, apiKey, endpointId } = service.practice;
  const demo = { practiceId, apiKey, endpointId, webhookUrl: service.receiver.url, testBankCredentials: [] };
  const practice = { ...demo, signingSecret: service.receiver.secret };
  await writeStackFile(dataDir, { apiUrl, hostedUrl, dashboardUrl, docsUrl: '', dashboardUsers, practice });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** A server that events are forwarded to, until the test ends. */
async function aTarget(statusCode = 204) {
  const requests: { body: string; headers: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ body: await text(request), headers: request.headers as Record<string, string> });
    response.writeHead(statusCode).end();
  });
  return { target: `http://127.0.0.1:${await startServer(server)}/`, requests };
}

/** Resolves when it listens. */
async function listening(...args: string[]) {
  const { terminal, printed, interrupt } = captured();
  const ended = runCommandLine(['listen', '--data', dataDir, ...args], terminal);
  await vi.waitFor(() => expect(printed.stdout.length + printed.stderr.length).toBeGreaterThan(0), patience);
  return {
    printed,
    lines: () => printed.stdout.map((line) => JSON.parse(line) as Record<string, unknown>),
    async stop() {
      interrupt();
      return ended;
    },
  };
}

const sequencesOf = (events: readonly WebhookEvent[], sessionId: string) =>
  events.flatMap(({ data }) => ('sequence' in data && data.sessionId === sessionId ? [data.sequence] : []));

it('forwards the events of this run, each once and in order, signed with a secret of this run', async () => {
  const earlier = await service.createSession();
  await service.client.sandbox.simulate(earlier.sessionId, 'user_good');
  const { target, requests } = await aTarget();
  const run = await listening('--forward-to', target, '--json');
  const { signingSecret } = run.lines()[0] as { signingSecret: string };
  expect(run.lines()[0]).toMatchObject({ listeningTo: service.apiUrl, forwardingTo: target });
  expect(signingSecret).not.toBe(service.receiver.secret);

  const sessions = await Promise.all(Array.from({ length: 3 }, () => service.createSession()));
  for (const { sessionId } of sessions) await service.client.sandbox.simulate(sessionId, 'user_late_return');
  for (const { sessionId } of sessions) await service.client.sandbox.advance(sessionId);
  const forwarded = () => requests.map(({ body, headers }) => verifyWebhook(body, headers, signingSecret));
  await vi.waitFor(() => expect(run.lines()).toHaveLength(10), patience);
  // Anything that came twice would come before the event of a later session.
  const last = await service.createSession();
  await service.client.sessions.cancel(last.sessionId);
  await vi.waitFor(() => expect(run.lines().at(-1)).toMatchObject({ sessionId: last.sessionId }), patience);

  const events = forwarded();
  expect(events).toHaveLength(10);
  for (const { sessionId } of sessions) expect(sequencesOf(events, sessionId)).toEqual([1, 2, 3]);
  expect(run.lines()[1]).toMatchObject({ body: requests[0]?.body, forwarded: { statusCode: 204 } });
  expect(await run.stop()).toBe(0);
  expect(run.lines().at(-1)).toEqual({ events: 10, forwarded: 10, failed: 0 });
  // The webhook to the practice's own endpoint is the same, byte for byte.
  const sent = await service.receiver.waitFor('session.payment.returned', String(sessions[0]?.sessionId));
  expect(requests.map(({ body }) => body)).toContain(sent.body);
});

it('shows people what happened, and counts what the receiver refused', async () => {
  const { target } = await aTarget(500);
  const run = await listening('--forward-to', target);
  expect(run.printed.stdout[0]).toMatch(/^Listening to {3}http.*\nForwarding to {2}http.*\nSigned with {4}whsec_/);
  const { sessionId } = await service.createSession();
  await service.client.sessions.cancel(sessionId);
  await vi.waitFor(() => expect(run.printed.stdout).toHaveLength(2), patience);
  expect(run.printed.stdout[1]).toMatch(
    /^\d\d:\d\d:\d\dZ {2}session\.payment\.cancelled {2}INV-\S+ {2}evt_\w+ {2}500 in \d+ ms\n$/,
  );
  expect(await run.stop()).toBe(0);
  expect(run.printed.stdout.at(-1)).toBe('1 event: 0 forwarded, 1 refused or not answered.\n');
});

it('listens to another practice with a key that ends with the run', async () => {
  const { operated, apiUrl } = service;
  const other = await createPractice(operated, { name: 'Other', author }, Date.now());
  const run = await listening('--practice', other.practiceId, '--json');
  const payments = paymentsOf({ apiUrl, apiKey: other.apiKey, password: '' });
  const { sessionId } = await payments.createSession();
  await payments.client.sessions.cancel(sessionId);
  await vi.waitFor(() => expect(run.lines()[1]).toMatchObject({ sessionId }), patience);
  const added = async () =>
    (await listApiKeys(operated.database, other.practiceId)).find(({ name }) => name === 'listen');
  expect(await added()).toMatchObject({ scopes: ['events:read'] });
  expect(await added()).not.toHaveProperty('revokedAt');
  expect(await run.stop()).toBe(0);
  expect(await added()).toHaveProperty('revokedAt');
});

it('ends at Ctrl-C, though the terminal and npm both send it, and says what it did', async () => {
  const script = join(import.meta.dirname, '../../bin/practice.ts');
  const child = spawn(process.execPath, [script, 'listen', '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  await vi.waitFor(() => expect(output).toContain('Press Ctrl-C to stop.'), patience);
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  const interrupting = setInterval(() => child.kill('SIGINT'), 1);
  expect(await ended).toEqual({ code: 0, signal: null });
  clearInterval(interrupting);
  expect(output).toMatch(/\n0 events\.\n$/);
});

it('revokes its own key when the reader of its output goes away', async () => {
  const script = join(import.meta.dirname, '../../bin/practice.ts');
  const { practiceId } = service.practice;
  const child = spawn(process.execPath, [script, 'listen', '--data', dataDir, '--practice', practiceId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await once(child.stdout, 'data');
  const ownKey = async () =>
    (await listApiKeys(service.operated.database, practiceId)).find(({ name }) => name === 'listen');
  expect(await ownKey()).not.toHaveProperty('revokedAt');
  child.stdout.destroy();
  // The next event finds the pipe closed.
  const { sessionId } = await service.createSession();
  await service.client.sessions.cancel(sessionId);
  expect(await ended).toBe(0);
  expect(await ownKey()).toHaveProperty('revokedAt');
});

it('waits for an API that does not answer yet', async () => {
  const run = await listening('--api', 'http://127.0.0.1:1', '--key', service.practice.apiKey);
  expect(run.printed.stderr).toEqual(['The API does not answer. Trying again …\n']);
  expect(await run.stop()).toBe(0);
});

describe('listen refuses', () => {
  const live = generateApiKey('live', () => new Uint8Array(45)).apiKey;

  it.each([
    [['--key', live], 2, 'This is a live key.'],
    [['--key', 'pip_sandbox_typo'], 2, 'The API key is malformed.'],
    [['--key', 'x', '--practice', 'prc_1'], 2, 'Give --practice or --key, not both.'],
    [['--forward-to', 'https://example.com:abc/'], 2, '--forward-to is wrong. It is not a URL.'],
    [['--forward-to', 'http://10.0.0.1/'], 2, '--forward-to is wrong. Events are forwarded only to this machine.'],
    [['--api', 'http://10.0.0.1', '--key', ''], 2, "option '--key <KEY>' argument missing"],
    [['--practice', 'prc_none'], 1, 'There is no practice with this id.'],
  ])('%j', async (args, exitCode, message) => {
    const refused = await runLine(['listen', '--data', dataDir, ...args]);
    expect(refused).toMatchObject({ exitCode, stdout: '' });
    expect(refused.stderr).toContain(message);
  });

  it('a key that the API refuses', async () => {
    const { apiKey } = generateApiKey('sandbox', (size) => new Uint8Array(size).fill(7));
    expect(await runLine(['listen', '--data', dataDir, '--key', apiKey])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('401 api_key_invalid'),
    });
  });

  it('to send the key over a network without TLS', async () => {
    const { apiKey } = service.practice;
    const refused = await runLine(['listen', '--api', 'http://10.0.0.1', '--key', apiKey]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--api is wrong') });
  });
});
