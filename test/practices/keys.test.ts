import { describe, expect, it } from 'vitest';
import { parseApiKey } from '../../functions/domain/practices/api-key.ts';
import { getApiKey } from '../../functions/store/practices/api-keys.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice, practiceTools } from './a-practice.ts';

const tables = await startTestTables();

const now = Date.parse('2026-11-20T15:00:00.000Z');
const hour = 3_600_000;

describe('a new key', () => {
  it('can do everything but manage webhooks, and never expires, unless told otherwise', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId, apiKey } = await addKey(tools, { author, practiceId, name: 'billing' }, now);
    const { secretHash } = parseApiKey(apiKey)!;
    expect(await getApiKey(tables.database, keyId)).toEqual({
      keyId,
      practiceId,
      name: 'billing',
      secretHash,
      scopes: ['sessions:read', 'sessions:write', 'events:read'],
      createdAt: '2026-11-20T15:00:00.000Z',
    });
    const limited = await addKey(
      tools,
      { author, practiceId, name: 'x', scopes: ['sessions:read'], expiresInDays: 2 },
      now,
    );
    expect(await getApiKey(tables.database, limited.keyId)).toMatchObject({
      scopes: ['sessions:read'],
      expiresAt: '2026-11-22T15:00:00.000Z',
    });
  });

  it('is listed without its secret', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId, apiKey } = await addKey(tools, { author, practiceId, name: 'billing' }, now);
    const { keys } = await listKeys(tools, { practiceId });
    expect(keys).toContainEqual({
      keyId,
      name: 'billing',
      scopes: ['sessions:read', 'sessions:write', 'events:read'],
      createdAt: '2026-11-20T15:00:00.000Z',
    });
    expect(JSON.stringify(keys)).not.toContain(apiKey.slice(-43));
    expect(JSON.stringify(keys)).not.toContain(parseApiKey(apiKey)!.secretHash);
  });

  it('is refused with a name, scope or lifetime that is not allowed', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const input = { practiceId, name: '', scopes: ['everything'], expiresInDays: 3651 };
    expect((await problemOf(addKey(tools, { ...input, author }, now))).extra).toMatchObject({
      errors: [
        { pointer: '/name' },
        { pointer: '/scopes/0' },
        { pointer: '/expiresInDays', detail: 'Use at most 3650.' },
      ],
    });
    expect((await listKeys(tools, { practiceId })).keys).toHaveLength(1);
  });

  it('needs a practice that exists', async () => {
    const tools = practiceTools(tables);
    const practiceId = 'prc_none';
    expect(await problemOf(addKey(tools, { author, practiceId, name: 'x' }, now))).toMatchObject({
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
    const old = await addKey(tools, { author, practiceId, name: 'reports', scopes: ['sessions:read'] }, now);
    const rotated = await rotateKey(tools, { author, practiceId, keyId: old.keyId, end }, now);
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
    const { keyId } = await addKey(tools, { author, practiceId, name: 'short' }, now);
    const first = await rotateKey(tools, { author, practiceId, keyId, end: '1h' }, now);
    const second = await rotateKey(tools, { author, practiceId, keyId, end: '7d' }, now);
    expect(second.previousKeyExpiresAt).toBe(first.previousKeyExpiresAt);
  });

  it('has a successor with the same lifetime, even if it is rotated twice', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId } = await addKey(tools, { author, practiceId, name: 'short', expiresInDays: 3 }, now);
    const later = now + 48 * hour;
    for (const end of ['1h', '7d']) {
      const rotated = await rotateKey(tools, { author, practiceId, keyId, end }, later);
      expect(await getApiKey(tables.database, rotated.keyId)).toMatchObject({
        createdAt: new Date(later).toISOString(),
        expiresAt: new Date(later + 72 * hour).toISOString(),
      });
    }
  });

  it('is not replaced when it has expired', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId } = await addKey(tools, { author, practiceId, name: 'expired', expiresInDays: 1 }, now);
    expect(await problemOf(rotateKey(tools, { author, practiceId, keyId }, now + 24 * hour))).toMatchObject({
      code: 'api_key_ended',
      message: 'This key has expired. Add a new one instead.',
    });
    expect((await listKeys(tools, { practiceId })).keys).toHaveLength(2);
  });

  it('keeps working when its successor cannot be stored', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId } = await addKey(tools, { author, practiceId, name: 'old' }, now);
    const before = await getApiKey(tables.database, keyId);
    const sameBytes = { ...tools, randomBytes: (size: number) => new Uint8Array(size) };
    await addKey(sameBytes, { author, practiceId, name: 'taken' }, now);
    await expect(rotateKey(sameBytes, { author, practiceId, keyId, end: 'now' }, now)).rejects.toThrow('already taken');
    expect(await getApiKey(tables.database, keyId)).toEqual(before);
  });

  it('has two successors if two people rotate it at once, and expires at the earlier end', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId } = await addKey(tools, { author, practiceId, name: 'shared' }, now);
    await Promise.all(['1h', '7d'].map((end) => rotateKey(tools, { author, practiceId, keyId, end }, now)));
    expect(await getApiKey(tables.database, keyId)).toMatchObject({ expiresAt: new Date(now + hour).toISOString() });
    expect((await listKeys(tools, { practiceId })).keys).toHaveLength(4);
  });

  it('needs an end that is allowed', async () => {
    const { tools, practiceId } = await aPractice(tables);
    const { keyId } = await addKey(tools, { author, practiceId, name: 'old' }, now);
    expect(await problemOf(rotateKey(tools, { author, practiceId, keyId, end: '2h' }, now))).toMatchObject({
      code: 'invalid_request',
    });
  });
});

it('a revoked key keeps the time of its first revocation and cannot be rotated', async () => {
  const { tools, practiceId } = await aPractice(tables);
  const { keyId } = await addKey(tools, { author, practiceId, name: 'leaked' }, now);
  const revoked = await revokeKey(tools, { author, practiceId, keyId }, now);
  expect(revoked).toEqual({ keyId, revokedAt: '2026-11-20T15:00:00.000Z' });
  expect(await revokeKey(tools, { author, practiceId, keyId }, now + hour)).toEqual(revoked);
  expect(await problemOf(rotateKey(tools, { author, practiceId, keyId }, now))).toMatchObject({
    code: 'api_key_ended',
    message: 'This key was revoked. Add a new one instead.',
  });
});

it("an ID that is longer than any key's is not found", async () => {
  const { tools, practiceId } = await aPractice(tables);
  const none = { author, practiceId, keyId: 'x'.repeat(3000) };
  expect(await problemOf(revokeKey(tools, none, now))).toMatchObject({ code: 'api_key_not_found' });
  expect(await problemOf(rotateKey(tools, none, now))).toMatchObject({ code: 'api_key_not_found' });
});

it("another practice's key is not found", async () => {
  const { tools, practiceId } = await aPractice(tables);
  const { practiceId: other } = await aPractice(tables);
  const { keyId } = await addKey(tools, { author, practiceId, name: 'mine' }, now);
  const before = await getApiKey(tables.database, keyId);
  expect(await problemOf(revokeKey(tools, { author, practiceId: other, keyId }, now))).toMatchObject({
    code: 'api_key_not_found',
  });
  expect(await problemOf(rotateKey(tools, { author, practiceId: other, keyId }, now))).toMatchObject({
    code: 'api_key_not_found',
  });
  expect(await getApiKey(tables.database, keyId)).toEqual(before);
});
