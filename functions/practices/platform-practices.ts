import {
  createdPractice,
  type CreatedPractice,
  type ListedPractice,
  type NewPlatformPractice,
} from '../contract/practices/platform-practices.ts';
import { replayOf } from '../contract/idempotency.ts';
import { Problem } from '../contract/problem.ts';
import { cursorAfterPractice, practiceIdOfCursor } from '../domain/cursor.ts';
import { sha256 } from '../domain/identifier.ts';
import type { Mode } from '../domain/mode.ts';
import { servesPractice } from '../domain/practices/platform.ts';
import type { Practice } from '../domain/practices/practice.ts';
import { newAuditEntry, type Audited } from '../domain/team/audit-entry.ts';
import { toIso } from '../domain/time.ts';
import type { ModeTools, ReadingTools, WritingTools } from '../store/database.ts';
import {
  getPracticeNow,
  insertPlatformPractice,
  practicesOfPlatform,
  namesOfPlatform,
  stillOfPlatform,
} from '../store/practices/platforms.ts';
import { updatePractice, type PracticeChange } from '../store/practices/practices.ts';
import { newPracticeRow } from './create.ts';
import { missingForLinks } from './go-live.ts';
import { moveOf } from './platforms.ts';
import { practiceEntry, practiceNotFound } from './requirements.ts';
import type { testBankOf } from './test-bank.ts';
import type * as z from 'zod/mini';
import type { dashboardPlatformRoutes } from '../contract/practices/dashboard-settings.ts';
import { pick } from '../domain/collections.ts';
import { searchable } from '../domain/plain-text.ts';

interface CreateTools extends WritingTools {
  readonly mode: Mode;
  /** Set only in a sandbox, so that no live bundle contains its users. */
  readonly testBankOf: typeof testBankOf | undefined;
}

interface CreateInput extends Audited {
  readonly platformId: string;
  readonly body: NewPlatformPractice;
  readonly idempotencyKey?: string | undefined;
}

/**
 * Creates a practice in the platform, or replays the response to an earlier request with the same idempotency key. Throws a
 * Problem if the earlier request's practice has left.
 */
export async function createPlatformPractice(
  tools: CreateTools,
  { platformId, body, author, idempotencyKey: key }: CreateInput,
  now: number,
) {
  const { database } = tools;
  const joinedAt = toIso(now);
  const practice = { ...newPracticeRow(tools, body, now), platformId, platformSince: joinedAt };
  const { practiceId, name } = practice;
  const response: CreatedPractice = {
    ...listed(practice),
    ...(tools.testBankOf && { testBank: tools.testBankOf(practice) }),
  };
  const requestHash = sha256(JSON.stringify(['create practice', body]));
  const once =
    key === undefined
      ? undefined
      : { practiceId: platformId, key, requestHash, responseBody: JSON.stringify(response) };
  const created = { author, action: 'practice.created', target: practiceId, details: { name, platformId } } as const;
  const entryOf = (owner: string) => newAuditEntry(tools, { ...created, practiceId: owner }, now);
  const move = moveOf(tools, { practiceId, platformId, joinedAt }, now);
  const records = { ofPractice: entryOf(practiceId), ofPlatform: entryOf(platformId), move };
  const earlier = await insertPlatformPractice(database, practice, { once, records }, now);
  if (!earlier) return { response, replayed: false };
  const replay = replayOf(createdPractice, earlier, requestHash);
  if (!servesPractice(platformId, await getPracticeNow(database, replay.response.practiceId)))
    throw new Problem('practice_not_found', 'The practice that this request created has left. Use a new key.');
  return replay;
}

/** Sorted by ID. Throws a Problem for a cursor from another list. */
export async function listPlatformPractices(
  { database }: ReadingTools,
  {
    platformId,
    limit,
    cursor,
  }: { readonly platformId: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ data: ListedPractice[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : practiceIdOfCursor(cursor, platformId);
  if (cursor !== undefined && after === undefined) throw new Problem('invalid_cursor', 'Start without a cursor.');
  const { practices, last } = await practicesOfPlatform(database, platformId, { after, limit });
  return {
    data: practices.map(listed),
    nextCursor: last === undefined ? null : cursorAfterPractice(last, platformId),
  };
}

export async function openPlatformPractice(tools: ModeTools, practice: Practice) {
  return { ...listed(practice), missing: await missingForLinks(tools, practice) };
}

type SuspensionInput = Audited & { readonly practice: Practice };

/** Idempotent. */
export async function suspendPlatformPractice(tools: WritingTools, input: SuspensionInput, now: number) {
  const set = { suspendedAt: toIso(now), suspendedByPlatform: true };
  return listed(await change(tools, input, 'practice.suspended', { set, unless: 'suspendedAt' }, now));
}

/** Ends only a suspension that the platform began. Idempotent. */
export async function resumePlatformPractice(tools: WritingTools, input: SuspensionInput, now: number) {
  const set = { suspendedAt: null, suspendedByPlatform: null };
  const lifted = { set, requires: 'suspendedByPlatform', unless: 'closedAt' } as const;
  const resumed = await change(tools, input, 'practice.resumed', lifted, now);
  if (resumed.closedAt !== undefined)
    throw new Problem('practice_closed', 'A practice is closed for good. Create a new one.');
  if (resumed.suspendedAt !== undefined)
    throw new Problem('practice_suspended', 'Whoever runs the service suspended it: ask them.');
  return listed(resumed);
}

/** Returns the practice afterward. Writes nothing if it has left its platform since it was read. */
async function change(
  tools: WritingTools,
  { practice, author }: SuspensionInput,
  action: 'practice.suspended' | 'practice.resumed',
  wanted: PracticeChange,
  now: number,
): Promise<Practice> {
  const { practiceId, platformId } = practice;
  const entry = practiceEntry(tools, { practiceId, author }, action, now);
  const unchanged = { name: 'platformId', practice } as const;
  const { row } = await updatePractice(tools.database, practiceId, { ...wanted, unchanged }, entry);
  if (!row || row.platformId !== platformId) throw practiceNotFound();
  return row;
}

function listed({ practiceId, name, createdAt, platformSince, suspendedAt, closedAt }: Practice): ListedPractice {
  const status = closedAt !== undefined ? 'closed' : suspendedAt !== undefined ? 'suspended' : 'active';
  return { practiceId, name, status, createdAt, joinedAt: platformSince ?? createdAt, suspendedAt };
}

type Query = z.output<typeof dashboardPlatformRoutes.listPlatformPractices.query>;

const pageSize = 50;

/** Searches by name, which the index cannot do, so it reads every name. The cursor is a position. */
export async function searchPractices(
  tools: ModeTools,
  { platformId, name = '', cursor = '0' }: Query & { readonly platformId: string },
) {
  const words = searchable(name);
  const found = (await namesOfPlatform(tools.database, platformId))
    .filter((each) => searchable(each.name).includes(words))
    .sort((left, right) => left.name.localeCompare(right.name) || left.practiceId.localeCompare(right.practiceId));
  const end = Number(cursor) + pageSize;
  const practices = await stillOfPlatform(tools.database, platformId, found.slice(Number(cursor), end));
  const data = await Promise.all(
    practices.map(async (practice) => ({
      ...pick(practice, ['practiceId', 'name', 'suspendedAt', 'closedAt', 'debitsStoppedAt']),
      platformSince: practice.platformSince ?? practice.createdAt,
      missingForLinks: await missingForLinks(tools, practice),
    })),
  );
  return { data, nextCursor: end < found.length ? String(end) : null };
}
