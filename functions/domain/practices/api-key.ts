import * as z from 'zod/mini';
import { checksumBase62, randomBase62, sha256, type RandomBytes } from '../identifier.ts';
import type { Mode } from '../mode.ts';
import { isoTime } from '../time.ts';

export const practiceScopes = [
  'sessions:read',
  'sessions:write',
  'events:read',
  'payouts:read',
  'webhooks:write',
  'authorizations:read',
] as const;
/** Only a platform's key can have the last one. */
export const scopes = [...practiceScopes, 'practices:write'] as const;
export type Scope = (typeof scopes)[number];

/**
 * Leaves out `webhooks:write`, because whoever can add an endpoint can read every event, `authorizations:read`, which shows
 * names, and `payouts:read`, which shows what a practice earns.
 */
export const defaultScopes: readonly Scope[] = ['sessions:read', 'sessions:write', 'events:read'];

export const apiKey = z.object({
  keyId: z.string(),
  practiceId: z.string(),
  name: z.string(),
  secretHash: z.string(),
  scopes: z.array(z.enum(scopes)),
  createdAt: isoTime,
  expiresAt: z.optional(isoTime),
  /** The lifetime at creation. A rotation changes only `expiresAt`. */
  expiresInDays: z.optional(z.int()),
  revokedAt: z.optional(isoTime),
  lastUsedOn: z.optional(z.iso.date()),
});
export type ApiKey = z.infer<typeof apiKey>;

const pattern = /^pip_(sandbox|live)_([0-9A-Za-z]{12})_([0-9A-Za-z]{37})([0-9A-Za-z]{6})$/;

export function apiKeyPrefix(mode: Mode): string {
  return `pip_${mode}_`;
}

export function generateApiKey(
  mode: Mode,
  randomBytes: RandomBytes,
): { apiKey: string; keyId: string; secretHash: string } {
  const keyId = randomBase62(12, randomBytes);
  const body = `${apiKeyPrefix(mode)}${keyId}_${randomBase62(37, randomBytes)}`;
  const key = body + checksumBase62(crc32(body));
  return { apiKey: key, keyId, secretHash: sha256(key.slice(-43)) };
}

/** Checks format and checksum, so a typo costs no database read. */
export function parseApiKey(text: string): { mode: Mode; keyId: string; secretHash: string } | undefined {
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [, mode, keyId = '', secret = '', checksum = ''] = found;
  if (checksumBase62(crc32(text.slice(0, -6))) !== checksum) return undefined;
  return { mode: mode === 'live' ? 'live' : 'sandbox', keyId, secretHash: sha256(secret + checksum) };
}

/** CRC-32 (ISO 3309). `node:zlib` would add 3 ms to a cold start. */
export function crc32(text: string): number {
  let remainder = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
  }
  return (remainder ^ 0xffffffff) >>> 0;
}
