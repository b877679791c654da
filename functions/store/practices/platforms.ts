import * as z from 'zod/mini';
import { platform, type Membership, type Platform } from '../../domain/practices/platform.ts';
import type { ApiKey } from '../../domain/practices/api-key.ts';
import { practice, type Practice } from '../../domain/practices/practice.ts';
import type { AuditEntry } from '../../domain/team/audit-entry.ts';
import { isoTime } from '../../domain/time.ts';
import { Fault } from '../../domain/fault.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, getAll, queryPage, scanAll } from '../rows.ts';
import { auditPart } from '../team/audit-log.ts';
import { transact } from '../transact.ts';
import { putNew } from '../writes.ts';

export async function getPlatform(database: Database<'platforms'>, platformId: string): Promise<Platform | undefined> {
  return get(database, 'platforms', { platformId }, platform);
}

export async function listPlatforms(database: Database<'platforms'>): Promise<Platform[]> {
  return scanAll(database, 'platforms', platform);
}

export async function insertPlatform(
  database: Database<'platforms' | 'apiKeys' | 'auditLog'>,
  created: Platform,
  key: ApiKey,
  entry: AuditEntry,
): Promise<void> {
  const refused = await transact(database, {
    platform: putNew(database, 'platforms', created, 'platformId'),
    key: putNew(database, 'apiKeys', key, 'keyId'),
    audit: auditPart(database, entry),
  });
  if (refused) throw new Fault('a new id was already taken');
}

/** Strongly consistent, so that a practice that has left is unreachable on the next request. */
export async function getPracticeNow(
  database: Database<'practices'>,
  practiceId: string,
): Promise<Practice | undefined> {
  return get(database, 'practices', { practiceId }, practice);
}

const practiceKey = z.object({ practiceId: z.string() });
const membership = z.extend(practiceKey, { platformId: z.optional(z.string()), platformSince: z.optional(isoTime) });

/** By the practice's ID. Strongly consistent, and read although the rest of a row may be unreadable. */
export async function readMemberships(
  database: Database<'practices'>,
  practiceIds: readonly string[],
): Promise<ReadonlyMap<string, Membership>> {
  const keys = [...new Set(practiceIds)].map((practiceId) => ({ practiceId }));
  const found = await getAll(database, 'practices', keys, membership);
  return new Map(found.map((each) => [each.practiceId, each]));
}

/** One page of the platform's practices, by ID. Leaves out those that have just left. A space sorts before every ID. */
export async function practicesOfPlatform(
  database: Database<'practices'>,
  platformId: string,
  { after = ' ', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ practices: Practice[]; last: string | undefined }> {
  const key = expression`platformId = ${platformId} AND practiceId > ${after}`;
  const page = await queryPage(database, 'practices', { index: 'byPlatform', key, limit }, practiceKey);
  const found = await getAll(database, 'practices', page.rows, practice);
  const byId = new Map(found.map((each) => [each.practiceId, each]));
  const practices = page.rows
    .flatMap(({ practiceId }) => byId.get(practiceId) ?? [])
    .filter((each) => each.platformId === platformId);
  return { practices, last: page.after && page.rows.at(-1)?.practiceId };
}
