import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { due, ticketGrace } from '../domain/due.ts';
import {
  eventRow,
  sessionEventBody,
  sessionEventId,
  testEventBody,
  testEventType,
  type EventRow,
} from '../domain/event.ts';
import { type Session } from '../domain/session.ts';
import { day, toEpochSeconds, toIso } from '../domain/time.ts';
import { unlessRefused, type Database, type TransactItem } from './database.ts';
import type { DueRows } from './due-index.ts';
import type { SessionEventType, SessionStatus } from '../domain/transitions.ts';

const retention = 30 * day;

/** The part of a transaction that records what happened to `session`, due for dispatch until that is done. */
export function putEvent(
  database: Database<'events'>,
  type: SessionEventType,
  session: Session,
  previousStatus: SessionStatus,
  at: number,
): TransactItem {
  const createdAt = new Date(at).toISOString();
  const eventId = sessionEventId(session.sessionId, session.sequence);
  const row: EventRow = {
    eventId,
    sessionId: session.sessionId,
    practiceId: session.practiceId,
    type,
    createdAt,
    body: sessionEventBody(type, session, previousStatus, createdAt),
    ...due('dispatch', eventId, at + ticketGrace),
  };
  return {
    Put: {
      TableName: database.tables.events,
      Item: { ...row, timeToLive: toEpochSeconds(at + retention) },
      ConditionExpression: 'attribute_not_exists(eventId)',
    },
  };
}

/** The part of a transaction that records a test of a practice's endpoint; it goes to that endpoint alone, so it is not dispatched. */
export function putTestEvent(
  database: Database<'events'>,
  test: { eventId: string; practiceId: string; livemode: boolean },
  at: number,
): TransactItem {
  const { eventId, practiceId, livemode } = test;
  const createdAt = new Date(at).toISOString();
  const row: EventRow = {
    eventId,
    practiceId,
    type: testEventType,
    createdAt,
    body: testEventBody(eventId, livemode, createdAt),
  };
  return {
    Put: {
      TableName: database.tables.events,
      Item: { ...row, timeToLive: toEpochSeconds(at + retention) },
      ConditionExpression: 'attribute_not_exists(eventId)',
    },
  };
}

export async function getEvent(database: Database<'events'>, eventId: string): Promise<EventRow | undefined> {
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.events, Key: { eventId }, ConsistentRead: true }),
  );
  return Item && z.parse(eventRow, Item);
}

/** Takes an event off the sweep's list, once all its deliveries exist. */
export async function markDispatched(database: Database<'events'>, eventId: string): Promise<void> {
  await unlessRefused(
    database.client.send(
      new UpdateCommand({
        TableName: database.tables.events,
        Key: { eventId },
        UpdateExpression: 'REMOVE dueShard, dueAt',
        ConditionExpression: 'attribute_exists(eventId)',
      }),
    ),
  );
}

/** Lets the sweep publish an event at `now` that is not dispatched yet. False where nothing is left to do: it is dispatched, or gone. */
export async function rescheduleDispatch(database: Database<'events'>, eventId: string, now: number): Promise<boolean> {
  const written = await unlessRefused(
    database.client.send(
      new UpdateCommand({
        TableName: database.tables.events,
        Key: { eventId },
        UpdateExpression: 'SET dueAt = :now',
        ConditionExpression: 'attribute_exists(dueShard)',
        ExpressionAttributeValues: { ':now': toIso(now) },
      }),
    ),
  );
  return written !== undefined;
}

const eventKey = z.object({ eventId: z.string() });

export function undispatchedEvents(database: Database<'events'>): DueRows<typeof eventKey> {
  return { table: database.tables.events, work: 'dispatch', key: eventKey };
}
