import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../bin/practice/command-line.ts';
import { commands } from '../../bin/practice/commands.ts';
import { operatorFileOf, writePrivateFile, writeStackFile } from '../../bin/practice/files.ts';
import { problemText } from '../../bin/practice/problem-text.ts';
import { operatorFileName, type OperatedStack } from '../../bin/practice/stack.ts';
import { getApiKey } from '../../functions/store/api-keys.ts';
import { listAuditLog } from '../../functions/store/audit-log.ts';
import { getPractice } from '../../functions/store/practices.ts';
import { getWebhookEndpoint } from '../../functions/store/webhook-endpoints.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { problemOf } from '../support/problem-of.ts';
import { runCommand } from '../support/run-command.ts';

let dataDir: string;
let service: TestStack;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'payment-command-'));
  service = await startTestStack({ dataDir });
  await writePrivateFile(join(dataDir, operatorFileName), operatorFileOf(service.stack));
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const typed = (...args: string[]) => runCommandLine([...args, '--data', dataDir]);

const run = <Answer = Record<string, string>>(name: string, options: Record<string, string>) =>
  runCommand<Answer>(service.operated, name, options);

describe('the command line', () => {
  it('prints the result as JSON, on one line with --json', async () => {
    const { practiceId } = service.practice;
    const args = ['show', '--practice', practiceId, '--data', dataDir];
    const script = join(import.meta.dirname, '../../bin/practice.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
    expect(JSON.parse(stdout)).toMatchObject({ practiceId, linkLifetimeDays: 7 });
    expect(await runCommandLine([...args, '--json'])).toEqual({
      stdout: `${JSON.stringify(JSON.parse(stdout))}\n`,
      stderr: '',
      exitCode: 0,
    });
  });

  it('prints a problem in one sentence or two, as JSON with --json, and fails', async () => {
    const message = 'There is no practice with this id. Check the id.';
    const args = ['update', '--practice', 'prc_none', '--name', 'x'];
    expect(await typed(...args)).toEqual({ exitCode: 1, stdout: '', stderr: `${message}\n` });
    expect(await typed(...args, '--json')).toEqual({
      exitCode: 1,
      stdout: `${JSON.stringify({ error: message, code: 'practice_not_found' })}\n`,
      stderr: '',
    });
  });

  it('says which command enables an endpoint again', async () => {
    const { practice, endpoint } = { practice: service.practice.practiceId, endpoint: service.practice.endpointId };
    await run('disable-webhook', { practice, endpoint });
    const { stderr } = await typed('test-webhook', '--practice', practice, '--endpoint', endpoint);
    expect(stderr).toBe('Nothing is sent to a disabled endpoint. Enable it first. Use `enable-webhook`.\n');
    await run('enable-webhook', { practice, endpoint });
  });

  it.each([
    [['create', '--nme', 'x'], "Unknown option '--nme'"],
    [
      ['create', '--support-phone', 'call us'],
      '--name: This field is required. --support-phone: Use 7 to 30 digits, spaces, dots, hyphens or parentheses.\n',
    ],
    [['show'], '--practice: This field is required.\n'],
    [['show', '--name', 'x'], 'show does not take --name.\n'],
    [['update', '--practice', 'prc_1'], 'Say what to change.\n'],
    [['update-webhook', '--practice', 'prc_1', '--endpoint', 'whe_1'], 'Say what to change.\n'],
    [['lst'], 'There is no command "lst".'],
    [['list', 'show'], 'Unexpected argument "show".'],
    [[], 'Name a command.'],
  ])('shows its usage for %j', async (args, message) => {
    const { exitCode, stderr } = await typed(...args);
    expect(exitCode).toBe(1);
    expect(stderr.startsWith(message)).toBe(true);
    expect(stderr).toContain('\n\nUsage: npm run -s practice');
  });

  it('names its stack in the commands that it prints', async () => {
    const { practiceId: practice } = service.practice;
    const { endpointId: endpoint = '' } = await run('add-webhook', { practice, url: 'https://hooks.example.com/' });
    await run('disable-webhook', { practice, endpoint });
    const { stdout } = await typed('enable-webhook', '--practice', practice, '--endpoint', endpoint);
    const { replay } = JSON.parse(stdout) as { replay: string };
    expect(replay).toMatch(new RegExp(` --data ${dataDir}$`));
    const replayed = await runCommandLine(replay.split(' ').slice(5));
    expect(JSON.parse(replayed.stdout)).toMatchObject({ replayed: 0 });
    await run('delete-webhook', { practice, endpoint });

    const { stderr } = await runCommandLine(['list', '--data', "/no one's"]);
    expect(stderr).toContain("Start one with `npm start -- --data '/no one'\\''s'`");
  });

  it("keeps the demo endpoint's new secret in stack.json", async () => {
    const { practiceId, apiKey, endpointId } = service.practice;
    const demo = { practiceId, apiKey, endpointId, webhookUrl: service.receiver.url, testBankCredentials: [] };
    const { apiUrl, hostedUrl, dashboardUrl, dashboardUsers } = service;
    const urls = { apiUrl, hostedUrl, dashboardUrl, docsUrl: `${dashboardUrl}/docs/`, dashboardUsers };
    await writeStackFile(dataDir, { ...urls, practice: { ...demo, signingSecret: service.receiver.secret } });
    const { stdout } = await typed('rotate-secret', '--practice', practiceId, '--endpoint', endpointId);
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
    const simulated = await typed('simulate', '--session', sessionId, '--as', 'user_late_return');
    expect(JSON.parse(simulated.stdout)).toMatchObject({ sessionId, status: 'succeeded' });
    const advanced = await typed('advance', '--session', sessionId);
    expect(JSON.parse(advanced.stdout)).toMatchObject({ return: { achReturnCode: 'R01' } });
    expect(await typed('advance', '--session', sessionId)).toMatchObject({
      exitCode: 1,
      stderr: "Get the session's status: its bank has nothing more to report.\n",
    });
  });
});

describe('options', () => {
  it('of create and update become settings', async () => {
    const options = {
      'session-lifetime-seconds': '600',
      'link-lifetime-days': '1',
      'support-phone': '+1 555 010 0100',
      'support-email': 'billing@lakeside.example',
      color: '#0f766e',
      'invoice-guard': 'off',
    };
    const settings = {
      sessionLifetimeSeconds: 600,
      linkLifetimeDays: 1,
      supportPhone: '+1 555 010 0100',
      supportEmail: 'billing@lakeside.example',
      primaryColor: '#0f766e',
      invoiceGuard: false,
    };
    const { practiceId: practice = '' } = await run('create', { name: 'Created', ...options });
    expect(await getPractice(service.operated.database, practice)).toMatchObject({ name: 'Created', ...settings });
    expect(await run('update', { practice, 'invoice-guard': 'on' })).toMatchObject({ ...settings, invoiceGuard: true });
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
      'expires-in-days': '2',
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
    const { previousSecretExpiresAt } = await run('rotate-secret', { practice, endpoint, 'keep-old-hours': '0' });
    expect(Date.parse(previousSecretExpiresAt ?? '')).toBeLessThanOrEqual(Date.now());
    await run('delete-webhook', { practice, endpoint });
  });

  it.each([
    ['create', { name: 'x', 'link-lifetime-days': '366' }, '--link-lifetime-days: Use at most 365.'],
    ['create', { name: 'x', 'session-lifetime-seconds': '59' }, '--session-lifetime-seconds: Use at least 60.'],
    ['create', { name: 'x', 'session-lifetime-seconds': '1e3' }, '--session-lifetime-seconds: Use a whole number.'],
    ['create', { name: '\u202eedisekaL' }, '--name: This value is not allowed.'],
    ['create', { name: 'x', color: 'red' }, '--color: Use a color like #0f766e.'],
    ['update', { practice: 'prc_1', 'invoice-guard': 'yes' }, '--invoice-guard: Use one of: on, off.'],
    [
      'add-key',
      { practice: 'prc_1', name: 'x', scopes: 'all' },
      '--scopes: Use one of: sessions:read, sessions:write, events:read, webhooks:write.',
    ],
    ['rotate-key', { practice: 'prc_1', key: 'x', end: '2h' }, '--end: Use one of: now, 1h, 24h, 7d.'],
    ['add-webhook', { practice: 'prc_1', url: 'x'.repeat(201) }, '--url: Use at most 200 characters.'],
    ['update-webhook', { practice: 'prc_1', endpoint: 'x', retry: 'never' }, '--retry: Use one of: standard, all.'],
    ['update-webhook', { practice: 'prc_1', endpoint: 'x', events: 'none' }, '--events: Use one of: session.payment'],
    [
      'rotate-secret',
      { practice: 'prc_1', endpoint: 'x', 'keep-old-hours': '169' },
      '--keep-old-hours: Use at most 168.',
    ],
    ['replay', { practice: 'prc_1', endpoint: 'x', since: 'yesterday' }, '--since: Use a date like 2026-11-20 or'],
  ])('of %s are checked before anything is done: %j', async (name, options, message) => {
    const untouchable = {} as OperatedStack;
    const problem = await problemOf(commands.get(name)!.run(untouchable, options, Date.now()));
    expect(problemText(problem)).toContain(message);
  });
});

it('every change by the command is in the audit log, by the operator', async () => {
  const { practiceId } = await run('create', { name: 'Audited', 'support-phone': '+1 555 010 0100' });
  const of = { practice: String(practiceId) };
  const { keyId } = await run('add-key', { ...of, name: 'billing' });
  await run('update', { ...of, 'time-zone': 'America/Denver' });
  await run('revoke-key', { ...of, key: String(keyId) });
  const { entries } = await listAuditLog(service.operated.database, String(practiceId), { limit: 10 });
  expect(entries.map(({ author, action }) => [author, action])).toEqual(
    ['api_key.revoked', 'practice.updated', 'api_key.created', 'practice.created'].map((action) => [
      { kind: 'operator' },
      action,
    ]),
  );
});
