import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canBeId,
  createdAtOf,
  equalInConstantTime,
  firstSessionIdAt,
  hashOfToken,
  isSessionId,
  newSecret,
  randomBase62,
  sessionIdOfToken,
  sessionToken,
  sha256,
  ulid,
} from '../../functions/domain/identifier.ts';

describe('identifiers', () => {
  it('match the example of the ULID specification', () => {
    expect(ulid(1_469_918_176_385, () => new Uint8Array(10))).toBe('01ARYZ6S410000000000000000');
  });

  it('sort by time', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.integer({ min: 1, max: 2 ** 40 }), (time, later) => {
        expect(ulid(time, randomBytes) < ulid(time + later, randomBytes)).toBe(true);
      }),
    );
  });

  it('recover the session id from any token', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 47), (time) => {
        const sessionId = `ses_${ulid(time, randomBytes)}`;
        const token = sessionToken(sessionId, randomBytes);
        expect(token).toMatch(/^[\w-]{43}$/);
        expect(sessionIdOfToken(token)).toBe(sessionId);
      }),
    );
  });

  it('include 128 random bits in a token', () => {
    const sessionId = `ses_${ulid(1, randomBytes)}`;
    const [one, other] = [sessionToken(sessionId, randomBytes), sessionToken(sessionId, randomBytes)];
    expect(one).not.toBe(other);
    expect(Buffer.from(one, 'base64url')).toHaveLength(32);
  });

  it.each(['', 'short', 'x'.repeat(44), '!'.repeat(43)])('reject %j as a token', (token) => {
    expect(sessionIdOfToken(token)).toBeUndefined();
  });

  it.each([
    ['ses_01KAG3ZQ8M0000000000000001', true],
    ['ses_01kag3zq8m0000000000000001', false],
    ['ses_', false],
    ['evt_01KAG3ZQ8M0000000000000001', false],
    ['ses_81KAG3ZQ8M0000000000000001', false],
  ])('accept %s as a session id: %s', (text, expected) => {
    expect(isSessionId(text)).toBe(expected);
  });

  it('of sessions say when they were created, and sort after the first possible one of that time', () => {
    const time = Date.parse('2026-11-20T10:00:00.000Z');
    const [before, at] = [`ses_${ulid(time - 1, randomBytes)}`, `ses_${ulid(time, randomBytes)}`];
    expect(createdAtOf(at)).toBe(time);
    expect(firstSessionIdAt(time) <= at).toBe(true);
    expect(firstSessionIdAt(time) > before).toBe(true);
    expect(isSessionId(firstSessionIdAt(time))).toBe(true);
  });

  it('and secrets are made of enough random bytes', () => {
    const asked: number[] = [];
    const counted = (size: number) => {
      asked.push(size);
      return randomBytes(size);
    };
    expect(randomBase62(12, counted)).toHaveLength(12);
    expect(newSecret(counted)).toMatch(/^[\w-]{43}$/);
    expect(asked).toEqual([20, 32]);
  });

  it('are stored in place of a token as 132 bits of its hash', () => {
    expect(hashOfToken('token')).toBe(sha256('token').slice(0, 22));
  });

  it('are printable and have at most 100 characters', () => {
    expect(['a', '!~', 'a'.repeat(100)].filter(canBeId)).toHaveLength(3);
    expect(['', 'a'.repeat(101), 'a b', ' a', 'a\n', 'é', 'éa', 'aé'].filter(canBeId)).toEqual([]);
  });

  it('use the whole base62 alphabet evenly', () => {
    const counts = new Map<string, number>();
    const text = Array.from({ length: 1000 }, () => randomBase62(62, randomBytes)).join('');
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250);
  });

  it('compare texts of different lengths', () => {
    expect(equalInConstantTime('abc', 'abcd')).toBe(false);
    expect(equalInConstantTime('abc', 'abc')).toBe(true);
  });
});
