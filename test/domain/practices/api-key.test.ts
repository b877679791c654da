import { randomBytes } from 'node:crypto';
import { crc32 as crc32OfNode } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32, generateApiKey, parseApiKey } from '../../../functions/domain/practices/api-key.ts';
import { sha256 } from '../../../functions/domain/identifier.ts';

const { apiKey, secretHash } = generateApiKey('sandbox', randomBytes);

describe('the checksum of an API key', () => {
  it('is the CRC-32 of zip', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(crc32(text)).toBe(crc32OfNode(text));
      }),
    );
  });
});

describe('an API key', () => {
  it('has the documented shape and names its mode and id', () => {
    expect(apiKey).toMatch(/^pip_sandbox_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
    for (const mode of ['sandbox', 'live'] as const) {
      const { apiKey: key, ...stored } = generateApiKey(mode, randomBytes);
      expect(key.startsWith(`pip_${mode}_${stored.keyId}_`)).toBe(true);
      expect(parseApiKey(key)).toEqual({ mode, ...stored });
      expect(stored.secretHash).toBe(sha256(key.slice(-43)));
    }
  });

  it('is rejected for any one mistyped character', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: apiKey.length - 1 }), fc.constantFrom(...'0aZ9_'), (place, character) => {
        const mistyped = apiKey.slice(0, place) + character + apiKey.slice(place + 1);
        if (mistyped !== apiKey) expect(parseApiKey(mistyped)).toBeUndefined();
      }),
    );
  });

  it('is not stored: its hash does not contain the secret', () => {
    expect(secretHash).not.toContain(apiKey.slice(-43, -6));
  });
});
