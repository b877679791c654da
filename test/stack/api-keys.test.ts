import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../../functions/domain/practices/api-key.ts';
import { day, hour } from '../../functions/domain/time.ts';
import { addKey, listKeys, revokeKey, rotateKey } from '../../functions/practices/keys.ts';
import { author, createPractice } from '../support/create-practice.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';

let service: TestPractice;
let practiceId: string;
onStack.beforeAll(({ own }) => {
  service = own;
  ({ practiceId } = service.practice);
});

describe('an API key', () => {
  it('is required, and the answer says so', async () => {
    const { status, headers, body } = await service.sessionsApi('GET', '', { apiKey: '' });
    expect([status, body['code']]).toEqual([401, 'api_key_missing']);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each([
    ['mistyped', () => service.practice.apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')), 'api_key_invalid'],
    ['unknown', () => generateApiKey('sandbox', randomBytes).apiKey, 'api_key_invalid'],
    ['for the other mode', () => generateApiKey('live', randomBytes).apiKey, 'api_key_wrong_mode'],
  ])('that is %s is refused', async (_, key, code) => {
    await expect(service.clientOf(key()).sessions.listPage()).rejects.toMatchObject({ status: 401, code });
  });

  it('stops working with the next request once it is revoked', async () => {
    const { apiKey, keyId } = await addKey(service.operated, { author, practiceId, name: 'short-lived' }, Date.now());
    expect(await service.answerTo(apiKey)).toBe('accepted');
    await revokeKey(service.operated, { author, practiceId, keyId }, Date.now());
    expect(await service.answerTo(apiKey)).toBe('api_key_revoked');
  });

  it('does only what its scopes allow', async () => {
    const reader = { practiceId, name: 'reader', scopes: ['sessions:read' as const] };
    const { apiKey } = await addKey(service.operated, { ...reader, author }, Date.now());
    await expect(service.createSession({}, { apiKey })).rejects.toMatchObject({ status: 403, code: 'scope_missing' });
    expect(await service.answerTo(apiKey)).toBe('accepted');
  });

  it('says whose it is, whatever its scopes', async () => {
    const created = { practiceId, name: 'accounts', scopes: ['payouts:read' as const], expiresInDays: 2 };
    const { apiKey, keyId } = await addKey(service.operated, { ...created, author }, Date.now());
    expect(await service.clientOf(apiKey).practice.get()).toEqual({
      practiceId,
      name: 'Lakeside Family Practice',
      mode: 'sandbox',
      apiKey: { keyId, name: 'accounts', scopes: ['payouts:read'], expiresAt: expect.stringMatching(/Z$/) as string },
    });
    expect((await service.client.practice.get()).apiKey).not.toHaveProperty('expiresAt');
  });

  it('does not show the sessions of another practice', async () => {
    const stranger = await createPractice(service.operated, { author, name: 'Other Practice' }, Date.now());
    const { sessionId } = await service.createSession();
    expect(await service.client.sessions.get(sessionId)).toMatchObject({ status: 'pending' });
    const { sessions } = service.clientOf(stranger.apiKey);
    await expect(sessions.get(sessionId)).rejects.toMatchObject({ status: 404, code: 'session_not_found' });
  });

  it('records the day of its last use', async () => {
    const used = await createPractice(service.operated, { author, name: 'Used' }, Date.now());
    const lastUse = async () => (await listKeys(service.operated, used)).keys[0]?.lastUsedOn;
    const today = () => new Date().toISOString().slice(0, 10);
    expect(await lastUse()).toBeUndefined();
    const before = today();
    expect(await service.answerTo(used.apiKey)).toBe('accepted');
    expect([before, today()]).toContain(await lastUse());
  });

  it('stops working when it expires', async () => {
    const yesterday = Date.now() - day;
    const ended = await addKey(service.operated, { author, practiceId, name: 'ended', expiresInDays: 1 }, yesterday);
    const lasting = await addKey(
      service.operated,
      { author, practiceId, name: 'lasting', expiresInDays: 2 },
      yesterday,
    );
    expect(await service.answerTo(ended.apiKey)).toBe('api_key_expired');
    expect(await service.answerTo(lasting.apiKey)).toBe('accepted');
  });

  it('works beside its successor for the time that was chosen', async () => {
    const old = await addKey(
      service.operated,
      { author, practiceId, name: 'reports', scopes: ['sessions:read'] },
      Date.now(),
    );
    const rotated = await rotateKey(service.operated, { author, practiceId, keyId: old.keyId, end: '1h' }, Date.now());
    expect([await service.answerTo(old.apiKey), await service.answerTo(rotated.apiKey)]).toEqual([
      'accepted',
      'accepted',
    ]);
    expect(Date.parse(rotated.previousKeyExpiresAt ?? '') - Date.now()).toBeGreaterThan(0.99 * hour);
    const { keys } = await listKeys(service.operated, { practiceId });
    expect(keys.find(({ keyId }) => keyId === rotated.keyId)).toMatchObject({
      name: 'reports',
      scopes: ['sessions:read'],
    });

    const again = await rotateKey(
      service.operated,
      { author, practiceId, keyId: rotated.keyId, end: 'now' },
      Date.now(),
    );
    expect([await service.answerTo(rotated.apiKey), await service.answerTo(again.apiKey)]).toEqual([
      'api_key_expired',
      'accepted',
    ]);
  });
});
