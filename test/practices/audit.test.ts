import { describe, expect, it } from 'vitest';
import { createPractice } from '../../functions/practices/create.ts';
import { addKey, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { getSettings, updateSettings } from '../../functions/practices/settings.ts';
import { revealSecret, rotateSecret } from '../../functions/webhooks/signing-secrets.ts';
import { newTestBankPassword } from '../../functions/practices/test-bank.ts';
import {
  addEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  placeEndpoint,
  updateEndpoint,
} from '../../functions/webhooks/webhook-endpoints.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice, practiceTools } from './a-practice.ts';

const tables = await startTestTables();

const now = Date.parse('2026-11-20T15:00:00.000Z');

async function entriesOf(practiceId: string) {
  return (await listAuditLog(tables.database, practiceId, { limit: 50 })).entries;
}

async function anAuditedPractice() {
  const { tools, practiceId } = await aPractice(tables);
  const tick = { now };
  const at = () => (tick.now += 1000);
  const added = async () => (await entriesOf(practiceId)).filter(({ action }) => action !== 'practice.created');
  return { tools, practiceId, owned: { practiceId, author }, at, added };
}

describe('the audit log', () => {
  it('names who created a practice', async () => {
    const { practiceId } = await createPractice(practiceTools(tables), { author, name: 'Lakeside' }, now);
    expect(await entriesOf(practiceId)).toEqual([
      {
        practiceId,
        entryId: expect.stringMatching(/^aud_/),
        at: '2026-11-20T15:00:00.000Z',
        author,
        action: 'practice.created',
        target: practiceId,
        details: { name: 'Lakeside' },
      },
    ]);
  });

  it('has an entry for each change of keys', async () => {
    const { tools, owned, at, added } = await anAuditedPractice();
    const { keyId } = await addKey(tools, { ...owned, name: 'billing', scopes: ['sessions:read'] }, at());
    const { keyId: successor } = await rotateKey(tools, { ...owned, keyId, end: 'now' }, at());
    await revokeKey(tools, { ...owned, keyId: successor }, at());
    await revokeKey(tools, { ...owned, keyId: successor }, at());
    expect(await added()).toMatchObject([
      { action: 'api_key.revoked', target: successor, author },
      { action: 'api_key.rotated', target: keyId, details: { name: 'billing', successor } },
      { action: 'api_key.created', target: keyId, details: { name: 'billing', scopes: 'sessions:read' } },
    ]);
  });

  it('has an entry for each change of endpoints, without what may be a token in a URL', async () => {
    const { tools, practiceId, owned, at, added } = await anAuditedPractice();
    const { endpointId } = await addEndpoint(tools, { ...owned, url: 'https://old.example.com/in?token=t0p' }, at());
    const endpoint = { ...owned, endpointId };
    const eventTypes = ['session.payment.failed', 'session.payment.returned'];
    await updateEndpoint(tools, { ...endpoint, eventTypes, retryPolicy: 'all' }, at());
    await placeEndpoint(tools, { ...endpoint, url: 'https://new.example.com/in?token=t0p' }, at());
    await placeEndpoint(tools, { ...endpoint, url: 'https://new.example.com/in?token=t0p' }, at());
    await disableEndpoint(tools, endpoint, at());
    await disableEndpoint(tools, endpoint, at());
    await enableEndpoint(tools, endpoint, at());
    await rotateSecret(tools, endpoint, at());
    await revealSecret(tools, endpoint, at());
    await deleteEndpoint(tools, endpoint, at());
    const entries = await added();
    expect(entries.map(({ action }) => action)).toEqual([
      'webhook_endpoint.deleted',
      'signing_secret.revealed',
      'signing_secret.rotated',
      'webhook_endpoint.enabled',
      'webhook_endpoint.disabled',
      'webhook_endpoint.moved',
      'webhook_endpoint.updated',
      'webhook_endpoint.created',
    ]);
    for (const entry of entries) expect(entry).toMatchObject({ practiceId, author, target: endpointId });
    expect(entries[7]?.details).toEqual({ url: 'https://old.example.com/in' });
    expect(entries[6]?.details).toEqual({ eventTypes: eventTypes.join(' '), retryPolicy: 'all' });
    expect(entries[5]?.details).toEqual({ from: 'https://old.example.com/in', url: 'https://new.example.com/in' });
    expect(entries[0]?.details).toEqual({ url: 'https://new.example.com/in' });
    expect(JSON.stringify(entries)).not.toMatch(/t0p|whsec/);
  });

  it('has an entry for each change of settings and of the test bank, without the password', async () => {
    const { tools, owned, at, added } = await anAuditedPractice();
    await updateSettings(tools, { ...owned, name: 'Hillside', invoiceGuard: false, logo: null }, at());
    const { password } = await newTestBankPassword(tools, owned, at());
    const entries = await added();
    expect(entries).toMatchObject([
      { action: 'test_bank_password.changed' },
      { action: 'practice.updated', details: { name: 'Hillside', invoiceGuard: 'false', removed: 'logoUrl' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(password);
  });

  it('has no entry for what was refused', async () => {
    const { tools, owned, at, added } = await anAuditedPractice();
    const unknown = { ...owned, endpointId: 'whe_none' };
    for (const change of [deleteEndpoint, disableEndpoint, enableEndpoint, rotateSecret, revealSecret])
      expect(await problemOf(change(tools, unknown, at()))).toMatchObject({ code: 'webhook_endpoint_not_found' });
    expect(await problemOf(revokeKey(tools, { ...owned, keyId: 'none' }, at()))).toMatchObject({
      code: 'api_key_not_found',
    });
    expect(await added()).toEqual([]);
  });

  it('and the change it records are written together or not at all', async () => {
    const { tools, practiceId, owned, at } = await anAuditedPractice();
    const sameBytes = { ...tools, randomBytes: (size: number) => new Uint8Array(size) };
    const time = at();
    await updateSettings(sameBytes, { ...owned, name: 'First' }, time);
    await expect(updateSettings(sameBytes, { ...owned, name: 'Second' }, time)).rejects.toThrow('already taken');
    expect(await getSettings(tools, { practiceId })).toMatchObject({ name: 'First' });
  });
});
