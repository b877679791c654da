import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { commands } from '../../bin/practice/program.ts';
import { operatorFileOf, writePrivateFile, writeStackFile } from '../../bin/practice/files.ts';
import { flagOf } from '../../bin/practice/stack.ts';
import { inputErrors } from '../../bin/practice/command-line.ts';
import { operatorFileName, type OperatedStack } from '../../bin/practice/stack.ts';
import { newAuditEntry, type AuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { minute, toIso } from '../../functions/domain/time.ts';
import type { WebhookEndpoint } from '../../functions/domain/webhooks/webhook-endpoint.ts';
import { getApiKey } from '../../functions/store/practices/api-keys.ts';
import { writeAuditEntry } from '../../functions/store/team/audit-log.ts';
import { getPractice, updatePractice } from '../../functions/store/practices/practices.ts';
import { createWebhookEndpoint, getWebhookEndpoint } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { anEntry, author, createPractice } from '../support/create-practice.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { problemOf } from '../support/problems.ts';
import { captured, runCommand, runLine, optionsOf } from '../support/run-command.ts';
import { startServer } from '../support/server.ts';
import { patience } from '../support/until.ts';

let dataDir: string;
let service: TestPractice;
onStack.beforeAll(async ({ own }) => {
  service = own;
  dataDir = await mkdtemp(join(tmpdir(), 'payment-command-'));
  await writePrivateFile(join(dataDir, operatorFileName), operatorFileOf(service.stack));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const typed = (...args: string[]) => runLine([...args, '--data', dataDir]);

const run = <Answer = Record<string, string>>(name: string, options: Record<string, string>) =>
  runCommand<Answer>(service.operated, name, options);

describe('the command line', () => {
  /** Nothing was sent to its endpoint: a failure has columns of its own. */
  const newPractice = async () => {
    const created = await run('create', { name: 'Printed', webhookUrl: 'https://hooks.example.com/' });
    return { practiceId: String(created['practiceId']), endpointId: String(created['endpointId']) };
  };

  it('prints fields and tables for people, without colors in a pipe, and JSON for programs', async () => {
    const { practiceId, endpointId } = await newPractice();
    const script = join(import.meta.dirname, '../../bin/practice.ts');
    const args = ['show', '--practice', practiceId, '--data', dataDir];
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env: {} });
    expect(stdout).toContain(`Practice ID               ${practiceId}\n`);
    expect(stdout).toContain('Link lifetime days        7\n');
    const json = await runLine([...args, '--json']);
    expect(json).toMatchObject({ stderr: '', exitCode: 0 });
    expect(json.stdout.trimEnd()).not.toContain('\n');
    expect(JSON.parse(json.stdout)).toMatchObject({ practiceId, linkLifetimeDays: 7 });

    const listed = await typed('list-webhooks', '--practice', practiceId);
    expect(listed.stdout.split('\n')[0]).toMatch(/^Endpoint +Status +Retry +Events +URL$/);
    expect(listed.stdout).toMatch(new RegExp(`^${endpointId} +enabled +standard +all +http`, 'm'));
  });

  /** A closing practice, left by a run that was stopped: the next run waits for the rest. */
  async function closingPractice(closedAt: number) {
    const { practiceId, apiKey } = await createPractice(service.operated, { author, name: 'Leaving' }, closedAt);
    await service.createSession({}, { apiKey });
    const entry = { practiceId, author, action: 'practice.closed', target: practiceId } as const;
    const change = { set: { closedAt: toIso(closedAt) } };
    await updatePractice(
      service.operated.database,
      practiceId,
      change,
      newAuditEntry({ randomBytes }, entry, closedAt),
    );
    return practiceId;
  }

  it('prints its answer, and nothing that functions log', async () => {
    const practiceId = await closingPractice(Date.now() - minute);
    const script = join(import.meta.dirname, '../../bin/practice.ts');
    const args = ['close', '--practice', practiceId, '--confirm', practiceId, '--json', '--data', dataDir];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], { env: {} });
    expect(JSON.parse(stdout)).toMatchObject({ practiceId, cancelledSessions: 1 });
    expect(stderr).toBe('');
  });

  it('says what it waits for', async () => {
    const closedAt = Date.now();
    const practice = await closingPractice(closedAt);
    const waits: number[] = [];
    const pause = async (milliseconds: number) => void waits.push(milliseconds);
    const { terminal, printed } = captured();
    const place = { data: dataDir, stack: undefined };
    const openStack = async () => ({ ...service.operated, pause });
    const context = { place, terminal, json: true, now: closedAt + 10_000, openStack };
    await commands.get('close')?.run(context, { practiceId: practice, confirm: practice });
    expect(waits).toEqual([5000]);
    expect(printed.stderr).toEqual(['Waiting 5 s for sessions that are being created right now …\n']);
  });

  it('gives a row several lines where a terminal is too narrow for a table', async () => {
    const { practiceId, endpointId } = await newPractice();
    const { stdout } = await runLine(['list-webhooks', '--practice', practiceId, '--data', dataDir], 50);
    expect(stdout).toContain(`Endpoint  ${endpointId}\nStatus    enabled\n`);
  });

  it("prints the test bank's password again", async () => {
    const { practiceId, password } = service.practice;
    const { stdout } = await typed('show', '--practice', practiceId);
    expect(stdout).toMatch(new RegExp(`^Test bank password +${password}$`, 'm'));
    expect(stdout).toMatch(/^Test bank users +user_good user_bad /m);
  });

  it('says what to do next in one sentence or two, as JSON with --json, and fails', async () => {
    const message = 'There is no practice with this id. Check the id.';
    const next = `\nAll practices: npm run -s practice -- list --data ${dataDir}`;
    const args = ['update', '--practice', 'prc_none', '--name', 'x'];
    expect(await typed(...args)).toEqual({ exitCode: 1, stdout: '', stderr: `${message}${next}\n` });
    expect(await typed(...args, '--json')).toEqual({
      exitCode: 1,
      stdout: `${JSON.stringify({ error: `${message}${next}`, code: 'practice_not_found' })}\n`,
      stderr: '',
    });
  });

  it('suggests the whole command that enables an endpoint again', async () => {
    const { practice, endpoint } = { practice: service.practice.practiceId, endpoint: service.practice.endpointId };
    await run('disable-webhook', { practice, endpoint });
    const { stderr } = await typed('test-webhook', '--practice', practice, '--endpoint', endpoint);
    const suggested = `npm run -s practice -- enable-webhook --practice ${practice} --endpoint ${endpoint} --data ${dataDir}`;
    expect(stderr).toBe(`Nothing is sent to a disabled endpoint. Enable it first.\nTo enable it: ${suggested}\n`);
    expect(await runLine(suggested.split(' ').slice(5))).toMatchObject({ exitCode: 0 });
  });

  it.each([
    [['create', '--name', 'x', '--colr', 'red'], "unknown option '--colr'\n(Did you mean --color?)"],
    [
      ['create', '--name', 'x', '--support-phone', 'call us', '--link-lifetime-days', '366'],
      '--link-lifetime-days is wrong. Use at most 365.\n' +
        '--support-phone is wrong. Give one phone number of 7 to 15 digits, such as (555) 010-0100 or +1 555 010 0100 ext. 12.',
    ],
    [
      ['create', '--name', 'x', '--privacy-url', 'lakeside.example'],
      '--privacy-url is wrong. Use an https URL like https://lakeside.example/privacy.',
    ],
    [['create', '--name', 'x', '--logo', '/none.png'], '--logo is wrong. There is no file /none.png.'],
    [
      ['update', '--practice', 'prc_1', '--logo', import.meta.filename],
      '--logo is wrong. The logo must be a PNG, JPEG or WebP picture.',
    ],
    [
      ['create', '--name', 'x', '--webhook-url', 'http://example.com/'],
      '--webhook-url is wrong. The URL must begin with https://. Here, http:// with localhost or an address from 127.0.0.0/8 is allowed, too.',
    ],
    [
      ['update-webhook', '--practice', 'prc_1', '--endpoint', 'whe_1', '--url', 'http://example.com/'],
      '--url is wrong. The URL must begin with https://. Here, http:// with localhost or an address from 127.0.0.0/8 is allowed, too.',
    ],
    [['enable-webhooks', '--disabled-since', '9999-01-01'], '--disabled-since is wrong. This date is in the future.'],
    [['redrive', '--queue', 'Nonsense'], '--queue is wrong. There is no such queue. The queues are Failed'],
    [['show'], "required option '--practice <ID>' not specified"],
    [['show', '--practice', '--stack', 'x'], "option '--practice <ID>' argument missing"],
    [['show', '--practice', '--json='], "option '--practice <ID>' argument missing"],
    [['show', '--practice='], "option '--practice <ID>' argument missing"],
    [['show', '--practice', 'Lakeside'], '--practice is wrong. It begins with prc_, such as prc_HCAR'],
    [['show', '--practice', 'prc_1', '--name', 'x'], "unknown option '--name'"],
    [['show', '--practice', 'prc_1', '--practice', 'prc_2'], "give option '--practice <ID>' once"],
    [
      ['show', '--practice', 'prc_1', '--stack', 'x'],
      "option '--stack <NAME>' cannot be used with option '--data <DIR>'",
    ],
    [['update', '--practice', 'prc_1'], 'Say what to change.'],
    [['update-webhook', '--practice', 'prc_1', '--endpoint', 'whe_1'], 'Say what to change.'],
    [
      ['add-key', '--practice', 'prc_1', '--name', 'Front', 'desk'],
      "too many arguments for 'add-key'. Expected 0 arguments but got 1: desk.",
    ],
    [['lst'], "unknown command 'lst'\n(Did you mean list?)"],
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['help', 'shw'], 'name a command, such as list'],
    [[], 'name a command, such as list'],
  ])('says what is wrong with %j, and where help is', async (args, message) => {
    const { exitCode, stderr, stdout } = await typed(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr.startsWith(message)).toBe(true);
    expect(stderr.split('\n').slice(-2)).toEqual(['Add --help to see what it takes.', '']);
    expect(stderr.split('\n').length).toBeLessThan(5);
  });

  it('reports wrong usage with a code for programs', async () => {
    const { exitCode, stdout, stderr } = await typed('lst', '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ error: "unknown command 'lst'\n(Did you mean list?)", code: 'usage' });
  });

  it('explains itself, and every command, within the width of the terminal', async () => {
    const all = await runLine(['--help'], 70);
    for (const name of commands.keys()) {
      expect(all.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
      const asked = await runLine(['help', name], 70);
      expect(await runLine([name, '--help'], 70)).toEqual(asked);
      expect(asked.exitCode).toBe(0);
      for (const option of Object.keys(commands.get(name)?.options ?? {}))
        expect(asked.stdout).toContain(`  ${flagOf(option)} `);
    }
    const lines = all.stdout.split('\n');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('names its stack in the commands that it prints', async () => {
    const { practiceId: practice } = service.practice;
    const { endpointId: endpoint = '' } = await run('add-webhook', { practice, url: 'https://hooks.example.com/' });
    await run('disable-webhook', { practice, endpoint });
    const { stdout } = await typed('enable-webhook', '--practice', practice, '--endpoint', endpoint, '--json');
    const { replay } = JSON.parse(stdout) as { replay: string };
    expect(replay).toMatch(new RegExp(` --data ${dataDir}$`));
    const replayed = await runLine([...replay.split(' ').slice(5), '--json']);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ replayed: 0 });
    await run('delete-webhook', { practice, endpoint });

    const { stderr } = await runLine(['list', '--data', "/no one's"]);
    expect(stderr).toContain("Start one with `npm start -- --data '/no one'\\''s'`");
  });

  it("keeps the demo endpoint's new secret in stack.json", async () => {
    const { practiceId, apiKey, endpointId } = service.practice;
    const demo = { practiceId, apiKey, endpointId, webhookUrl: service.receiver.url, testBankCredentials: [] };
    const { apiUrl, hostedUrl, dashboardUrl, dashboardUsers } = service;
    const urls = { apiUrl, hostedUrl, dashboardUrl, docsUrl: `${dashboardUrl}/docs/`, dashboardUsers };
    await writeStackFile(dataDir, { ...urls, practice: { ...demo, signingSecret: service.receiver.secret } });
    const { stdout } = await typed('rotate-secret', '--practice', practiceId, '--endpoint', endpointId, '--json');
    const { signingSecret } = JSON.parse(stdout) as { signingSecret: string };
    expect(JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8'))).toEqual({
      ...urls,
      practice: { ...demo, signingSecret },
    });
  });

  it("simulates a patient with the demo practice's key", async () => {
    const { practiceId, apiKey, endpointId } = service.practice;
    const demo = { practiceId, apiKey, endpointId, webhookUrl: service.receiver.url, testBankCredentials: [] };
    const { apiUrl, hostedUrl, dashboardUrl, dashboardUsers } = service;
    const urls = { apiUrl, hostedUrl, dashboardUrl, docsUrl: `${dashboardUrl}/docs/`, dashboardUsers };
    await writeStackFile(dataDir, { ...urls, practice: { ...demo, signingSecret: service.receiver.secret } });
    const { sessionId } = await service.createSession();
    const simulated = await typed('simulate', '--session', sessionId, '--as', 'user_late_return', '--json');
    expect(JSON.parse(simulated.stdout)).toMatchObject({ sessionId, status: 'succeeded' });
    const advanced = await typed('advance', '--session', sessionId, '--json');
    expect(JSON.parse(advanced.stdout)).toMatchObject({ return: { achReturnCode: 'R01' } });
    expect(await typed('advance', '--session', sessionId)).toMatchObject({
      exitCode: 1,
      stderr: "409 no_outcome_pending: Get the session's status: its bank has nothing more to report.\n",
    });
  });
});

