import type * as z from 'zod/mini';
import type { listEventsRoute } from '../contract/webhooks/list-events.ts';
import {
  eventCursorAfter,
  eventPosition,
  positionOfEventCursor,
  type EventFilter,
  type EventRow,
  type EventType,
  sessionEventIds,
} from '../domain/webhooks/event.ts';
import type { ReadingTools } from '../store/database.ts';
import { readEventPage, startOfList } from '../store/webhooks/event-list.ts';
import { getEvents } from '../store/webhooks/events.ts';
import { invalidCursor } from '../sessions/list.ts';
import { findReachableSession, reachable } from './reachable.ts';

interface ListInput extends Omit<z.output<typeof listEventsRoute.query>, 'type'> {
  readonly practiceId: string;
  readonly platformSince?: string | undefined;
  readonly type?: readonly EventType[] | undefined;
}

interface Filter extends EventFilter {
  readonly types: readonly EventType[];
}

/**
 * Lists the events of the last 30 days, newest first; a platform's are those of all its practices. A page can be short or
 * empty before the last one. Throws a Problem for an unknown session or a cursor from another list.
 */
export async function listEvents(
  tools: ReadingTools,
  { practiceId, platformSince, type = [], sessionId, since: requested, limit, cursor }: ListInput,
  now: number,
): Promise<{ events: readonly EventRow[]; nextCursor: string | null }> {
  const [since] = [requested, platformSince]
    .filter((time) => time !== undefined)
    .sort()
    .reverse();
  const filter = { practiceId, types: [...new Set(type)], sessionId, since };
  const before = cursor === undefined ? undefined : positionOfEventCursor(cursor, filter);
  if (cursor !== undefined && before === undefined) throw invalidCursor();
  const page = { before, limit };
  const { events, last } = await (sessionId === undefined
    ? readEventPage(tools.database, { ...filter, ...page }, now)
    : readSession(tools, { ...filter, sessionId, ...page }, now));
  const shown = await reachable(tools.database, practiceId, events);
  return { events: shown, nextCursor: last === undefined ? null : eventCursorAfter(last, filter) };
}

/** Reads by key: a session has few events, and their IDs follow from its own. */
async function readSession(
  { database }: ReadingTools,
  {
    practiceId,
    sessionId,
    types,
    since,
    before,
    limit,
  }: Filter & { readonly sessionId: string; readonly before: string | undefined; readonly limit: number },
  now: number,
) {
  const session = await findReachableSession(database, { ownerId: practiceId, sessionId });
  const start = startOfList(since, now);
  const found = (await getEvents(database, sessionEventIds(session)))
    .reverse()
    .filter(({ type, createdAt }) => (types.length === 0 || types.includes(type)) && createdAt >= start)
    .filter((event) => before === undefined || eventPosition(event) < before);
  const events = found.slice(0, limit);
  const lastShown = events.at(-1);
  return { events, last: found.length > limit && lastShown ? eventPosition(lastShown) : undefined };
}
