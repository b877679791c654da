import * as z from 'zod/mini';
import { due, ticketGrace } from '../../domain/due.ts';
import {
  eventPosition,
  eventRow,
  withoutMetadata,
  type EventRow,
  practiceEventBody,
  type PracticeMove,
  sessionEventBody,
  sessionEventId,
  testEventBody,
  testEventType,
  type TestEvent,
} from '../../domain/webhooks/event.ts';
import { isPlatformId } from '../../domain/practices/platform.ts';
import type { Session } from '../../domain/sessions/session.ts';
import { day, toEpochSeconds, toIso } from '../../domain/time.ts';
import type { SessionEventType, SessionStatus } from '../../domain/sessions/transitions.ts';
import { tracedRequest } from '../../log.ts';
import type { Database } from '../database.ts';
import type { DueRows } from '../due-index.ts';
import { expression } from '../expressions.ts';
import { get, getAll, update } from '../rows.ts';
import { putNew, type Part } from '../writes.ts';

export const eventRetention = 30 * day;

export function putEvent(
  database: Database,
  type: SessionEventType,
  session: Session,
  previousStatus: SessionStatus | undefined,
  at: number,
  /** Later than `at` for an expiration. */
  writtenAt = at,
): Part {
  const eventId = sessionEventId(session.sessionId, session.sequence);
  return putRow(
    database,
    {
      eventId,
      sessionId: session.sessionId,
      practiceId: session.practiceId,
      type,
      createdAt: toIso(at),
      body: sessionEventBody(type, session, previousStatus, toIso(at)),
      ...due('dispatch', eventId, writtenAt + ticketGrace),
    },
    at,
  );
}

export function putTestEvent(database: Database, test: TestEvent, at: number): Part {
  const { eventId, practiceId } = test;
  const createdAt = toIso(at);
  const body = testEventBody(test, createdAt);
  const platformId = isPlatformId(practiceId) ? practiceId : undefined;
  return putRow(database, { eventId, practiceId, platformId, type: testEventType, createdAt, body }, at);
}

/** Stored in the platform's name: its endpoints get it, and it stays listed after the practice has left. */
export function putPracticeEvent(database: Database, move: PracticeMove): Part {
  const { eventId, platformId, practiceId: movedPracticeId, joinedAt, leftAt } = move;
  const type = leftAt === undefined ? 'practice.joined' : 'practice.left';
  const createdAt = leftAt ?? joinedAt;
  const owned = { eventId, practiceId: platformId, platformId, movedPracticeId, type, createdAt } as const;
  const at = Date.parse(createdAt);
  const body = practiceEventBody(type, move);
  return putRow(database, { ...owned, body, ...due('dispatch', eventId, at + ticketGrace) }, at);
}

function putRow(database: Database, row: EventRow & { readonly platformId?: string | undefined }, at: number): Part {
  const listed = { position: eventPosition(row), timeToLive: toEpochSeconds(at + eventRetention) };
  return putNew(database, 'events', { ...row, requestId: tracedRequest(), ...listed }, 'eventId');
}

export async function getEvent(database: Database, eventId: string): Promise<EventRow | undefined> {
  return get(database, 'events', { eventId }, eventRow);
}

/** Returns them in the order of the IDs. Leaves out events that are no longer stored: they are kept for 30 days. */
export async function getEvents(database: Database, eventIds: readonly string[]): Promise<EventRow[]> {
  const rows = await getAll(
    database,
    'events',
    eventIds.map((eventId) => ({ eventId })),
    eventRow,
  );
  return eventIds.flatMap((eventId) => rows.find((row) => row.eventId === eventId) ?? []);
}

/** Reads the events together at the first call, or one by one if that fails: a single bad row must not stop the others. */
export function eventReader(
  database: Database,
  eventIds: readonly string[],
): (eventId: string) => Promise<EventRow | undefined> {
  let together: Promise<EventRow[]> | undefined;
  return async (eventId) => {
    together ??= getEvents(database, [...new Set(eventIds)]);
    const found = await together.catch(() => getEvents(database, [eventId]));
    return found.find((event) => event.eventId === eventId);
  };
}

/** Webhooks sent from now on will have no metadata either. */
export async function eraseMetadata(database: Database, eventIds: readonly string[]): Promise<void> {
  for (const { eventId, body } of await getEvents(database, eventIds)) {
    const bare = withoutMetadata(body);
    if (bare === body) continue;
    const changes = { set: { body: bare }, condition: expression`body = ${body}` };
    await update(database, 'events', { eventId }, changes, eventRow);
  }
}

const eventKey = z.object({ eventId: z.string() });
const dueEvent = z.object({ eventId: z.string(), dueShard: z.optional(z.string()), dueAt: z.optional(z.string()) });
const dispatchedEvent = z.extend(dueEvent, { platformId: z.optional(z.string()) });

/** With the platform's ID, the event is also listed among those of all the platform's practices. */
export async function markDispatched(database: Database, eventId: string, platformId?: string): Promise<void> {
  const condition = expression`attribute_exists(eventId)`;
  const changes = { set: { platformId }, remove: ['dueShard', 'dueAt'] as const, condition };
  await update(database, 'events', { eventId }, changes, dispatchedEvent);
}

export async function rescheduleDispatch(database: Database, eventId: string, now: number): Promise<boolean> {
  const condition = expression`attribute_exists(dueShard)`;
  const { written } = await update(
    database,
    'events',
    { eventId },
    { set: { dueAt: toIso(now) }, condition },
    dueEvent,
  );
  return written;
}

export function undispatchedEvents(database: Database): DueRows<typeof eventKey> {
  return { database, table: 'events', duty: 'dispatch', key: eventKey };
}
