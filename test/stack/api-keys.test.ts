import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKey, listKeys, rotateKey } from '../../functions/practices/keys.ts';
import { createPractice } from '../../functions/practices/settings.ts';
import { checkedFetch } from '../support/checked-fetch.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';

let service: TestStack;
beforeAll(async () => {
  service = await startTestStack();
});
afterAll(() => service.stop());

const hour = 3_600_000;

/** The code of the problem that the API answers this key with, or `accepted`. */
async function answerTo(key: string): Promise<unknown> {
  const response = await checkedFetch(`${service.apiUrl}/api/practice/sessions`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.ok ? 'accepted' : ((await response.json()) as { code: string }).code;
}

describe('API keys', () => {
  it('record the day of their last use', async () => {
    const { practiceId, apiKey } = await createPractice(service.operated, { name: 'Used' }, Date.now());
    expect((await listKeys(service.operated, { practiceId })).keys[0]?.lastUsedOn).toBeUndefined();
    expect(await answerTo(apiKey)).toBe('accepted');
    expect((await listKeys(service.operated, { practiceId })).keys[0]?.lastUsedOn).toBe(
      new Date().toISOString().slice(0, 10),
    );
  });

  it('stop working when they expire', async () => {
    const { practiceId } = await createPractice(service.operated, { name: 'Expiring' }, Date.now());
    const yesterday = Date.now() - 24 * hour;
    const { apiKey: ended } = await addKey(
      service.operated,
      { practiceId, name: 'ended', expiresInDays: 1 },
      yesterday,
    );
    const { apiKey: lasting } = await addKey(
      service.operated,
      { practiceId, name: 'lasting', expiresInDays: 2 },
      yesterday,
    );
    expect(await answerTo(ended)).toBe('api_key_expired');
    expect(await answerTo(lasting)).toBe('accepted');
  });

  it('work beside their successor for as long as was chosen', async () => {
    const { practiceId } = await createPractice(service.operated, { name: 'Rotating' }, Date.now());
    const old = await addKey(service.operated, { practiceId, name: 'reports', scopes: ['sessions:read'] }, Date.now());
    const rotated = await rotateKey(service.operated, { practiceId, keyId: old.keyId, end: '1h' }, Date.now());
    expect([await answerTo(old.apiKey), await answerTo(rotated.apiKey)]).toEqual(['accepted', 'accepted']);
    expect(Date.parse(rotated.previousKeyExpiresAt ?? '') - Date.now()).toBeGreaterThan(0.99 * hour);
    const { keys } = await listKeys(service.operated, { practiceId });
    expect(keys.find(({ keyId }) => keyId === rotated.keyId)).toMatchObject({
      name: 'reports',
      scopes: ['sessions:read'],
    });

    const again = await rotateKey(service.operated, { practiceId, keyId: rotated.keyId, end: 'now' }, Date.now());
    expect([await answerTo(rotated.apiKey), await answerTo(again.apiKey)]).toEqual(['api_key_expired', 'accepted']);
  });
});
