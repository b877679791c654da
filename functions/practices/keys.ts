import { Problem } from '../contract/problems.ts';
import type { NewKey, RotationEnd } from '../contract/practices.ts';
import { generateApiKey, scopes, type ApiKey } from '../domain/api-key.ts';
import type { RandomBytes } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import { day, hour, toIso } from '../domain/time.ts';
import { createApiKey, endApiKey, listApiKeys, revokeApiKey } from '../store/api-keys.ts';
import type { Database } from '../store/database.ts';
import { requirePractice } from './require-practice.ts';

interface KeyTools {
  readonly database: Database<'practices' | 'apiKeys'>;
  readonly mode: Mode;
  readonly randomBytes: RandomBytes;
}

interface Key {
  readonly practiceId: string;
  readonly keyId: string;
}

/** Adds an API key. This is the only time that the key itself can be seen. */
export async function addKey(tools: KeyTools, input: NewKey & { readonly practiceId: string }, now: number) {
  await requirePractice(tools.database, input.practiceId);
  const { apiKey, row } = makeKey(tools, input, now);
  await createApiKey(tools.database, row);
  return { keyId: row.keyId, apiKey };
}

/** Makes a key and its row, which the caller writes. */
export function makeKey(
  { mode, randomBytes }: Pick<KeyTools, 'mode' | 'randomBytes'>,
  input: NewKey & { readonly practiceId: string },
  now: number,
): { apiKey: string; row: ApiKey } {
  const { practiceId, name, expiresInDays } = input;
  const { apiKey, keyId, secretHash } = generateApiKey(mode, randomBytes);
  return {
    apiKey,
    row: {
      keyId,
      practiceId,
      name,
      secretHash,
      scopes: input.scopes ?? [...scopes],
      createdAt: toIso(now),
      ...(expiresInDays !== undefined && { expiresAt: toIso(now + expiresInDays * day) }),
    },
  };
}

/** When a replaced key stops working, in milliseconds from now. */
const rotationEnds: Record<RotationEnd, number> = { now: 0, '1h': hour, '24h': day, '7d': 7 * day };

/** Adds a key with the name and scopes of an old one, which stops working at `end` (24 hours from now by default). */
export async function rotateKey(
  tools: KeyTools,
  { practiceId, keyId, end = '24h' }: Key & { readonly end?: RotationEnd | undefined },
  now: number,
) {
  const ended = await endApiKey(tools.database, practiceId, keyId, toIso(now + rotationEnds[end]));
  if (!ended) throw keyNotFound();
  const created = await addKey(tools, { practiceId, name: ended.name, scopes: ended.scopes }, now);
  return { ...created, previousKeyId: ended.keyId, previousKeyExpiresAt: ended.expiresAt };
}

/** Revokes a key at once. Revoking it again changes nothing. */
export async function revokeKey({ database }: Pick<KeyTools, 'database'>, { practiceId, keyId }: Key, now: number) {
  const revoked = await revokeApiKey(database, practiceId, keyId, toIso(now));
  if (!revoked) throw keyNotFound();
  return { keyId: revoked.keyId, revokedAt: revoked.revokedAt };
}

/** All keys of a practice, expired and revoked ones too, without their secrets. */
export async function listKeys(
  { database }: Pick<KeyTools, 'database'>,
  { practiceId }: { readonly practiceId: string },
) {
  await requirePractice(database, practiceId);
  const keys = await listApiKeys(database, practiceId);
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

function keyNotFound(): Problem {
  return new Problem(
    'api_key_not_found',
    'This practice has no working key with this id. A key id is the part of the key between its second and third underscore.',
  );
}