describe('webhooks', () => {
  const answers = { status: 204, body: '' };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(answers.status).end(answers.body);
  });
  let endpoint: string[];
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { practiceId } = service.practice;
    const { endpointId = '' } = await run('add-webhook', { practice: practiceId, url });
    endpoint = ['--practice', practiceId, '--endpoint', endpointId];
  });
  afterAll(() => server.close());

  it('are tested: the command waits for the answer and shows it', async () => {
    Object.assign(answers, { status: 204, body: '' });
    expect(await typed('test-webhook', ...endpoint)).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^Delivered: 204 in \d+ ms\.\n$/),
      stderr: '',
    });
  });

  it("fail the test if the answer is not 2xx, and the receiver's response cannot control the terminal", async () => {
    Object.assign(answers, { status: 400, body: 'no\n\u001b[2J\u202e' });
    const { exitCode, stdout } = await typed('test-webhook', ...endpoint);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^Not delivered: 400 in \d+ ms\.\nResponse: no\\n\\u001b\[2J\\u202e\n$/);
    const json = await typed('test-webhook', ...endpoint, '--json');
    expect(json).toMatchObject({ exitCode: 1, stdout: expect.not.stringMatching(/[\u001b\u202e]/) });
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'failed', statusCode: 400, responseExcerpt: answers.body });
    const { stdout: listed } = await typed('deliveries', ...endpoint, '--status', 'failed', '--limit', '1');
    expect(listed).toContain(String.raw`no\n\u001b[2J\u202e`);
    expect(listed).toContain('There may be more');
  });

  it('do not keep the test waiting forever', async () => {
    const { exitCode, stdout } = await typed('test-webhook', ...endpoint, '--timeout', '0');
    expect(exitCode).toBe(1);
    expect(stdout).toBe(
      `Sent, and not answered yet. See: npm run -s practice -- deliveries ${endpoint.join(' ')} --data ${dataDir}\n`,
    );
  });

  async function pausedEndpoint(url: string, circuitOpenUntil: number): Promise<string[]> {
    const { practiceId } = service.practice;
    const row = {
      practiceId,
      endpointId: 'whe_paused',
      url,
      status: 'enabled',
      eventTypes: ['session.payment.returned'],
      signingSecret: service.receiver.secret,
      createdAt: new Date().toISOString(),
      consecutiveNoResponses: 5,
      circuitOpenUntil: toIso(circuitOpenUntil),
    } satisfies WebhookEndpoint;
    await createWebhookEndpoint(service.operated.database, row, anEntry(practiceId));
    return ['--practice', practiceId, '--endpoint', row.endpointId];
  }

  it('that are paused after network faults say so, and until when', async () => {
    const until = Date.now() + 300_000;
    const paused = await pausedEndpoint('https://paused.example.com/', until);
    const { exitCode, stdout } = await typed('test-webhook', ...paused, '--timeout', '30');
    expect(exitCode).toBe(1);
    const [, next = ''] =
      /^Not sent yet: the endpoint is busy, or paused .* We try again at (\S+)\. /.exec(stdout) ?? [];
    expect(Date.parse(next)).toBeGreaterThanOrEqual(until);
    expect(Date.parse(next)).toBeLessThanOrEqual(until + 5_000);
    expect(await typed('delete-webhook', ...paused)).toMatchObject({ exitCode: 0 });
  });

  it('whose pause is over are tried at once, although that begins another pause for all else', async () => {
    const hanging = createServer();
    const asked = once(hanging, 'request');
    const paused = await pausedEndpoint(`http://127.0.0.1:${await startServer(hanging)}/`, Date.now() - 1000);
    const tested = await typed('test-webhook', ...paused, '--timeout', '2');
    expect(tested).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^Sent, and not answered yet\./) });
    await asked;
    expect(await typed('delete-webhook', ...paused)).toMatchObject({ exitCode: 0 });
  });

  it('have deliveries, of one endpoint or of all, by status, type and session', async () => {
    const { practiceId } = service.practice;
    Object.assign(answers, { status: 400, body: 'no' });
    await typed('test-webhook', ...endpoint);
    Object.assign(answers, { status: 204, body: '' });
    const { sessionId } = await service.createSession();
    await service.client.sessions.cancel(sessionId);
    const eventId = sessionId.replace('ses_', 'evt_') + '_1';
    const ofSession = ['deliveries', '--practice', practiceId, '--session', sessionId, '--json'];
    const listed = async (...args: string[]) =>
      (JSON.parse((await typed(...ofSession, ...args)).stdout) as { deliveries: { eventId: string }[] }).deliveries;
    // The demo's endpoint, and this one.
    await vi.waitFor(async () => expect(await listed()).toMatchObject([{ eventId }, { eventId }]), patience);
    expect(await listed(...endpoint.slice(2))).toMatchObject([{ eventId, endpointId: endpoint[3] }]);
    expect(await listed('--type', 'session.payment.succeeded')).toEqual([]);
    const tests = await typed('deliveries', ...endpoint, '--type', 'webhook.test');
    expect(tests.stdout).toMatch(/^Created +Event +Type +Status +Attempts +Last answer +Response +Endpoint$/m);
    expect(tests.stdout).not.toContain(eventId);
  });
});

