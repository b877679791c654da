import { describe, expect, it } from 'vitest';
import { parseApiKey } from '../../functions/domain/api-key.ts';
import { getApiKey } from '../../functions/store/api-keys.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { problemOf } from '../support/problem-of.ts';
import { startTestTables } from '../support/test-tables.ts';
import { aPractice, practiceTools } from './a-practice.ts';

const tables = await startTestTables();

const now = Date.parse('2026-11-20T15:00:00.000Z');
const hour = 3_600_000;

describe('a new key', () => {
  it('has every scope and no expiry unless told otherwise', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId, apiKey } = await addKey(tools, { practiceId, name: 'billing' }, now);
    const { secretHash } = parseApiKey(apiKey)!;
    expect(await getApiKey(tables.database, keyId)).toEqual({
      keyId,
      practiceId,
      name: 'billing',
      secretHash,
      scopes: ['sessions:read', 'sessions:write'],
      createdAt: '2026-11-20T15:00:00.000Z',
    });
    const limited = await addKey(tools, { practiceId, name: 'x', scopes: ['sessions:read'], expiresInDays: 2 }, now);
    expect(await getApiKey(tables.database, limited.keyId)).toMatchObject({
      scopes: ['sessions:read'],
      expiresAt: '2026-11-22T15:00:00.000Z',
    });
  });

  it('is listed without its secret', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId, apiKey } = await addKey(tools, { practiceId, name: 'billing' }, now);
    const { keys } = await listKeys(tools, { practiceId });
    expect(keys).toContainEqual({
      keyId,
      name: 'billing',
      scopes: ['sessions:read', 'sessions:write'],
      createdAt: '2026-11-20T15:00:00.000Z',
    });
    expect(JSON.stringify(keys)).not.toContain(apiKey.slice(-43));
    expect(JSON.stringify(keys)).not.toContain(parseApiKey(apiKey)!.secretHash);
  });

  it('needs a practice that exists', async () => {
    const tools = practiceTools(tables);
    const practiceId = 'prc_none';
    expect(await problemOf(addKey(tools, { practiceId, name: 'x' }, now))).toMatchObject({
      code: 'practice_not_found',
    });
    expect(await problemOf(listKeys(tools, { practiceId }))).toMatchObject({ code: 'practice_not_found' });
  });
});

describe('a rotated key', () => {
  it.each([
    ['now', now],
    ['1h', now + hour],
    [undefined, now + 24 * hour],
    ['24h', now + 24 * hour],
    ['7d', now + 7 * 24 * hour],
  ] as const)('with end %s expires then, and its successor has its name and scopes', async (end, expiry) => {
    const { tools, practiceId } = await aPractice(tables);
    const old = await addKey(tools, { practiceId, name: 'reports', scopes: ['sessions:read'] }, now);
    const rotated = await rotateKey(tools, { practiceId, keyId: old.keyId, end }, now);
    const previousKeyExpiresAt = new Date(expiry).toISOString();
    expect(rotated).toMatchObject({ previousKeyId: old.keyId, previousKeyExpiresAt });
    expect(await getApiKey(tables.database, old.keyId)).toMatchObject({ expiresAt: previousKeyExpiresAt });
    const { keys } = await listKeys(tools, { practiceId });
    expect(keys.find(({ keyId }) => keyId === rotated.keyId)).toEqual({
      keyId: rotated.keyId,
      name: 'reports',
      scopes: ['sessions:read'],
      createdAt: '2026-11-20T15:00:00.000Z',
    });
  });

  it('keeps an earlier expiry', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId } = await addKey(tools, { practiceId, name: 'short' }, now);
    const first = await rotateKey(tools, { practiceId, keyId, end: '1h' }, now);
    const second = await rotateKey(tools, { practiceId, keyId, end: '7d' }, now);
    expect(second.previousKeyExpiresAt).toBe(first.previousKeyExpiresAt);
  });
});

it('a revoked key keeps the time of its first revocation and cannot be rotated', async () => {
  const { tools, practiceId } = await aPractice(tables);
  const { keyId } = await addKey(tools, { practiceId, name: 'leaked' }, now);
  const revoked = await revokeKey(tools, { practiceId, keyId }, now);
  expect(revoked).toEqual({ keyId, revokedAt: '2026-11-20T15:00:00.000Z' });
  expect(await revokeKey(tools, { practiceId, keyId }, now + hour)).toEqual(revoked);
  expect(await problemOf(rotateKey(tools, { practiceId, keyId }, now))).toMatchObject({ code: 'api_key_not_found' });
});

it("another practice's key is not found", async () => {
  const { tools, practiceId } = await aPractice(tables);
  const { practiceId: other } = await aPractice(tables);
  const { keyId } = await addKey(tools, { practiceId, name: 'mine' }, now);
  const before = await getApiKey(tables.database, keyId);
  expect(await problemOf(revokeKey(tools, { practiceId: other, keyId }, now))).toMatchObject({
    code: 'api_key_not_found',
  });
  expect(await problemOf(rotateKey(tools, { practiceId: other, keyId }, now))).toMatchObject({
    code: 'api_key_not_found',
  });
  expect(await getApiKey(tables.database, keyId)).toEqual(before);
});
