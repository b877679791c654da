import { fingerprint, justBefore } from '../cursor.ts';
import { toIso } from '../time.ts';

export interface EventFilter {
  readonly practiceId: string;
  readonly types: readonly string[];
  readonly sessionId: string | undefined;
  /** Inclusive. */
  readonly since: string | undefined;
}

/** Sorts events by time, then by ID. */
export function eventPosition({ createdAt, eventId }: { createdAt: string; eventId: string }): string {
  return `${createdAt}#${eventId}`;
}

export function eventCursorAfter(position: string, filter: EventFilter): string {
  const [createdAt = '', eventId = ''] = position.split('#');
  const time = Date.parse(createdAt).toString(36);
  return `cur_${time}_${eventId.slice('evt_'.length)}${fingerprint([...partsOf(filter), position])}`;
}

export function positionOfEventCursor(cursor: string, filter: EventFilter): string | undefined {
  const [, time, id] = /^cur_([0-9a-z]{1,9})_(\w+)[\w-]{16}$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined) return undefined;
  const position = eventPosition({ createdAt: toIso(parseInt(time, 36)), eventId: `evt_${id}` });
  return cursor === eventCursorAfter(position, filter) ? position : undefined;
}

/** The inclusive bounds for a `BETWEEN` on positions. Undefined if the range is empty. */
export function positionRange(since: string, before: string | undefined): { first: string; last: string } | undefined {
  const last = before === undefined ? '~' : justBefore(before);
  return since <= last ? { first: since, last } : undefined;
}

function partsOf(filter: EventFilter): readonly unknown[] {
  const { practiceId, types, sessionId = null, since = null } = filter;
  return [practiceId, [...types].sort(), sessionId, since];
}
