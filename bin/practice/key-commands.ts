import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { generateApiKey, rotationEnds, scopes, type ApiKey } from '../../functions/domain/api-key.ts';
import { day, toIso } from '../../functions/domain/time.ts';
import { createApiKey, endApiKey, listApiKeys, revokeApiKey } from '../../functions/store/api-keys.ts';
import { listOf, practiceOptions, requirePractice, text, wholeNumber } from './options.ts';
import { OperatorError, type OperatedStack } from './stack.ts';

export const addKeyOptions = z.extend(practiceOptions, {
  name: text,
  scopes: z.optional(listOf(scopes)),
  'expires-in-days': z.optional(wholeNumber(1, 3650)),
});
type AddKeyOptions = z.output<typeof addKeyOptions>;

export async function addKey(stack: OperatedStack, options: AddKeyOptions, now: number) {
  await requirePractice(stack, options.practice);
  const { apiKey, row } = newKey(stack, options, now);
  await createApiKey(stack.database, row);
  return { keyId: row.keyId, apiKey };
}

/** A key and the row that is kept of it, which is not written yet. */
export function newKey({ mode }: OperatedStack, options: AddKeyOptions, now: number): { apiKey: string; row: ApiKey } {
  const { apiKey, keyId, secretHash } = generateApiKey(mode, randomBytes);
  const expiresAt =
    options['expires-in-days'] === undefined ? {} : { expiresAt: toIso(now + options['expires-in-days'] * day) };
  return {
    apiKey,
    row: {
      keyId,
      secretHash,
      practiceId: options.practice,
      name: options.name,
      scopes: options.scopes ?? [...scopes],
      createdAt: toIso(now),
      ...expiresAt,
    },
  };
}

export const revokeKeyOptions = z.extend(practiceOptions, { key: text });

export async function revokeKey(stack: OperatedStack, options: z.output<typeof revokeKeyOptions>, now: number) {
  const revoked = await revokeApiKey(stack.database, options.practice, options.key, toIso(now));
  if (!revoked) throw noSuchKey();
  return { keyId: revoked.keyId, revokedAt: revoked.revokedAt };
}

export const rotateKeyOptions = z.extend(revokeKeyOptions, { end: z.optional(z.enum(['now', '1h', '24h', '7d'])) });

/** Gives a practice a new key like this one, with its name and scopes; the old one ends at a time of choice (24 h). */
export async function rotateKey(stack: OperatedStack, options: z.output<typeof rotateKeyOptions>, now: number) {
  const previousKeyExpiresAt = toIso(now + rotationEnds[options.end ?? '24h']);
  const ended = await endApiKey(stack.database, options.practice, options.key, previousKeyExpiresAt);
  if (!ended) throw noSuchKey();
  const created = await addKey(stack, { practice: options.practice, name: ended.name, scopes: ended.scopes }, now);
  return { ...created, previousKeyId: ended.keyId, previousKeyExpiresAt: ended.expiresAt };
}

export async function listKeys(stack: OperatedStack, { practice }: z.output<typeof practiceOptions>) {
  await requirePractice(stack, practice);
  const keys = await listApiKeys(stack.database, practice);
  return {
    keys: keys.map(({ keyId, name, scopes: granted, createdAt, expiresAt, revokedAt, lastUsedOn }) => ({
      keyId,
      name,
      scopes: granted,
      createdAt,
      expiresAt,
      revokedAt,
      lastUsedOn,
    })),
  };
}

function noSuchKey(): OperatorError {
  return new OperatorError(
    'This practice has no such key. A key id is the part of the key between its second and third underscore.',
  );
}
