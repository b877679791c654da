import { keyRotation, newKey, type NewKey, type RotationEnd } from '../contract/practices/practices.ts';
import { Problem } from '../contract/problem.ts';
import { invalidRequestWith } from '../contract/request-errors.ts';
import { defaultScopes, generateApiKey, type ApiKey } from '../domain/practices/api-key.ts';
import { isPlatformId } from '../domain/practices/platform.ts';
import { newAuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import { Fault } from '../domain/fault.ts';
import { canBeId } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import { pick } from '../domain/collections.ts';
import { day, hour, toIso } from '../domain/time.ts';
import { createApiKey, getApiKey, listApiKeys, replaceApiKey, revokeApiKey } from '../store/practices/api-keys.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import type { ModeTools, ReadingTools, WritingTools } from '../store/database.ts';
import { requireReadyForKey } from './go-live.ts';
import { parseInput, type Unchecked, requireOwner } from './requirements.ts';

interface KeyTools extends WritingTools {
  readonly mode: Mode;
}

interface OfPractice {
  readonly practiceId: string;
}

interface Key extends OfPractice {
  readonly keyId: string;
}

/** Whose key it is, and what it may do. */
export async function describeKey({ database, mode }: ModeTools, { practiceId, keyId }: Key) {
  const [practice, key] = await Promise.all([getExistingPractice(database, practiceId), getApiKey(database, keyId)]);
  if (!key) throw new Fault(`the key ${keyId} vanished`);
  return {
    ...pick(practice, ['practiceId', 'name']),
    mode,
    apiKey: pick(key, ['keyId', 'name', 'scopes', 'expiresAt']),
  };
}

/** Adds an API key, shown only once. Throws a Problem for a practice that is closed or not ready for live payments. */
export async function addKey(
  tools: KeyTools,
  { practiceId, author, ...given }: Unchecked<typeof newKey> & OfPractice & Audited,
  now: number,
) {
  const input = parseInput(newKey, given);
  requireAllowedScopes(practiceId, input);
  await requireReadyForKey(tools, practiceId);
  const { apiKey, row } = makeKey(tools, { ...input, practiceId }, now);
  const entry = newAuditEntry(
    tools,
    { practiceId, author, action: 'api_key.created', target: row.keyId, details: factsOf(row) },
    now,
  );
  if (!(await createApiKey(tools.database, row, entry))) throw practiceClosed();
  return { keyId: row.keyId, apiKey };
}

function requireAllowedScopes(ownerId: string, { scopes: wanted = [] }: NewKey): void {
  if (isPlatformId(ownerId) || !wanted.includes('practices:write')) return;
  const detail = 'Only a platform can have a key with the scope practices:write.';
  throw invalidRequestWith([{ pointer: '/scopes', code: 'invalid_value', detail }]);
}

function factsOf({ name, scopes: granted, expiresAt }: ApiKey) {
  return { name, scopes: granted.join(' '), expiresAt };
}

/** The caller writes the row. */
export function makeKey(
  { mode, randomBytes }: Pick<KeyTools, 'mode' | 'randomBytes'>,
  { practiceId, name, scopes: granted = [...defaultScopes], expiresInDays }: NewKey & OfPractice,
  now: number,
): { apiKey: string; row: ApiKey } {
  const { apiKey, keyId, secretHash } = generateApiKey(mode, randomBytes);
  const row = { keyId, practiceId, name, secretHash, scopes: granted, createdAt: toIso(now) };
  return {
    apiKey,
    row: expiresInDays === undefined ? row : { ...row, expiresInDays, expiresAt: toIso(now + expiresInDays * day) },
  };
}

const rotationEnds: Record<RotationEnd, number> = { now: 0, '1h': hour, '24h': day, '7d': 7 * day };

/** Adds a key with the name, scopes and lifetime of an old one, which expires at `end`. */
export async function rotateKey(
  tools: KeyTools,
  { practiceId, keyId, author, ...given }: Unchecked<typeof keyRotation> & Key & Audited,
  now: number,
) {
  const { end } = parseInput(keyRotation, given);
  const old = canBeId(keyId) ? await getApiKey(tools.database, keyId) : undefined;
  if (old?.practiceId !== practiceId) throw keyNotFound();
  if (old.revokedAt !== undefined) throw keyEnded('This key was revoked. Add a new one instead.');
  if (old.expiresAt !== undefined && old.expiresAt <= toIso(now))
    throw keyEnded('This key has expired. Add a new one instead.');

  const { apiKey, row } = makeKey(tools, old, now);
  const ends = toIso(now + rotationEnds[end]);
  const previousKeyExpiresAt = old.expiresAt !== undefined && old.expiresAt < ends ? old.expiresAt : ends;
  const details = { name: old.name, successor: row.keyId, endsAt: previousKeyExpiresAt };
  const entry = newAuditEntry(tools, { practiceId, author, action: 'api_key.rotated', target: keyId, details }, now);
  const rotation = { expiresAt: previousKeyExpiresAt, successor: row };
  const result = await replaceApiKey(tools.database, old, rotation, entry);
  if (result === 'closed') throw practiceClosed();
  // The key has changed since it was read.
  if (result === 'changed') return rotateKey(tools, { practiceId, keyId, author, end }, now);
  return { keyId: row.keyId, apiKey, previousKeyId: keyId, previousKeyExpiresAt };
}

/** Revoking a key again changes nothing. */
export async function revokeKey(
  { database, randomBytes }: WritingTools,
  { practiceId, keyId, author }: Key & Audited,
  now: number,
) {
  if (!canBeId(keyId)) throw keyNotFound();
  const entry = newAuditEntry({ randomBytes }, { practiceId, author, action: 'api_key.revoked', target: keyId }, now);
  const revoked = await revokeApiKey(database, practiceId, keyId, toIso(now), entry);
  if (revoked?.revokedAt === undefined) throw keyNotFound();
  return { keyId, revokedAt: revoked.revokedAt };
}

/** Lists expired and revoked keys too, all without secrets. */
export async function listKeys({ database }: ReadingTools, { practiceId }: OfPractice) {
  await requireOwner(database, practiceId);
  const keys = await listApiKeys(database, practiceId);
  return {
    keys: keys.map((key) =>
      pick(key, ['keyId', 'name', 'scopes', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedOn']),
    ),
  };
}

function keyNotFound(): Problem {
  return new Problem(
    'api_key_not_found',
    'This practice has no key with this id. A key id is the part of the key between its second and third underscore.',
  );
}

function practiceClosed(): Problem {
  return new Problem(
    'practice_closed',
    'A closed practice cannot have new keys. Ask whoever operates the payment service.',
  );
}

function keyEnded(detail: string): Problem {
  return new Problem('api_key_ended', detail);
}
