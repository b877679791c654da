import * as z from 'zod/mini';
import { isPlatformId, platform, type Platform } from '../../domain/practices/platform.ts';
import type { ApiKey } from '../../domain/practices/api-key.ts';
import { practice, type Practice } from '../../domain/practices/practice.ts';
import type { AuditEntry } from '../../domain/team/audit-entry.ts';
import { isoTime } from '../../domain/time.ts';
import { idempotencyKey, type IdempotencyKey } from '../../domain/idempotency-key.ts';
import { Fault } from '../../domain/fault.ts';
import type { Database } from '../database.ts';
import { allOf, expression, isStill } from '../expressions.ts';
import { putIdempotencyKey, type IdempotentRequest } from '../idempotency-keys.ts';
import { get, getAll, queryAll, queryPage, scanAll } from '../rows.ts';
import { auditPart, entryIdTaken, updateAudited } from '../team/audit-log.ts';
import { putPracticeEvent } from '../webhooks/events.ts';
import type { PracticeMove } from '../../domain/webhooks/event.ts';
import { transact } from '../transact.ts';
import { getExistingPractice } from './practices.ts';
import { change, check, putNew, type Change, type Part } from '../writes.ts';

export async function getPlatform(
  database: Database,
  platformId: string,
  { consistent = true } = {},
): Promise<Platform | undefined> {
  return get(database, 'platforms', { platformId }, platform, { consistent });
}

export async function getExistingPlatform(database: Database, platformId: string): Promise<Platform> {
  const found = await getPlatform(database, platformId);
  if (!found) throw new Fault(`platform ${platformId} is missing`);
  return found;
}

/** The name of a practice or a platform. */
export async function nameOfOwner(database: Database, ownerId: string): Promise<string> {
  const { name } = await (isPlatformId(ownerId) ? getExistingPlatform : getExistingPractice)(database, ownerId);
  return name;
}

export async function listPlatforms(database: Database): Promise<Platform[]> {
  return scanAll(database, 'platforms', platform);
}

/** Reads only the keys, so that no unreadable row stops the work for all others. */
export async function readPlatformIds(database: Database): Promise<string[]> {
  const keys = await scanAll(database, 'platforms', z.object({ platformId: z.string() }));
  return keys.map(({ platformId }) => platformId);
}

