import { feeSettings, newPlatform } from '../contract/practices/practices.ts';
import { Problem } from '../contract/problem.ts';
import { defaultScopes, type Scope } from '../domain/practices/api-key.ts';
import { generatePlatformId, type Platform } from '../domain/practices/platform.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { newAuditEntry, type AuditAction, type Audited, type NewEntry } from '../domain/team/audit-entry.ts';
import { pick } from '../domain/collections.ts';
import type { Mode } from '../domain/mode.ts';
import { toIso } from '../domain/time.ts';
import type { Database, ReadingTools, WritingTools } from '../store/database.ts';
import {
  getPlatform,
  getPracticeNow,
  insertPlatform,
  listPlatforms as listAllPlatforms,
  practicesOfPlatform,
  writeJoining,
  updatePlatform as writePlatform,
  writeLeaving,
  type MoveRecords,
} from '../store/practices/platforms.ts';
import type { PracticeMove } from '../domain/webhooks/event.ts';
import { ulid } from '../domain/identifier.ts';
import { makeKey } from './keys.ts';
import {
  changeDetails,
  parseInput,
  practiceNotFound,
  requireChange,
  type PracticeOfAuthor,
  type Unchecked,
} from './requirements.ts';

export interface MoveTools extends WritingTools {
  readonly mode: Mode;
}

const firstScopes: Scope[] = [...defaultScopes, 'practices:write'];

/** Creates a platform with its first key, which is shown only once. */
export async function createPlatform(
  tools: MoveTools,
  { author, ...given }: Unchecked<typeof newPlatform> & Audited,
  now: number,
) {
  const { database, randomBytes } = tools;
  const { name } = parseInput(newPlatform, given);
  const platformId = generatePlatformId(randomBytes);
  const key = { practiceId: platformId, name: 'First key', scopes: firstScopes };
  const { apiKey, row } = makeKey(tools, key, now);
  const created = { practiceId: platformId, author, action: 'platform.created', target: platformId } as const;
  const entry = newAuditEntry(tools, { ...created, details: { name } }, now);
  await insertPlatform(database, { platformId, name, createdAt: toIso(now) }, row, entry);
  return { platformId, name, apiKey };
}

/** Applies to sessions created from now on by practices that have no fee of their own. */
export async function updatePlatform(
  tools: WritingTools,
  { platformId, author, ...given }: Unchecked<typeof feeSettings> & Audited & { readonly platformId: string },
  now: number,
): Promise<Platform> {
  const set = parseInput(feeSettings, given);
  requireChange(set);
  const updated = { practiceId: platformId, author, action: 'platform.updated', target: platformId } as const;
  const entry = newAuditEntry(tools, { ...updated, details: changeDetails(set) }, now);
  const platform = await writePlatform(tools.database, platformId, set, entry);
  if (!platform) throw platformNotFound();
  return platform;
}

/** Throws a Problem if there is no such platform. */
export async function requirePlatform(database: Database, platformId: string): Promise<Platform> {
  const found = await getPlatform(database, platformId);
  if (!found) throw platformNotFound();
  return found;
}

export async function listPlatforms({ database }: ReadingTools) {
  return { platforms: await listAllPlatforms(database) };
}

const pageSize = 100;

/** For the operator: the platform with all its practices. */
export async function showPlatform({ database }: ReadingTools, { platformId }: { readonly platformId: string }) {
  const platform = await requirePlatform(database, platformId);
  const practices: Practice[] = [];
  let after: string | undefined;
  do {
    const page = await practicesOfPlatform(database, platformId, { after, limit: pageSize });
    practices.push(...page.practices);
    after = page.last;
  } while (after !== undefined);
  const shown = ['practiceId', 'name', 'platformSince', 'suspendedAt', 'closedAt'] as const;
  return { ...platform, practices: practices.map((each) => pick(each, shown)) };
}

/** From now on, the platform's keys and members may act for the practice. */
export async function joinPlatform(
  tools: MoveTools,
  { practiceId, platformId, author }: PracticeOfAuthor & { readonly platformId: string },
  now: number,
) {
  const joined = { practiceId, platformId, platformSince: toIso(now) };
  const move = moveOf(tools, { practiceId, platformId, joinedAt: joined.platformSince }, now);
  const records = recordsOf(tools, { author, move }, 'practice.joined_platform', now);
  const refused = await writeJoining(tools.database, joined, records);
  if (!refused) return joined;
  if ('platform' in refused) throw platformNotFound();
  const { practice } = refused;
  if (!practice) throw practiceNotFound();
  if (practice.closedAt !== undefined)
    throw new Problem('practice_closed', 'A closed practice cannot join a platform.');
  throw new Problem('practice_in_platform', `It belongs to ${practice.platformId}. It must leave that platform first.`);
}

/** From the next request on, the platform cannot reach anything of the practice's, and no suspension by it remains. */
export async function leavePlatform(tools: MoveTools, { practiceId, author }: PracticeOfAuthor, now: number) {
  const { database } = tools;
  const practice = await getPracticeNow(database, practiceId);
  if (!practice) throw practiceNotFound();
  const { platformId, platformSince, suspendedByPlatform } = practice;
  if (platformId === undefined || platformSince === undefined)
    throw new Problem('practice_in_no_platform', 'It has left its platform, or never belonged to one.');
  const details = suspendedByPlatform === true ? { suspension: 'ended' } : {};
  const leftAt = toIso(now);
  const move = moveOf(tools, { practiceId, platformId, joinedAt: platformSince, leftAt }, now);
  const records = recordsOf(tools, { author, move }, 'practice.left_platform', now, details);
  // The practice has changed since it was read.
  if (!(await writeLeaving(database, practice, records))) return leavePlatform(tools, { practiceId, author }, now);
  return { practiceId, platformId, leftAt };
}

export function moveOf(
  { mode, randomBytes }: Pick<MoveTools, 'mode' | 'randomBytes'>,
  moved: Omit<PracticeMove, 'eventId' | 'livemode'>,
  now: number,
): PracticeMove {
  return { ...moved, eventId: `evt_${ulid(now, randomBytes)}`, livemode: mode === 'live' };
}

function recordsOf(
  tools: WritingTools,
  { author, move }: Audited & { readonly move: PracticeMove },
  action: AuditAction,
  now: number,
  details: NewEntry['details'] = {},
): MoveRecords {
  const { practiceId, platformId } = move;
  const entryOf = (owner: string, target: string) =>
    newAuditEntry(tools, { practiceId: owner, author, action, target, details }, now);
  return { ofPractice: entryOf(practiceId, platformId), ofPlatform: entryOf(platformId, practiceId), move };
}

function platformNotFound(): Problem {
  return new Problem('platform_not_found', 'There is no platform with this id. Check the id.');
}
