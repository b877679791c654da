import { describe, expect, it } from 'vitest';
import { termsVersion } from '../../functions/domain/practices/practice.ts';
import { createPractice } from '../../functions/practices/create.ts';
import { addKey, listKeys } from '../../functions/practices/keys.ts';
import { getSettingsAndNeeds, updateSettings } from '../../functions/practices/settings.ts';
import { acceptTerms, requireReadyForLinks } from '../../functions/practices/go-live.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { recordSuccess } from '../../functions/store/webhooks/endpoint-health.ts';
import { getExistingPractice, updatePractice } from '../../functions/store/practices/practices.ts';
import { newAuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { requireEndpoint } from '../../functions/webhooks/requirements.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice, practiceTools } from './a-practice.ts';

const tables = await startTestTables();
const tools = practiceTools(tables, 'live');
const now = Date.parse('2026-11-20T15:00:00.000Z');
const user = { kind: 'user', userId: 'usr_1', email: 'ana@lakeside.example', address: '192.0.2.1' } as const;

async function aLivePractice() {
  const webhookUrl = 'https://hooks.example.com/';
  const input = { author, name: 'Lakeside', supportPhone: '+1 555 010 0100', webhookUrl };
  const { practiceId, endpointId = '', apiKey } = await createPractice(tools, input, now);
  return { practiceId, endpointId, apiKey };
}

async function setDepositReady(practiceId: string) {
  const update = { practiceId, author, action: 'practice.updated', target: practiceId } as const;
  const entry = newAuditEntry(tools, update, now);
  await updatePractice(tables.database, practiceId, { set: { depositReadyAt: '2026-11-20T15:00:00.000Z' } }, entry);
}

const missingOf = async (practiceId: string) =>
  (await problemOf(addKey(tools, { author, practiceId, name: 'first' }, now))).extra['missing'];

describe('the first live key', () => {
  it('is not created with the practice', async () => {
    const { practiceId, apiKey } = await aLivePractice();
    expect(apiKey).toBeUndefined();
    expect(await listKeys(tools, { practiceId })).toEqual({ keys: [] });
  });

  it('needs everything that live payments need, and one problem says what is missing', async () => {
    const { practiceId, endpointId } = await aLivePractice();
    const refused = await problemOf(addKey(tools, { author, practiceId, name: 'first' }, now));
    expect(refused).toMatchObject({
      code: 'not_ready_for_live',
      extra: { missing: ['branding', 'deposit', 'webhookDelivered', 'terms'] },
    });
    expect(refused.message).toContain('a bank account for deposits');

    await updateSettings(tools, { author, practiceId, primaryColor: '#0f766e' }, now);
    expect(await missingOf(practiceId)).toEqual(['deposit', 'webhookDelivered', 'terms']);
    await setDepositReady(practiceId);
    expect(await missingOf(practiceId)).toEqual(['webhookDelivered', 'terms']);
    const endpoint = await requireEndpoint(tables.database, { practiceId, endpointId });
    await recordSuccess(tables.database, endpoint, now);
    expect(await missingOf(practiceId)).toEqual(['terms']);
    await acceptTerms(tools, { practiceId, author: user, version: termsVersion }, now);

    expect((await addKey(tools, { author, practiceId, name: 'first' }, now)).apiKey).toMatch(/^pip_live_/);
  });

  it('is the only key that needs this', async () => {
    const { practiceId } = await aLivePractice();
    const { apiKey } = await addKey({ ...tools, mode: 'sandbox' }, { author, practiceId, name: 'earlier' }, now);
    expect(apiKey).not.toBe('');
    expect((await addKey(tools, { author, practiceId, name: 'next' }, now)).apiKey).toMatch(/^pip_live_/);
  });

  it('needs nothing in a sandbox', async () => {
    const { created } = await aPractice(tables);
    expect(created.apiKey).toMatch(/^pip_sandbox_/);
  });
});

describe('the first live payment link of the dashboard', () => {
  const missingForLinksOf = async (practiceId: string) =>
    (await getSettingsAndNeeds(tools, { practiceId })).missingForLinks;

  it('needs no webhook endpoint', async () => {
    const { practiceId } = await createPractice(tools, { author, name: 'Hillside', supportEmail: 'a@b.example' }, now);
    expect(await missingForLinksOf(practiceId)).toEqual(['terms', 'deposit', 'branding']);
    const refused = await problemOf(requireReadyForLinks(tools, practiceId));
    expect(refused).toMatchObject({ code: 'not_ready_for_live', extra: { missing: ['terms', 'deposit', 'branding'] } });
    expect(refused.message).toContain('Before its first live payment link, the practice needs the terms accepted');

    await updateSettings(tools, { author, practiceId, primaryColor: '#0f766e' }, now);
    await setDepositReady(practiceId);
    await acceptTerms(tools, { practiceId, author: user, version: termsVersion }, now);
    expect(await missingForLinksOf(practiceId)).toEqual([]);
    await requireReadyForLinks(tools, practiceId);
    expect(await missingOf(practiceId)).toEqual(['webhookDelivered']);
  });

  it('is not the last one when the terms get a new version', async () => {
    const { practiceId } = await aLivePractice();
    await acceptTerms(tools, { practiceId, author: user, version: '2020-01-01' }, now);
    expect(await missingForLinksOf(practiceId)).toEqual(['deposit', 'branding']);
  });

  it('needs nothing in a sandbox, or of a practice that has had a key', async () => {
    const { practiceId } = await aLivePractice();
    const sandbox = { ...tools, mode: 'sandbox' } as const;
    expect((await getSettingsAndNeeds(sandbox, { practiceId })).missingForLinks).toEqual([]);
    await requireReadyForLinks(sandbox, practiceId);
    await addKey(sandbox, { author, practiceId, name: 'earlier' }, now);
    expect(await missingForLinksOf(practiceId)).toEqual([]);
    await requireReadyForLinks(tools, practiceId);
  });
});

describe('the terms', () => {
  it('are accepted by a person, at a time, in one version', async () => {
    const { practiceId } = await aLivePractice();
    await acceptTerms(tools, { practiceId, author: user, version: termsVersion }, now + 1000);
    expect((await getExistingPractice(tables.database, practiceId)).termsAccepted).toEqual({
      version: termsVersion,
      at: '2026-11-20T15:00:01.000Z',
      by: 'ana@lakeside.example',
    });
    const { entries } = await listAuditLog(tables.database, practiceId, { limit: 1 });
    expect(entries).toMatchObject([{ action: 'terms.accepted', author: user, details: { version: termsVersion } }]);
  });

  it('of an older version must be accepted again', async () => {
    const { practiceId } = await aLivePractice();
    await acceptTerms(tools, { practiceId, author: user, version: '2020-01-01' }, now);
    expect(await missingOf(practiceId)).toContain('terms');
  });

  it('of an unknown practice are not found', async () => {
    const unknown = acceptTerms(tools, { practiceId: 'prc_none', author: user, version: termsVersion }, now);
    expect(await problemOf(unknown)).toMatchObject({ code: 'practice_not_found' });
  });
});
