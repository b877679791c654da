import { firstSessionIdAt, isSessionId, sha256 } from './identifier.ts';
import type { Outcome } from './sessions/outcome.ts';
import { toIso } from './time.ts';

export interface SessionFilter {
  readonly practiceId: string;
  readonly statuses: readonly string[];
  /** Set only for the dashboard's list. */
  readonly outcomes?: readonly Outcome[];
  readonly invoiceId: string | undefined;
  readonly returned: boolean;
  /** Inclusive. */
  readonly createdSince: string | undefined;
  /** Exclusive. */
  readonly createdBefore: string | undefined;
}

export function cursorAfter(sessionId: string, filter: SessionFilter): string {
  return `cur_${sessionId.slice('ses_'.length)}${fingerprint([...partsOf(filter), sessionId])}`;
}

export function sessionIdOfCursor(cursor: string, filter: SessionFilter): string | undefined {
  const sessionId = `ses_${cursor.slice('cur_'.length, 'cur_'.length + 26)}`;
  return isSessionId(sessionId) && cursor === cursorAfter(sessionId, filter) ? sessionId : undefined;
}

/** The inclusive bounds for a `BETWEEN` on session IDs, which sort by creation. Undefined if the range is empty. */
export function sessionIdRange(
  { createdSince, createdBefore }: Pick<SessionFilter, 'createdSince' | 'createdBefore'>,
  before: string | undefined,
): { first: string; last: string } | undefined {
  const first = createdSince === undefined ? 'ses_' : idAt(createdSince);
  const ends = [before, createdBefore === undefined ? undefined : idAt(createdBefore)];
  const [end = 'ses_~'] = ends.filter((each) => each !== undefined).sort();
  return first < end ? { first, last: justBefore(end) } : undefined;
}

function idAt(time: string): string {
  return firstSessionIdAt(Math.max(Date.parse(time), 0));
}

/** The bound just before an ID: `~` sorts after every character of an ID. */
export function justBefore(id: string): string {
  return `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`;
}

/** Ties a cursor to its position and filters. */
function fingerprint(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}

/** A cursor for a platform's list of practices, sorted by ID. */
export function cursorAfterPractice(practiceId: string, platformId: string): string {
  return `cur_${practiceId.slice('prc_'.length)}${fingerprint([platformId, practiceId])}`;
}

export function practiceIdOfCursor(cursor: string, platformId: string): string | undefined {
  const practiceId = `prc_${cursor.slice('cur_'.length, -16)}`;
  return cursor === cursorAfterPractice(practiceId, platformId) ? practiceId : undefined;
}

/** A cursor for a list by time, whose positions are like `2026-11-20T15:04:05.123Z#evt_1`. `prefix` starts all its IDs. */
export function cursorAtPosition(position: string, parts: readonly unknown[], prefix = ''): string {
  const [time = '', id = ''] = position.split('#');
  return `cur_${Date.parse(time).toString(36)}_${id.slice(prefix.length)}${fingerprint([...parts, position])}`;
}

export function positionOfCursor(cursor: string, parts: readonly unknown[], prefix = ''): string | undefined {
  const [, time, id] = /^cur_([0-9a-z]{1,9})_(\w+)[\w-]{16}$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined) return undefined;
  const position = `${toIso(parseInt(time, 36))}#${prefix}${id}`;
  return cursor === cursorAtPosition(position, parts, prefix) ? position : undefined;
}

function partsOf(filter: SessionFilter): readonly unknown[] {
  const { practiceId, statuses, outcomes = [], invoiceId = null, returned } = filter;
  const { createdSince = null, createdBefore = null } = filter;
  const parts = [practiceId, [...statuses].sort(), invoiceId, returned, createdSince, createdBefore];
  return outcomes.length === 0 ? parts : [...parts, [...outcomes].sort()];
}
