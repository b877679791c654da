import { apiKey, type ApiKey } from '../domain/api-key.ts';
import { Fault } from '../domain/fault.ts';
import type { Database } from './database.ts';
import { allOf, expression } from './expressions.ts';
import { get, insert, queryAll, update } from './rows.ts';
import { transact } from './transact.ts';
import { change, putNew } from './writes.ts';

type Keys = Database<'apiKeys'>;

/** Strongly consistent: a revocation takes effect on the next request. */
export async function getApiKey(database: Keys, keyId: string): Promise<ApiKey | undefined> {
  return get(database, 'apiKeys', { keyId }, apiKey);
}

export async function createApiKey(database: Keys, created: ApiKey): Promise<void> {
  if (!(await insert(database, 'apiKeys', created, 'keyId'))) throw new Fault('a new key id was already taken');
}

export async function listApiKeys(database: Keys, practiceId: string): Promise<ApiKey[]> {
  const key = expression`practiceId = ${practiceId}`;
  return queryAll(database, 'apiKeys', { index: 'byPractice', key }, apiKey);
}

export async function recordKeyUse(database: Keys, keyId: string, day: string): Promise<void> {
  const condition = allOf(
    expression`attribute_exists(keyId)`,
    expression`attribute_not_exists(lastUsedOn) OR lastUsedOn < ${day}`,
  );
  await update(database, 'apiKeys', { keyId }, { set: { lastUsedOn: day }, condition }, apiKey);
}

export async function replaceApiKey(
  database: Keys,
  asRead: ApiKey,
  expiresAt: string,
  successor: ApiKey,
): Promise<boolean> {
  const condition = allOf(
    expression`attribute_exists(keyId) AND attribute_not_exists(revokedAt)`,
    asRead.expiresAt === undefined
      ? expression`attribute_not_exists(expiresAt)`
      : expression`expiresAt = ${asRead.expiresAt}`,
  );
  const refused = await transact(database, {
    replaced: change(database, 'apiKeys', { keyId: asRead.keyId }, { set: { expiresAt }, condition }),
    successor: putNew(database, 'apiKeys', successor, 'keyId'),
  });
  if (refused?.has('successor')) throw new Fault('a new key id was already taken');
  return refused === undefined;
}

export async function revokeApiKey(
  database: Keys,
  practiceId: string,
  keyId: string,
  revokedAt: string,
): Promise<ApiKey | undefined> {
  const set = { revokedAt: expression`if_not_exists(revokedAt, ${revokedAt})` };
  const condition = expression`practiceId = ${practiceId}`;
  const { written, row } = await update(database, 'apiKeys', { keyId }, { set, condition }, apiKey);
  return written ? row : undefined;
}
