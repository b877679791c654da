import { apiKey, type ApiKey } from '../../domain/practices/api-key.ts';
import type { AuditEntry } from '../../domain/team/audit-entry.ts';
import { Fault } from '../../domain/fault.ts';
import { auditPart, updateAudited } from '../team/audit-log.ts';
import type { Database } from '../database.ts';
import { allOf, expression } from '../expressions.ts';
import { notClosedPart } from './practices.ts';
import { get, queryAll, update } from '../rows.ts';
import { transact } from '../transact.ts';
import { change, putNew } from '../writes.ts';

/** Strongly consistent: a revocation takes effect on the next request. */
export async function getApiKey(database: Database, keyId: string): Promise<ApiKey | undefined> {
  return get(database, 'apiKeys', { keyId }, apiKey);
}

/** False if the practice is closed. */
export async function createApiKey(database: Database, created: ApiKey, entry: AuditEntry): Promise<boolean> {
  const refused = await transact(database, {
    practice: notClosedPart(database, created.practiceId),
    key: putNew(database, 'apiKeys', created, 'keyId'),
    audit: auditPart(database, entry),
  });
  if (refused && !refused.has('practice')) throw new Fault('a new key id was already taken');
  return refused === undefined;
}

export async function listApiKeys(database: Database, practiceId: string): Promise<ApiKey[]> {
  const key = expression`practiceId = ${practiceId}`;
  return queryAll(database, 'apiKeys', { index: 'byPractice', key }, apiKey);
}

export async function recordKeyUse(database: Database, keyId: string, day: string): Promise<void> {
  const condition = allOf(
    expression`attribute_exists(keyId)`,
    expression`attribute_not_exists(lastUsedOn) OR lastUsedOn < ${day}`,
  );
  await update(database, 'apiKeys', { keyId }, { set: { lastUsedOn: day }, condition }, apiKey);
}

export async function replaceApiKey(
  database: Database,
  asRead: ApiKey,
  { expiresAt, successor }: { readonly expiresAt: string; readonly successor: ApiKey },
  entry: AuditEntry,
): Promise<'replaced' | 'changed' | 'closed'> {
  const condition = allOf(
    expression`attribute_exists(keyId) AND attribute_not_exists(revokedAt)`,
    asRead.expiresAt === undefined
      ? expression`attribute_not_exists(expiresAt)`
      : expression`expiresAt = ${asRead.expiresAt}`,
  );
  const refused = await transact(database, {
    practice: notClosedPart(database, asRead.practiceId),
    replaced: change(database, 'apiKeys', { keyId: asRead.keyId }, { set: { expiresAt }, condition }),
    successor: putNew(database, 'apiKeys', successor, 'keyId'),
    audit: auditPart(database, entry),
  });
  if (!refused) return 'replaced';
  if (refused.has('practice')) return 'closed';
  if (refused.has('successor') || refused.has('audit')) throw new Fault('a new id was already taken');
  return 'changed';
}

/** Undefined if the practice has no such key. Revoking a revoked key changes nothing and writes no entry. */
export async function revokeApiKey(
  database: Database,
  practiceId: string,
  keyId: string,
  revokedAt: string,
  entry: AuditEntry,
): Promise<ApiKey | undefined> {
  const condition = expression`practiceId = ${practiceId} AND attribute_not_exists(revokedAt)`;
  const change = { set: { revokedAt }, condition };
  const audit = auditPart(database, entry);
  const { row } = await updateAudited(database, 'apiKeys', { keyId }, change, apiKey, audit);
  return row?.practiceId === practiceId ? row : undefined;
}