export async function insertPlatform(
  database: Database,
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

/** Undefined if there is no such platform. */
export async function updatePlatform(
  database: Database,
  platformId: string,
  set: Omit<NonNullable<Change<Platform>['set']>, 'platformId'>,
  entry: AuditEntry,
): Promise<Platform | undefined> {
  const wanted = { set, condition: expression`attribute_exists(platformId)` };
  const { row } = await updateAudited(
    database,
    'platforms',
    { platformId },
    wanted,
    platform,
    auditPart(database, entry),
  );
  return row;
}

/** What a move leaves behind: an entry in the audit log of each side, and the platform's event. */
export interface MoveRecords {
  readonly ofPractice: AuditEntry;
  readonly ofPlatform: AuditEntry;
  readonly move: PracticeMove;
}

function recordParts(database: Database, { ofPractice, ofPlatform, move }: MoveRecords) {
  return {
    auditOfPractice: auditPart(database, ofPractice),
    auditOfPlatform: auditPart(database, ofPlatform),
    event: putPracticeEvent(database, move),
  };
}

interface Joined {
  readonly practiceId: string;
  readonly platformId: string;
  readonly platformSince: string;
}

/** Undefined if written. If refused, tells what refused it; `practice` is the row as it was then. */
export async function writeJoining(
  database: Database,
  { practiceId, platformId, platformSince }: Joined,
  records: MoveRecords,
): Promise<undefined | { readonly platform: 'missing' } | { readonly practice: Practice | undefined }> {
  const condition = allOf(
    expression`attribute_exists(practiceId)`,
    expression`attribute_not_exists(platformId)`,
    expression`attribute_not_exists(closedAt)`,
  );
  const refused = await transact(database, {
    platform: check(database, 'platforms', { platformId }, expression`attribute_exists(platformId)`),
    practice: change(database, 'practices', { practiceId }, { set: { platformId, platformSince }, condition }),
    ...recordParts(database, records),
  });
  if (!refused) return undefined;
  if (refused.has('platform')) return { platform: 'missing' };
  if (!refused.has('practice')) throw entryIdTaken();
  const row = refused.get('practice');
  return { practice: row === undefined ? undefined : z.parse(practice, row) };
}

/** Also ends a suspension that the platform began. False if either has changed since the practice was read. */
export async function writeLeaving(
  database: Database,
  { practiceId, platformId, platformSince, suspendedByPlatform }: Practice,
  records: MoveRecords,
): Promise<boolean> {
  const condition = allOf(
    isStill('platformId', platformId),
    isStill('platformSince', platformSince),
    isStill('suspendedByPlatform', suspendedByPlatform),
  );
  const resumed = suspendedByPlatform === true && { suspendedAt: null, suspendedByPlatform: null };
  const set = { platformId: null, platformSince: null, ...resumed };
  const refused = await transact(database, {
    practice: change<Practice>(database, 'practices', { practiceId }, { set, condition }),
    ...recordParts(database, records),
  });
  if (refused && !refused.has('practice')) throw entryIdTaken();
  return refused === undefined;
}

/** Refused if the practice has left the platform. */
export function servedPart(database: Database, practiceId: string, platformId: string): Part {
  return check(database, 'practices', { practiceId }, expression`platformId = ${platformId}`);
}

/** If the idempotency key was used, writes nothing and returns its row. */
export async function insertPlatformPractice(
  database: Database,
  created: Practice,
  { once, records }: { readonly once: IdempotentRequest | undefined; readonly records: MoveRecords },
  now: number,
): Promise<IdempotencyKey | undefined> {
  const refused = await transact(database, {
    practice: putNew(database, 'practices', created, 'practiceId'),
    key: once && putIdempotencyKey(database, once, now),
    ...recordParts(database, records),
  });
  if (!refused) return undefined;
  if (!refused.has('key')) throw new Fault('a new id was already taken');
  return z.parse(idempotencyKey, refused.get('key'));
}

/** Strongly consistent, so that a practice that has left is unreachable on the next request. */
export async function getPracticeNow(database: Database, practiceId: string): Promise<Practice | undefined> {
  return get(database, 'practices', { practiceId }, practice);
}

const practiceKey = z.object({ practiceId: z.string() });
const membership = z.extend(practiceKey, {
  name: z.catch(z.optional(z.string()), undefined),
  platformId: z.optional(z.string()),
  platformSince: z.optional(isoTime),
});

export type Memberships = ReadonlyMap<string, z.output<typeof membership>>;

/** Keyed by practice ID. Strongly consistent, and works even if the rest of a row is unreadable. */
export async function readMemberships(database: Database, practiceIds: readonly string[]): Promise<Memberships> {
  const keys = [...new Set(practiceIds)].map((practiceId) => ({ practiceId }));
  const found = await getAll(database, 'practices', keys, membership);
  return new Map(found.map((each) => [each.practiceId, each]));
}

/** One page of the platform's practices, sorted by ID. Leaves out those that have just left. A space sorts before every ID. */
export async function practicesOfPlatform(
  database: Database,
  platformId: string,
  { after = ' ', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ practices: Practice[]; last: string | undefined }> {
  const key = expression`platformId = ${platformId} AND practiceId > ${after}`;
  const page = await queryPage(database, 'practices', { index: 'byPlatform', key, limit }, practiceKey);
  const practices = await stillOfPlatform(database, platformId, page.rows);
  return { practices, last: page.after && page.rows.at(-1)?.practiceId };
}

/** Keeps the order. Leaves out practices that have left, which takes strongly consistent reads. */
export async function stillOfPlatform(
  database: Database,
  platformId: string,
  ids: readonly { readonly practiceId: string }[],
): Promise<Practice[]> {
  const keys = ids.map(({ practiceId }) => ({ practiceId }));
  const found = await getAll(database, 'practices', keys, practice);
  const byId = new Map(found.map((each) => [each.practiceId, each]));
  return ids.flatMap(({ practiceId }) => byId.get(practiceId) ?? []).filter((each) => each.platformId === platformId);
}

const named = z.object({ practiceId: z.string(), name: z.string() });

/** The names of all its practices. Eventually consistent. */
export async function namesOfPlatform(database: Database, platformId: string) {
  return queryAll(database, 'practices', { index: 'byPlatform', key: expression`platformId = ${platformId}` }, named);
}