describe('options', () => {
  it('of create and update become settings', async () => {
    const options = {
      sessionLifetimeSeconds: '600',
      linkLifetimeDays: '1',
      supportPhone: '+1 555 010 0100',
      supportEmail: 'billing@lakeside.example',
      postalAddress: String.raw`120 Lakeside Drive\nSpringfield, IL 62701`,
      privacyUrl: 'https://lakeside.example/privacy',
      termsUrl: 'https://lakeside.example/terms',
      color: '#0f766e',
      extensions: 'off',
      invoiceGuard: 'off',
    };
    const settings = {
      sessionLifetimeSeconds: 600,
      linkLifetimeDays: 1,
      supportPhone: '+1 555 010 0100',
      supportEmail: 'billing@lakeside.example',
      postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
      privacyUrl: 'https://lakeside.example/privacy',
      termsUrl: 'https://lakeside.example/terms',
      primaryColor: '#0f766e',
      extensions: false,
      invoiceGuard: false,
    };
    const { practiceId: practice = '' } = await run('create', { name: 'Created', ...options });
    expect(await getPractice(service.operated.database, practice)).toMatchObject({ name: 'Created', ...settings });
    expect(await run('update', { practice, invoiceGuard: 'on' })).toMatchObject({ ...settings, invoiceGuard: true });
    const { practiceId: plain = '' } = await run('create', { name: 'Plain' });
    expect(await run('update', { practice: plain, name: 'Updated', ...options })).toMatchObject({
      name: 'Updated',
      ...settings,
    });
    const { practices } = await run<{ practices: { name: string }[] }>('list', {});
    expect(practices.map(({ name }) => name)).toContain('Updated');
  });

  it('of keys become names, scopes and times', async () => {
    const { practiceId: practice } = service.practice;
    const { keyId: key = '' } = await run('add-key', {
      practice,
      name: 'reports',
      scopes: 'sessions:read, sessions:write',
      expiresInDays: '2',
    });
    const row = await getApiKey(service.operated.database, key);
    expect(row).toMatchObject({ name: 'reports', scopes: ['sessions:read', 'sessions:write'] });
    expect(Date.parse(row?.expiresAt ?? '') - Date.parse(row?.createdAt ?? '')).toBe(2 * 86_400_000);
    expect(await run('rotate-key', { practice, key, end: 'now' })).toMatchObject({ previousKeyId: key });
    expect(await run('revoke-key', { practice, key })).toMatchObject({ keyId: key });
    const { keys } = await run<{ keys: { keyId: string; revokedAt?: string }[] }>('list-keys', { practice });
    expect(keys.find(({ keyId }) => keyId === key)).toHaveProperty('revokedAt');
  });

  it('of endpoints become URLs, event types and retries', async () => {
    const { practiceId: practice } = service.practice;
    const { endpointId: endpoint = '' } = await run('add-webhook', {
      practice,
      url: 'https://hooks.example.com/',
      events: 'session.payment.succeeded,session.payment.failed',
      retry: 'all',
    });
    const read = () => getWebhookEndpoint(service.operated.database, practice, endpoint);
    expect(await read()).toMatchObject({
      url: 'https://hooks.example.com/',
      eventTypes: ['session.payment.succeeded', 'session.payment.failed'],
      retryPolicy: 'all',
    });
    await run('update-webhook', { practice, endpoint, events: 'session.payment.failed', retry: 'standard' });
    expect(await read()).toMatchObject({ eventTypes: ['session.payment.failed'], retryPolicy: 'standard' });
    await run('update-webhook', { practice, endpoint, events: 'session.payment.failed,all' });
    expect(await read()).not.toHaveProperty('eventTypes');
    const { previousSecretExpiresAt } = await run('rotate-secret', { practice, endpoint, keepOldHours: '0' });
    expect(Date.parse(previousSecretExpiresAt ?? '')).toBeLessThanOrEqual(Date.now());
    await run('delete-webhook', { practice, endpoint });
  });

  it.each([
    ['create', { name: 'x', linkLifetimeDays: '366' }, '--link-lifetime-days is wrong. Use at most 365.'],
    ['create', { name: 'x', sessionLifetimeSeconds: '59' }, '--session-lifetime-seconds is wrong. Use at least 60.'],
    [
      'create',
      { name: 'x', sessionLifetimeSeconds: '1e3' },
      '--session-lifetime-seconds is wrong. Use a whole number.',
    ],
    ['create', { name: '\u202eedisekaL' }, '--name is wrong. Remove character 1, which is U+202E.'],
    ['create', { name: 'x', color: 'red' }, '--color is wrong. Use a color like #0f766e.'],
    ['update', { practice: 'prc_1', invoiceGuard: 'yes' }, '--invoice-guard is wrong. Use one of: on, off.'],
    [
      'add-key',
      { practice: 'prc_1', name: 'x', scopes: 'all' },
      '--scopes is wrong. Use one of: sessions:read, sessions:write, events:read, payouts:read, webhooks:write, authorizations:read, practices:write.',
    ],
    ['rotate-key', { practice: 'prc_1', key: 'x', end: '2h' }, '--end is wrong. Use one of: now, 1h, 24h, 7d.'],
    ['add-webhook', { practice: 'prc_1', url: 'x'.repeat(501) }, '--url is wrong. Use at most 500 characters.'],
    [
      'update-webhook',
      { practice: 'prc_1', endpoint: 'whe_1', retry: 'never' },
      '--retry is wrong. Use one of: standard, all.',
    ],
    [
      'update-webhook',
      { practice: 'prc_1', endpoint: 'whe_1', events: 'none' },
      '--events is wrong. Use one of: session.payment',
    ],
    [
      'rotate-secret',
      { practice: 'prc_1', endpoint: 'whe_1', keepOldHours: '169' },
      '--keep-old-hours is wrong. Use at most 168.',
    ],
    [
      'replay',
      { practice: 'prc_1', endpoint: 'whe_1', since: 'yesterday' },
      '--since is wrong. Use a date like 2026-11-20 or',
    ],
  ])('of %s are checked before anything is done: %j', async (name, typed, message) => {
    const options = optionsOf(name, typed);
    const openStack = () => Promise.resolve({} as OperatedStack);
    const place = { data: dataDir, stack: undefined };
    const { terminal } = captured();
    const command = commands.get(name)!;
    const context = { place, terminal, json: false, now: Date.now(), openStack };
    expect(inputErrors(await problemOf(command.run(context, options)), command, options)).toContain(message);
  });
});

