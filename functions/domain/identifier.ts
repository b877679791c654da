import { createHash, timingSafeEqual } from 'node:crypto';

/** Returns `size` unpredictable bytes: `randomBytes` of `node:crypto`, except in tests. */
export type RandomBytes = (size: number) => Uint8Array;

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Encodes a number in an alphabet, left-padded with its zero digit to `length`. */
function encode(value: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let text = '';
  for (let rest = value; text.length < length; rest /= base) text = alphabet.charAt(Number(rest % base)) + text;
  return text;
}

/** A ULID (github.com/ulid/spec): 48 bits of milliseconds, 80 random bits, 26 characters that sort by time. */
export function ulid(now: number, randomBytes: RandomBytes): string {
  return encode((BigInt(now) << 80n) | toNumber(randomBytes(10)), crockford, 26);
}

/** Random base62 characters. The eight extra bytes make modulo bias negligible. */
export function randomBase62(length: number, randomBytes: RandomBytes): string {
  return encode(toNumber(randomBytes(length + 8)), base62, length);
}

/** Encodes a 32-bit checksum as six base62 characters. */
export function checksumBase62(checksum: number): string {
  return encode(BigInt(checksum), base62, 6);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Compares two strings in constant time; different lengths fail at once. */
export function equalInConstantTime(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A patient's link token: the session id's 16 bytes and 128 random bits, base64url (43 characters). */
export function sessionToken(sessionId: string, randomBytes: RandomBytes): string {
  return Buffer.concat([ulidBytes(sessionId.slice('ses_'.length)), randomBytes(16)]).toString('base64url');
}

function ulidBytes(text: string): Buffer {
  const value = [...text].reduce((sum, character) => (sum << 5n) | BigInt(crockford.indexOf(character)), 0n);
  return Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
}

/** The session id in a token; undefined if the text cannot be a token. */
export function sessionIdOfToken(token: string): string | undefined {
  if (!/^[\w-]{43}$/.test(token)) return undefined;
  return `ses_${encode(toNumber(Buffer.from(token, 'base64url').subarray(0, 16)), crockford, 26)}`;
}

export function isSessionId(text: string): boolean {
  return text.startsWith('ses_') && ulidPattern.test(text.slice('ses_'.length));
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
