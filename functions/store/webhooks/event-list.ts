import * as z from 'zod/mini';
import { positionRange, type EventFilter, eventType, type EventType } from '../../domain/webhooks/event.ts';
import { isPlatformId } from '../../domain/practices/platform.ts';
import { toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { eventRetention, getEvents } from './events.ts';
import { expression } from '../expressions.ts';
import { queryAll, queryPage, queryPages } from '../rows.ts';

interface EventQuery extends Omit<EventFilter, 'sessionId'> {
  readonly types: readonly EventType[];
  /** Only events before this position. */
  readonly before: string | undefined;
  readonly limit: number;
}

const entry = z.object({ eventId: z.string(), position: z.string(), type: eventType });
type Entry = z.infer<typeof entry>;

/** The index cannot filter by type, so the number of reads per page is limited. */
const maximumReads = 4;
const entriesPerRead = 200;

/** `last` is where the next page continues; undefined at the end of the list. */
export async function readEventPage(database: Database, query: EventQuery, now: number) {
  const { entries, last } = await newestEntries(database, query, now);
  const events = await getEvents(
    database,
    entries.map(({ eventId }) => eventId),
  );
  return { events, last };
}

async function newestEntries(database: Database, { practiceId, types, since, before, limit }: EventQuery, now: number) {
  const wanted = limit + 1;
  const size = types.length > 0 ? entriesPerRead : wanted;
  const found: Entry[] = [];
  let end = before;
  for (let reads = 1; ; reads += 1) {
    const range = positionRange(startOfList(since, now), end);
    const read = range ? await readEntries(database, practiceId, range, size) : [];
    found.push(...read.filter(({ type }) => types.length === 0 || types.includes(type)));
    if (found.length >= wanted) break;
    if (read.length < size) return { entries: found, last: undefined };
    end = read.at(-1)?.position;
    if (reads === maximumReads) return { entries: found, last: end };
  }
  const entries = found.slice(0, limit);
  return { entries, last: entries.at(-1)?.position };
}

async function readEntries(
  database: Database,
  practiceId: string,
  { first, last }: { first: string; last: string },
  limit: number,
): Promise<Entry[]> {
  const of = isPlatformId(practiceId)
    ? { index: 'byPlatform', key: expression`platformId = ${practiceId} AND position BETWEEN ${first} AND ${last}` }
    : { index: 'byPractice', key: expression`practiceId = ${practiceId} AND position BETWEEN ${first} AND ${last}` };
  const { rows } = await queryPage(database, 'events', { ...of, newestFirst: true, limit }, entry);
  return rows;
}

/** Oldest first, and at most one page: the next one starts after the last one's position. */
export async function readEventsSince(
  database: Database,
  { practiceId, from, to, after }: { practiceId: string; from: string; to: string; after: string | undefined },
): Promise<Entry[]> {
  // A space sorts before every character of an id.
  const first = after === undefined ? from : `${after} `;
  const key = expression`practiceId = ${practiceId} AND position BETWEEN ${first} AND ${to}`;
  const { rows } = await queryPage(database, 'events', { index: 'byPractice', key, limit: entriesPerRead }, entry);
  return rows;
}

/** All of them, oldest first. */
export async function readEventsBetween(
  database: Database,
  practiceId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Entry[]> {
  const key = expression`practiceId = ${practiceId} AND position BETWEEN ${from} AND ${to}`;
  return queryAll(database, 'events', { index: 'byPractice', key }, entry);
}

/** The IDs of all the practice's stored events, oldest first. */
export async function* eventIdPages(database: Database, practiceId: string): AsyncGenerator<string[]> {
  const query = { index: 'byPractice', key: expression`practiceId = ${practiceId}` };
  for await (const rows of queryPages(database, 'events', query, entry)) yield rows.map(({ eventId }) => eventId);
}

/** Leaves out expired rows: DynamoDB deletes them up to days late. */
export function startOfList(since: string | undefined, now: number): string {
  const oldest = toIso(now - eventRetention);
  return since === undefined || since < oldest ? oldest : since;
}