it('every change by the command is in the audit log, by the operator', async () => {
  const { practiceId } = await run('create', { name: 'Audited', supportPhone: '+1 555 010 0100' });
  const of = { practice: String(practiceId) };
  const { keyId } = await run('add-key', { ...of, name: 'billing' });
  await run('update', { ...of, timeZone: 'America/Denver' });
  await run('revoke-key', { ...of, key: String(keyId) });
  const { entries } = await run<{ entries: AuditEntry[] }>('audit-log', of);
  expect(entries.map(({ author, action }) => [author, action])).toEqual(
    ['api_key.revoked', 'practice.updated', 'api_key.created', 'practice.created'].map((action) => [
      { kind: 'operator' },
      action,
    ]),
  );
});

it('a platform is created, gets a practice, and owns keys, endpoints and an audit log under its ID', async () => {
  const { practiceId: practice = '' } = await run('create', { name: 'Moving' });
  const { platformId: platform = '' } = await run('create-platform', { name: 'Harbor Software' });
  await run('join-platform', { practice, platform });
  const shown = await typed('show-platform', '--platform', platform);
  expect(shown.stdout).toMatch(new RegExp(`Harbor Software[^]*\\n${practice} +Moving +20`));
  expect((await typed('list-platforms')).stdout).toContain(platform);

  await run('update-platform', { platform, applicationFeeCents: '30' });
  expect((await typed('show', '--practice', practice)).stdout).toMatch(/Applied fee set for +platform/);
  await run('update-platform', { platform, applicationFeeCents: 'none' });
  const misread = await typed('update-platform', '--platform', platform, '--application-fee-cents', '-1');
  expect(misread).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Use a whole number, or `none`.') });

  const of = { practice: platform };
  const { keyId: key = '' } = await run('add-key', { ...of, name: 'nightly', scopes: 'practices:write' });
  await run('revoke-key', { ...of, key });
  const { endpointId: endpoint = '' } = await run('add-webhook', { ...of, url: 'https://hooks.example.com/' });
  expect((await typed('list-webhooks', '--practice', platform)).stdout).toContain(endpoint);
  expect((await typed('deliveries', '--practice', platform)).stdout).toBe('None.\n');
  await run('leave-platform', { practice });
  const { entries } = await run<{ entries: AuditEntry[] }>('audit-log', of);
  expect(entries.map(({ action, target }) => [action, target])).toEqual([
    ['practice.left_platform', practice],
    ['webhook_endpoint.created', endpoint],
    ['api_key.revoked', key],
    ['api_key.created', key],
    ['platform.updated', platform],
    ['platform.updated', platform],
    ['practice.joined_platform', practice],
    ['platform.created', platform],
  ]);
  const keys = await typed('list-keys', '--practice', 'plt_none');
  expect(keys).toMatchObject({ exitCode: 1, stderr: 'There is no platform with this id. Check the id.\n' });
  const refused = await typed('suspend', '--practice', platform);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('It begins with prc_') });
});

