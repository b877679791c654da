import * as z from 'zod/mini';
import type { Session } from '../sessions/session.ts';
import {
  sessionEvents,
  type SessionEventType,
  type SessionStatus,
  sessionEventTypes,
} from '../sessions/transitions.ts';
import { isoTime } from '../time.ts';
import { practiceEventTypes, type PracticeEventType } from '../practices/platform.ts';
import { justBefore, cursorAtPosition, positionOfCursor } from '../cursor.ts';

export const webhookApiVersion = '2026-11-20';

/** Events are kept for 30 days. In a session that old, a patient can only ask for a new link, once a day. */
const mostEvents = 32;

/** The IDs of all the session's events that can still be stored. */
export function sessionEventIds({ sessionId, sequence }: Pick<Session, 'sessionId' | 'sequence'>): string[] {
  const first = Math.max(sequence - mostEvents + 1, 0);
  return Array.from({ length: sequence - first + 1 }, (_, index) => sessionEventId(sessionId, first + index));
}

/** Derived from session and sequence, so an event has only one ID. No dots (Standard Webhooks). The open event has 0. */
export function sessionEventId(sessionId: string, sequence: number): string {
  return `evt_${sessionId.slice('ses_'.length)}_${sequence}`;
}

export function sessionIdOfEvent(eventId: string): string | undefined {
  const [, ulid] = /^evt_(\w{26})_\d+$/.exec(eventId) ?? [];
  return ulid && `ses_${ulid}`;
}

export const testEventType = 'webhook.test';

export interface TestEvent {
  readonly eventId: string;
  readonly practiceId: string;
  readonly livemode: boolean;
}

export function testEventBody({ eventId, practiceId, livemode }: TestEvent, createdAt: string): string {
  return JSON.stringify({
    id: eventId,
    type: testEventType,
    created_at: createdAt,
    api_version: webhookApiVersion,
    livemode,
    practiceId,
    data: {},
  });
}

/** A practice joined a platform or, with `leftAt`, left it. */
export interface PracticeMove {
  readonly eventId: string;
  readonly platformId: string;
  readonly practiceId: string;
  readonly livemode: boolean;
  readonly joinedAt: string;
  readonly leftAt?: string;
}

export function practiceEventBody(
  type: PracticeEventType,
  { eventId, practiceId, livemode, joinedAt, leftAt }: PracticeMove,
): string {
  return JSON.stringify({
    id: eventId,
    type,
    created_at: leftAt ?? joinedAt,
    api_version: webhookApiVersion,
    livemode,
    practiceId,
    data: { joinedAt, leftAt },
  });
}

export function sessionEventBody(
  type: SessionEventType,
  session: Session,
  /** Undefined for the open event, which is not a transition. */
  previousStatus: SessionStatus | undefined,
  createdAt: string,
): string {
  return JSON.stringify({
    id: sessionEventId(session.sessionId, session.sequence),
    type,
    created_at: createdAt,
    api_version: webhookApiVersion,
    livemode: session.livemode,
    practiceId: session.practiceId,
    data: {
      sessionId: session.sessionId,
      invoiceId: session.invoiceId,
      amountCents: session.amountCents,
      status: session.status,
      previousStatus,
      sequence: session.sequence,
      ...factsOf(type, session),
      metadata: session.metadata,
    },
  });
}

function factsOf(type: SessionEventType, session: Session): object {
  const { facts: always, ...event } = sessionEvents[type];
  const facts: readonly (keyof Session)[] = [...always, ...('sometimes' in event ? event.sometimes : [])];
  return Object.fromEntries(facts.map((fact) => [fact, session[fact]]));
}

export const eventType = z.enum([...sessionEventTypes, ...practiceEventTypes, testEventType]);
export type EventType = z.infer<typeof eventType>;

export const eventRow = z.object({
  eventId: z.string(),
  sessionId: z.optional(z.string()),
  /** The event's owner, which is a platform if a practice joined or left. */
  practiceId: z.string(),
  /** The practice that joined or left. */
  movedPracticeId: z.optional(z.string()),
  type: eventType,
  createdAt: isoTime,
  body: z.string(),
  /** The API request that caused it. */
  requestId: z.optional(z.string()),
  dueShard: z.optional(z.string()),
  dueAt: z.optional(isoTime),
});
export type EventRow = z.infer<typeof eventRow>;

const expiration = z.object({ data: z.object({ cancellation: z.object({ reason: z.literal('expired') }) }) });

/** An expiration's `createdAt` is when the session expired, up to minutes before the sweep noticed. */
export function isExpiration({ body }: Pick<EventRow, 'body'>): boolean {
  return z.safeParse(expiration, JSON.parse(body)).success;
}

const fields = z.record(z.string(), z.unknown());

/** Leaves the rest of the body as it is, byte for byte. */
export function withoutMetadata(body: string): string {
  const event = z.parse(fields, JSON.parse(body));
  return JSON.stringify({ ...event, data: { ...z.parse(fields, event['data']), metadata: {} } });
}

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
  return cursorAtPosition(position, partsOf(filter), 'evt_');
}

export function positionOfEventCursor(cursor: string, filter: EventFilter): string | undefined {
  return positionOfCursor(cursor, partsOf(filter), 'evt_');
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
