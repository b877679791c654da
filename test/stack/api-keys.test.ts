import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKey, listKeys, revokeKey, rotateKey } from '../../bin/practice/key-commands.ts';
import { create } from '../../bin/practice/practice-commands.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(() => service.stop());

const hour = 3_600_000;

/** The problem code that a key is answered with, or `accepted`. */
async function answerTo(key: string): Promise<unknown> {
  const response = await checkedFetch(`${service.apiUrl}/api/practice/sessions`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.ok ? 'accepted' : ((await response.json()) as { code: string }).code;
}

describe('the keys of a practice', () => {
  it('are as many as it likes, each with a name and scopes, listed without their secrets', async () => {
    const { practiceId, apiKey } = await create(service.operated, { name: 'Many Keys' }, Date.now());
    await addKey(service.operated, { practice: practiceId, name: 'billing' }, Date.now());
    await addKey(service.operated, { practice: practiceId, name: 'reports', scopes: ['sessions:read'] }, Date.now());
    const { keys } = await listKeys(service.operated, { practice: practiceId });
    expect(keys.map(({ name, scopes }) => `${name}: ${scopes.join(' ')}`).sort()).toEqual([
      'First key: sessions:read sessions:write',
      'billing: sessions:read sessions:write',
      'reports: sessions:read',
    ]);
    expect(JSON.stringify(keys)).not.toContain(apiKey.slice(-43));
    expect(JSON.stringify(keys)).not.toContain('secretHash');
  });

  it('know the day of their last use', async () => {
    const { practiceId, apiKey } = await create(service.operated, { name: 'Used' }, Date.now());
    expect((await listKeys(service.operated, { practice: practiceId })).keys[0]?.lastUsedOn).toBeUndefined();
    expect(await answerTo(apiKey)).toBe('accepted');
    expect((await listKeys(service.operated, { practice: practiceId })).keys[0]?.lastUsedOn).toBe(
      new Date().toISOString().slice(0, 10),
    );
  });

  it('end when they expire', async () => {
    const { practiceId } = await create(service.operated, { name: 'Expiring' }, Date.now());
    const yesterday = Date.now() - 24 * hour;
    const { apiKey: ended } = await addKey(
      service.operated,
      { practice: practiceId, name: 'ended', 'expires-in-days': 1 },
      yesterday,
    );
    const { apiKey: lasting } = await addKey(
      service.operated,
      { practice: practiceId, name: 'lasting', 'expires-in-days': 2 },
      yesterday,
    );
    expect(await answerTo(ended)).toBe('api_key_expired');
    expect(await answerTo(lasting)).toBe('accepted');
  });

  it('are rotated: a new key of the same name and scopes now, the old one for as long as was chosen', async () => {
    const { practiceId } = await create(service.operated, { name: 'Rotating' }, Date.now());
    const old = await addKey(
      service.operated,
      { practice: practiceId, name: 'reports', scopes: ['sessions:read'] },
      Date.now(),
    );
    const rotated = await rotateKey(service.operated, { practice: practiceId, key: old.keyId, end: '1h' }, Date.now());
    expect([await answerTo(old.apiKey), await answerTo(rotated.apiKey)]).toEqual(['accepted', 'accepted']);
    expect(Date.parse(rotated.previousKeyExpiresAt ?? '') - Date.now()).toBeGreaterThan(0.99 * hour);
    const { keys } = await listKeys(service.operated, { practice: practiceId });
    expect(keys.find(({ keyId }) => keyId === rotated.keyId)).toMatchObject({
      name: 'reports',
      scopes: ['sessions:read'],
    });

    const again = await rotateKey(
      service.operated,
      { practice: practiceId, key: rotated.keyId, end: 'now' },
      Date.now(),
    );
    expect([await answerTo(rotated.apiKey), await answerTo(again.apiKey)]).toEqual(['api_key_expired', 'accepted']);
  });

  it('end at the earlier of two times', async () => {
    const { practiceId } = await create(service.operated, { name: 'Ending' }, Date.now());
    const { keyId } = await addKey(service.operated, { practice: practiceId, name: 'short' }, Date.now());
    const first = await rotateKey(service.operated, { practice: practiceId, key: keyId, end: '1h' }, Date.now());
    const second = await rotateKey(service.operated, { practice: practiceId, key: keyId, end: '7d' }, Date.now());
    expect(second.previousKeyExpiresAt).toBe(first.previousKeyExpiresAt);
  });

  it('cannot be rotated or revoked by another practice, nor rotated once revoked', async () => {
    const [one, other] = [
      await create(service.operated, { name: 'One' }, Date.now()),
      await create(service.operated, { name: 'Other' }, Date.now()),
    ];
    const { keyId, apiKey } = await addKey(service.operated, { practice: one.practiceId, name: 'mine' }, Date.now());
    await expect(rotateKey(service.operated, { practice: other.practiceId, key: keyId }, Date.now())).rejects.toThrow(
      'no such key',
    );
    await expect(revokeKey(service.operated, { practice: other.practiceId, key: keyId }, Date.now())).rejects.toThrow(
      'no such key',
    );
    expect(await answerTo(apiKey)).toBe('accepted');
    const { revokedAt } = await revokeKey(service.operated, { practice: one.practiceId, key: keyId }, Date.now());
    expect(
      (await revokeKey(service.operated, { practice: one.practiceId, key: keyId }, Date.now() + 1000)).revokedAt,
    ).toBe(revokedAt);
    await expect(rotateKey(service.operated, { practice: one.practiceId, key: keyId }, Date.now())).rejects.toThrow(
      'no such key',
    );
    expect(await answerTo(apiKey)).toBe('api_key_revoked');
  });
});
