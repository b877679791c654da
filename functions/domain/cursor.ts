import { firstSessionIdAt, isSessionId, sha256 } from './identifier.ts';

export interface SessionFilter {
  readonly practiceId: string;
  readonly statuses: readonly string[];
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

/** Session ids that `BETWEEN` finds, with both ends: ids sort by creation. Undefined if there are none. */
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

/** `~` sorts after every character of an id. */
export function justBefore(id: string): string {
  return `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}~`;
}

/** Binds a cursor to its place and its filters. */
export function fingerprint(parts: readonly unknown[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}

function partsOf(filter: SessionFilter): readonly unknown[] {
  const { practiceId, statuses, invoiceId = null, returned, createdSince = null, createdBefore = null } = filter;
  return [practiceId, [...statuses].sort(), invoiceId, returned, createdSince, createdBefore];
}