it('audit-log says who did what from where, newest first, and whether there is more', async () => {
  const { practiceId: practice = '' } = await run('create', { name: 'Watched', supportPhone: '+1 555 010 0100' });
  const { database, randomBytes } = service.operated;
  const written = { practiceId: practice, action: 'deliveries.replayed', target: 'whe_1' } as const;
  const authors = [
    {
      kind: 'user',
      userId: 'user-1',
      email: 'dana@lakeside.example',
      address: '192.0.2.1',
      sourceAddress: '198.51.100.7',
    },
    { kind: 'api_key', keyId: 'neGQouHXt3Jp', name: 'billing', address: '192.0.2.2' },
    { kind: 'processor' },
  ] as const;
  for (const [index, by] of authors.entries()) {
    const entry = { ...written, author: by, details: { replayed: '3' } };
    await writeAuditEntry(database, newAuditEntry({ randomBytes }, entry, Date.now() + (index + 1) * 1000));
  }
  const listed = await typed('audit-log', '--practice', practice);
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  const lines = listed.stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^Time +Action +Target +By +From +Connected from +Details$/);
  expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(1))).toEqual([
    ['deliveries.replayed', 'whe_1', 'processor', 'replayed=3'],
    ['deliveries.replayed', 'whe_1', 'API key billing', '192.0.2.2', 'replayed=3'],
    ['deliveries.replayed', 'whe_1', 'dana@lakeside.example', '192.0.2.1', '198.51.100.7', 'replayed=3'],
    ['practice.created', practice, 'operator', expect.stringContaining('Watched')],
  ]);
  const { stdout: first } = await typed('audit-log', '--practice', practice, '--limit', '1');
  expect(first).toMatch(/processor[^\n]*\n\nThere are more: raise --limit, or export the practice\.\n$/);
  expect(await typed('audit-log', '--practice', 'prc_none')).toMatchObject({ exitCode: 1, stdout: '' });
});
