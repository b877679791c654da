import { describe, expect, it } from 'vitest';
import { defaultScopes } from '../../functions/domain/practices/api-key.ts';
import { listApiKeys } from '../../functions/store/practices/api-keys.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { getPractice, readPractices } from '../../functions/store/practices/practices.ts';
import { insert, remove } from '../../functions/store/rows.ts';
import { listWebhookEndpoints } from '../../functions/store/webhooks/webhook-endpoints.ts';
import { createPractice } from '../../functions/practices/create.ts';
import { getSettings, listPractices, updateSettings } from '../../functions/practices/settings.ts';
import { author } from '../support/create-practice.ts';
import { getTestBank, newTestBankPassword } from '../../functions/practices/test-bank.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice, practiceTools } from './a-practice.ts';

const tables = await startTestTables();

const now = Date.parse('2026-11-20T15:00:00.000Z');

describe('a new practice', () => {
  it('has default settings, a key and, with a URL, an endpoint', async () => {
    const tools = practiceTools(tables);
    const created = await createPractice(
      tools,
      { author, name: 'Lakeside', webhookUrl: 'https://hooks.example.com/' },
      now,
    );
    const { practiceId, apiKey, endpointId, signingSecret } = created;
    expect(await getSettings(tools, { practiceId })).toEqual({
      practiceId,
      name: 'Lakeside',
      createdAt: '2026-11-20T15:00:00.000Z',
      primaryColor: '#1d4ed8',
      linkLifetimeDays: 7,
      sessionLifetimeSeconds: 1800,
      extensions: true,
      invoiceGuard: true,
      retentionMonths: 24,
      timeZone: 'America/New_York',
    });
    expect(await listApiKeys(tables.database, practiceId)).toMatchObject([
      { keyId: apiKey?.split('_')[2], name: 'First key', scopes: [...defaultScopes] },
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
      postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
      privacyUrl: 'https://lakeside.example/privacy',
      termsUrl: 'https://lakeside.example/terms',
      primaryColor: '#0f766e',
      extensions: false,
      invoiceGuard: false,
      retentionMonths: 84,
      timeZone: 'America/Los_Angeles',
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
    expect(await problemOf(createPractice(tools, { author, name: 'Nobody to call' }, now))).toMatchObject({
      code: 'contact_required',
    });
    for (const contact of [{ supportPhone: '+1 555 010 0100' }, { supportEmail: 'billing@lakeside.example' }]) {
      const created = await createPractice(tools, { author, name: 'Live', ...contact }, now);
      expect(created).not.toHaveProperty('testBankCredentials');
    }
    expect((await readPractices(tables.database)).practices.map(({ name }) => name)).not.toContain('Nobody to call');
  });

  it('is not created with settings that are not allowed', async () => {
    const input = { author, name: 'Refused', sessionLifetimeSeconds: 59, supportEmail: 'billing' };
    expect((await problemOf(createPractice(practiceTools(tables), input, now))).extra).toMatchObject({
      errors: [{ pointer: '/sessionLifetimeSeconds' }, { pointer: '/supportEmail' }],
    });
    expect((await readPractices(tables.database)).practices.map(({ name }) => name)).not.toContain('Refused');
  });

  it('is not created when webhooks cannot be sent to its URL', async () => {
    const refused = createPractice(
      practiceTools(tables),
      { author, name: 'Refused', webhookUrl: 'http://127.0.0.1:4002/' },
      now,
    );
    expect(await problemOf(refused)).toMatchObject({ code: 'webhook_url_not_allowed' });
    expect((await readPractices(tables.database)).practices.map(({ name }) => name)).not.toContain('Refused');
  });
});

describe('the test bank', () => {
  it('gets a new password on demand, for every user', async () => {
    const { tools, created, practiceId } = await aPractice(tables);
    const password = created.testBankCredentials?.[0]?.password;
    const { users } = await getTestBank(tools, { practiceId });
    expect(await getTestBank(tools, { practiceId })).toEqual({ password, users });
    expect(users).toContainEqual({ scenario: 'good', username: 'user_good' });
    const changed = await newTestBankPassword(tools, { author, practiceId }, now);
    expect(changed.password).not.toBe(password);
    expect(await getTestBank(tools, { practiceId })).toEqual(changed);
  });

  it('does not exist in live mode, or for an unknown practice', async () => {
    const live = practiceTools(tables, 'live');
    const { practiceId } = await createPractice(live, { author, name: 'Live', supportPhone: '+1 555 010 0100' }, now);
    expect(await problemOf(getTestBank(live, { practiceId }))).toMatchObject({ code: 'test_bank_not_found' });
    expect(await problemOf(newTestBankPassword(live, { author, practiceId }, now))).toMatchObject({
      code: 'test_bank_not_found',
    });
    const unknown = newTestBankPassword(practiceTools(tables), { author, practiceId: 'prc_none' }, now);
    expect(await problemOf(unknown)).toMatchObject({ code: 'practice_not_found' });
  });
});

describe('settings', () => {
  it('keep what a change does not mention', async () => {
    const { tools, practiceId } = await aPractice(tables, { supportPhone: '+1 555 010 0100', linkLifetimeDays: 3 });
    const before = await getSettings(tools, { practiceId });
    const changed = await updateSettings(tools, { author, practiceId, name: 'Hillside', invoiceGuard: false }, now);
    expect(changed).toEqual({ ...before, name: 'Hillside', invoiceGuard: false });
    expect(await getSettings(tools, { practiceId })).toEqual(changed);
    expect(await updateSettings(tools, { author, practiceId, name: 'Hillside', supportPhone: undefined }, now)).toEqual(
      changed,
    );
  });

  it('cannot change to nothing or to values that are not allowed', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const before = await getSettings(tools, { practiceId });
    for (const change of [{}, { name: undefined }])
      expect(await problemOf(updateSettings(tools, { author, practiceId, ...change }, now))).toMatchObject({
        code: 'invalid_request',
        message: 'Say what to change.',
      });
    const refused = updateSettings(
      tools,
      { author, practiceId, name: 'Hillside', linkLifetimeDays: 366, invoiceGuard: 'on' },
      now,
    );
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

  it.each(['', 'Eastern', '+05:00', 'America/Atlantis'])('refuse %j as a time zone', async (timeZone) => {
    const { tools, practiceId } = await aPractice(tables);
    const refused = await problemOf(updateSettings(tools, { author, practiceId, timeZone }, now));
    expect(refused.extra).toMatchObject({ errors: [{ pointer: '/timeZone' }] });
    expect(await updateSettings(tools, { author, practiceId, timeZone: 'Pacific/Honolulu' }, now)).toMatchObject({
      timeZone: 'Pacific/Honolulu',
    });
  });

  it('let a contact be removed, but never the last one in live mode', async () => {
    const contacts = { supportPhone: '+1 555 010 0100', supportEmail: 'billing@lakeside.example' };
    const tools = practiceTools(tables, 'live');
    const { practiceId } = await createPractice(tools, { author, name: 'Live', ...contacts }, now);
    const change = (given: object) => updateSettings(tools, { author, practiceId, ...given }, now);
    const refusal = { code: 'contact_required' };

    expect(await problemOf(change({ supportPhone: null, supportEmail: null }))).toMatchObject(refusal);
    expect(await change({ supportPhone: null })).not.toHaveProperty('supportPhone');
    expect(await problemOf(change({ supportEmail: null }))).toMatchObject(refusal);
    expect(await change({ supportEmail: null, supportPhone: contacts.supportPhone })).toMatchObject({
      supportPhone: contacts.supportPhone,
    });
    expect(await problemOf(change({ supportPhone: null }))).toMatchObject(refusal);

    await change(contacts);
    const both = await Promise.allSettled([change({ supportPhone: null }), change({ supportEmail: null })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);

    const { tools: sandbox, practiceId: tried } = await aPractice(tables, contacts);
    const none = { supportPhone: null, supportEmail: null };
    expect(await updateSettings(sandbox, { author, practiceId: tried, ...none }, now)).not.toHaveProperty(
      'supportEmail',
    );
  });

  it('let the address and the links to its own pages be removed, and the audit log says so', async () => {
    const own = {
      postalAddress: '120 Lakeside Drive\nSpringfield, IL 62701',
      privacyUrl: 'https://lakeside.example/privacy',
      termsUrl: 'https://lakeside.example/terms',
    };
    const { tools, practiceId } = await aPractice(tables);
    const before = await getSettings(tools, { practiceId });
    expect(await updateSettings(tools, { author, practiceId, ...own }, now)).toEqual({ ...before, ...own });
    const removed = { postalAddress: null, privacyUrl: null, termsUrl: null };
    expect(await updateSettings(tools, { author, practiceId, ...removed }, now + 1)).toEqual(before);
    const { entries } = await listAuditLog(tables.database, practiceId, { limit: 10 });
    const changes = entries.filter(({ action }) => action === 'practice.updated');
    expect(changes.map(({ details }) => details)).toEqual([{ removed: 'postalAddress privacyUrl termsUrl' }, own]);
  });

  it('are listed without passwords', async () => {
    const { tools, created, practiceId } = await aPractice(tables);
    const { practices } = await listPractices(tools);
    expect(practices).toContainEqual(await getSettings(tools, { practiceId }));
    expect(JSON.stringify(practices)).not.toContain(created.testBankCredentials?.[0]?.password);
  });

  it('are listed although the row of another practice is invalid', async () => {
    const { tools, practiceId } = await aPractice(tables);
    await insert(tables.database, 'practices', { practiceId: 'prc_invalid', name: 'Lakeside' }, 'practiceId');
    const listed = await listPractices(tools);
    await remove(tables.database, 'practices', { practiceId: 'prc_invalid' });
    expect(listed.practices).toContainEqual(await getSettings(tools, { practiceId }));
    expect(listed.unreadableIds).toEqual(['prc_invalid']);
  });

  it('of an unknown practice are not found', async () => {
    const tools = practiceTools(tables);
    const practiceId = 'prc_none';
    expect(await problemOf(getSettings(tools, { practiceId }))).toMatchObject({ code: 'practice_not_found' });
    expect(await problemOf(updateSettings(tools, { author, practiceId, name: 'x' }, now))).toMatchObject({
      code: 'practice_not_found',
    });
    expect(await problemOf(updateSettings(tools, { author, practiceId, logo: null }, now))).toMatchObject({
      code: 'practice_not_found',
    });
    expect(await getPractice(tables.database, practiceId)).toBeUndefined();
  });
});
