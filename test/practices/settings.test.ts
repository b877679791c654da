import { describe, expect, it } from 'vitest';
import { listApiKeys } from '../../functions/store/api-keys.ts';
import { getPractice, readPractices } from '../../functions/store/practices.ts';
import { listWebhookEndpoints } from '../../functions/store/webhook-endpoints.ts';
import { createPractice } from '../../functions/practices/create.ts';
import { getSettings, listPractices, updateSettings } from '../../functions/practices/settings.ts';
import { problemOf } from '../support/problem-of.ts';
import { startTestTables } from '../support/test-tables.ts';
import { aPractice, practiceTools } from './a-practice.ts';

const tables = await startTestTables();

const now = Date.parse('2026-11-20T15:00:00.000Z');

describe('a new practice', () => {
  it('has default settings, a key and, with a URL, an endpoint', async () => {
    const tools = practiceTools(tables);
    const created = await createPractice(tools, { name: 'Lakeside', webhookUrl: 'https://hooks.example.com/' }, now);
    const { practiceId, apiKey, endpointId, signingSecret } = created;
    expect(await getSettings(tools, { practiceId })).toEqual({
      practiceId,
      name: 'Lakeside',
      createdAt: '2026-11-20T15:00:00.000Z',
      primaryColor: '#1d4ed8',
      linkLifetimeDays: 7,
      sessionLifetimeSeconds: 1800,
      invoiceGuard: true,
    });
    expect(await listApiKeys(tables.database, practiceId)).toMatchObject([
      { keyId: apiKey.split('_')[2], name: 'First key', scopes: ['sessions:read', 'sessions:write'] },
    ]);
    expect(await listWebhookEndpoints(tables.database, practiceId)).toMatchObject([
      { endpointId, signingSecret, url: 'https://hooks.example.com/', status: 'enabled' },
    ]);
  });

  it('gets the settings that are given, and its own password for every user of the test bank', async () => {
    const settings = {
      name: 'Lakeside',
      sessionLifetimeSeconds: 600,
      linkLifetimeDays: 1,
      supportPhone: '+1 555 010 0100',
      supportEmail: 'billing@lakeside.example',
      primaryColor: '#0f766e',
      invoiceGuard: false,
    };
    const { tools, created, practiceId } = await aPractice(tables, settings);
    expect(await getSettings(tools, { practiceId })).toMatchObject(settings);
    expect(created).not.toHaveProperty('webhookUrl');
    const { testBankPassword } = (await getPractice(tables.database, practiceId))!;
    expect(created.testBankCredentials).toContainEqual({
      scenario: 'good',
      username: 'user_good',
      password: testBankPassword,
    });
    expect(new Set(created.testBankCredentials?.map(({ password }) => password))).toEqual(new Set([testBankPassword]));
    expect((await aPractice(tables)).created.testBankCredentials?.[0]?.password).not.toBe(testBankPassword);
  });

  it('needs a contact if it is live, and has no test bank', async () => {
    const tools = practiceTools(tables, 'live');
    expect(await problemOf(createPractice(tools, { name: 'Nobody to call' }, now))).toMatchObject({
      code: 'contact_required',
    });
    for (const contact of [{ supportPhone: '+1 555 010 0100' }, { supportEmail: 'billing@lakeside.example' }]) {
      const created = await createPractice(tools, { name: 'Live', ...contact }, now);
      expect(created.apiKey).toMatch(/^pip_live_/);
      expect(created).not.toHaveProperty('testBankCredentials');
    }
    expect((await readPractices(tables.database)).map(({ name }) => name)).not.toContain('Nobody to call');
  });

  it('is not created with settings that are not allowed', async () => {
    const input = { name: 'Refused', sessionLifetimeSeconds: 59, supportEmail: 'billing' };
    expect((await problemOf(createPractice(practiceTools(tables), input, now))).extra).toMatchObject({
      errors: [{ pointer: '/sessionLifetimeSeconds' }, { pointer: '/supportEmail' }],
    });
    expect((await readPractices(tables.database)).map(({ name }) => name)).not.toContain('Refused');
  });

  it('is not created when webhooks cannot be sent to its URL', async () => {
    const refused = createPractice(
      practiceTools(tables),
      { name: 'Refused', webhookUrl: 'http://127.0.0.1:4002/' },
      now,
    );
    expect(await problemOf(refused)).toMatchObject({ code: 'webhook_url_not_allowed' });
    expect((await readPractices(tables.database)).map(({ name }) => name)).not.toContain('Refused');
  });
});

describe('settings', () => {
  it('keep what a change does not mention', async () => {
    const { tools, practiceId } = await aPractice(tables, { supportPhone: '+1 555 010 0100', linkLifetimeDays: 3 });
    const before = await getSettings(tools, { practiceId });
    const changed = await updateSettings(tools, { practiceId, name: 'Hillside', invoiceGuard: false });
    expect(changed).toEqual({ ...before, name: 'Hillside', invoiceGuard: false });
    expect(await getSettings(tools, { practiceId })).toEqual(changed);
    expect(await updateSettings(tools, { practiceId, name: 'Hillside', supportPhone: undefined })).toEqual(changed);
  });

  it('cannot change to nothing or to values that are not allowed', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const before = await getSettings(tools, { practiceId });
    for (const change of [{}, { name: undefined }])
      expect(await problemOf(updateSettings(tools, { practiceId, ...change }))).toMatchObject({
        code: 'invalid_request',
        message: 'Say what to change.',
      });
    const refused = updateSettings(tools, { practiceId, name: 'Hillside', linkLifetimeDays: 366, invoiceGuard: 'on' });
    expect(await problemOf(refused)).toMatchObject({
      code: 'invalid_request',
      extra: {
        errors: [
          { pointer: '/linkLifetimeDays', code: 'out_of_range', detail: 'Use at most 365.' },
          { pointer: '/invoiceGuard', code: 'invalid_type' },
        ],
      },
    });
    expect(await getSettings(tools, { practiceId })).toEqual(before);
  });

  it('are listed without passwords', async () => {
    const { tools, created, practiceId } = await aPractice(tables);
    const { practices } = await listPractices(tools);
    expect(practices).toContainEqual(await getSettings(tools, { practiceId }));
    expect(JSON.stringify(practices)).not.toContain(created.testBankCredentials?.[0]?.password);
  });

  it('of an unknown practice are not found', async () => {
    const tools = practiceTools(tables);
    const practiceId = 'prc_none';
    expect(await problemOf(getSettings(tools, { practiceId }))).toMatchObject({ code: 'practice_not_found' });
    expect(await problemOf(updateSettings(tools, { practiceId, name: 'x' }))).toMatchObject({
      code: 'practice_not_found',
    });
    expect(await problemOf(updateSettings(tools, { practiceId, logo: null }))).toMatchObject({
      code: 'practice_not_found',
    });
    expect(await getPractice(tables.database, practiceId)).toBeUndefined();
  });
});
