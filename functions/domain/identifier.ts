import { createHash, timingSafeEqual } from 'node:crypto';

export type RandomBytes = (size: number) => Uint8Array;

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

function encode(value: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let text = '';
  for (let rest = value; text.length < length; rest /= base) text = alphabet.charAt(Number(rest % base)) + text;
  return text;
}

/** github.com/ulid/spec: 48 bits of milliseconds, then 80 random bits. */
export function ulid(now: number, randomBytes: RandomBytes): string {
  return encode((BigInt(now) << 80n) | toNumber(randomBytes(10)), crockford, 26);
}

/** Sorts before every other one of `time` or later. */
export function firstUlidAt(time: number): string {
  return ulid(time, (size) => new Uint8Array(size));
}

/** Sorts before the ID of every session created at `time` or later. */
export function firstSessionIdAt(time: number): string {
  return `ses_${firstUlidAt(time)}`;
}

export function createdAtOf(sessionId: string): number {
  return Number(ulidValue(sessionId.slice('ses_'.length)) >> 80n);
}

/** Eight extra bytes make modulo bias negligible. */
export function randomBase62(length: number, randomBytes: RandomBytes): string {
  return encode(toNumber(randomBytes(length + 8)), base62, length);
}

export function checksumBase62(checksum: number): string {
  return encode(BigInt(checksum), base62, 6);
}

/** 256 random bits, for a cookie or a link. Tables contain only its hash. */
export function newSecret(randomBytes: RandomBytes): string {
  return Buffer.from(randomBytes(32)).toString('base64url');
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

export function equalInConstantTime(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function sessionToken(sessionId: string, randomBytes: RandomBytes): string {
  return Buffer.concat([ulidBytes(sessionId.slice('ses_'.length)), randomBytes(16)]).toString('base64url');
}

/** 132 bits are enough: the token has 128 random bits. */
export function hashOfToken(token: string): string {
  return sha256(token).slice(0, 22);
}

function ulidBytes(text: string): Buffer {
  return Buffer.from(ulidValue(text).toString(16).padStart(32, '0'), 'hex');
}

function ulidValue(text: string): bigint {
  return [...text].reduce((sum, character) => (sum << 5n) | BigInt(crockford.indexOf(character)), 0n);
}

export function sessionIdOfToken(token: string): string | undefined {
  if (!/^[\w-]{43}$/.test(token)) return undefined;
  return `ses_${encode(toNumber(Buffer.from(token, 'base64url').subarray(0, 16)), crockford, 26)}`;
}

export function isSessionId(text: string): boolean {
  return text.startsWith('ses_') && ulidPattern.test(text.slice('ses_'.length));
}

/** Whether the text can be an ID of any kind: tables reject keys that are too long. */
export function canBeId(text: string): boolean {
  return /^[!-~]{1,100}$/.test(text);
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
