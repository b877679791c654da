import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  equalInConstantTime,
  isSessionId,
  randomBase62,
  sessionIdOfToken,
  sessionToken,
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
