import { GetCommand, PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { delivery, leaseDuration, type Attempt, type Delivery, type NextStep } from '../domain/delivery.ts';
import { due, ticketGrace } from '../domain/due.ts';
import type { EventRow } from '../domain/event.ts';
import { day, second, toEpochSeconds, toIso } from '../domain/time.ts';
import { transactWrite, unlessRefused, type Database } from './database.ts';
import type { DueRows } from './due-index.ts';

export const deliveryRetention = 30 * day;

export interface DeliveryKey {
  readonly eventId: string;
  readonly endpointId: string;
}

/** What a delivery's attempts are found by. */
export function deliveryId({ eventId, endpointId }: DeliveryKey): string {
  return `${eventId}#${endpointId}`;
}

/** When the sweep is to look at a pending delivery: some time after its ticket, or at once where it has none. */
export function dueForSweep(key: DeliveryKey, nextAttemptAt: number, byTicket: boolean) {
  return due('delivery', deliveryId(key), byTicket ? nextAttemptAt + ticketGrace : nextAttemptAt);
}

/** Creates the delivery of an event to an endpoint unless it exists: pending where the endpoint is enabled, else `skipped`, for replay. */
export async function createDelivery(
  database: Database<'deliveries'>,
  event: Pick<EventRow, 'eventId' | 'practiceId' | 'type'>,
  endpoint: { endpointId: string; enabled: boolean },
  now: number,
): Promise<void> {
  const key = { eventId: event.eventId, endpointId: endpoint.endpointId };
  const row: Delivery = {
    ...key,
    practiceId: event.practiceId,
    eventType: event.type,
    attempts: 0,
    attemptsBefore: 0,
    createdAt: toIso(now),
    ...(endpoint.enabled
      ? { status: 'pending', nextAttemptAt: toIso(now), ...dueForSweep(key, now, true) }
      : { status: 'skipped' }),
  };
  await unlessRefused(
    database.client.send(
      new PutCommand({
        TableName: database.tables.deliveries,
        Item: { ...row, timeToLive: toEpochSeconds(now + deliveryRetention) },
        ConditionExpression: 'attribute_not_exists(eventId)',
      }),
    ),
  );
}

export async function getDelivery(database: Database<'deliveries'>, key: DeliveryKey): Promise<Delivery | undefined> {
  const { eventId, endpointId } = key;
  const { Item } = await database.client.send(
    new GetCommand({ TableName: database.tables.deliveries, Key: { eventId, endpointId }, ConsistentRead: true }),
  );
  return Item && z.parse(delivery, Item);
}

/** Runs a conditional update of a delivery; undefined where the condition refuses. */
export async function updateDelivery(
  database: Database<'deliveries'>,
  { eventId, endpointId }: DeliveryKey,
  update: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
): Promise<Delivery | undefined> {
  const written = await unlessRefused(
    database.client.send(
      new UpdateCommand({
        TableName: database.tables.deliveries,
        Key: { eventId, endpointId },
        ReturnValues: 'ALL_NEW',
        ...update,
      }),
    ),
  );
  return written && z.parse(delivery, written.Attributes);
}

const stillPending = '#status = :pending AND attempts = :attempts';

/** How much earlier than its time a ticket may come, as clocks differ; a ticket that comes much earlier is a double of one that was put off. */
const earliness = 5 * second;

/** Takes the right to make attempt `attemptNumber`, for one minute. Undefined where the ticket is stale or too early, or another worker has it. */
export async function leaseDelivery(
  database: Database<'deliveries'>,
  key: DeliveryKey,
  attemptNumber: number,
  now: number,
): Promise<Delivery | undefined> {
  return updateDelivery(database, key, {
    UpdateExpression: 'SET leasedUntil = :leasedUntil',
    ConditionExpression: `${stillPending} AND nextAttemptAt <= :soon AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :now)`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':soon': toIso(now + earliness),
      ':leasedUntil': toIso(now + leaseDuration),
      ':pending': 'pending',
      ':attempts': attemptNumber - 1,
      ':now': toIso(now),
    },
  });
}

/** Writes what an attempt came to and what follows, both or neither. False where another worker had finished the attempt first. */
export async function recordAttempt(
  database: Database<'deliveries' | 'attempts'>,
  leased: Delivery,
  made: Omit<Attempt, 'deliveryId' | 'attemptNumber'>,
  next: NextStep,
  now: number,
): Promise<boolean> {
  const attemptNumber = leased.attempts + 1;
  const row: Attempt = { ...made, deliveryId: deliveryId(leased), attemptNumber };
  const pending =
    next.status === 'pending'
      ? { nextAttemptAt: toIso(next.nextAttemptAt), ...dueForSweep(leased, next.nextAttemptAt, next.byTicket) }
      : undefined;
  const delivered = next.status === 'delivered' ? ', deliveredAt = :now' : '';
  const refusals = await transactWrite(database, [
    {
      Update: {
        TableName: database.tables.deliveries,
        Key: { eventId: leased.eventId, endpointId: leased.endpointId },
        UpdateExpression: pending
          ? 'SET #status = :status, attempts = :attempts, nextAttemptAt = :nextAttemptAt, dueShard = :dueShard, dueAt = :dueAt REMOVE leasedUntil'
          : `SET #status = :status, attempts = :attempts${delivered} REMOVE leasedUntil, nextAttemptAt, dueShard, dueAt`,
        ConditionExpression: '#status = :pending AND attempts = :previousAttempts',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':status': next.status,
          ':attempts': attemptNumber,
          ':pending': 'pending',
          ':previousAttempts': leased.attempts,
          ...(pending && {
            ':nextAttemptAt': pending.nextAttemptAt,
            ':dueShard': pending.dueShard,
            ':dueAt': pending.dueAt,
          }),
          ...(delivered && { ':now': toIso(now) }),
        },
      },
    },
    {
      Put: {
        TableName: database.tables.attempts,
        Item: { ...row, timeToLive: toEpochSeconds(now + deliveryRetention) },
      },
    },
  ]);
  return refusals === undefined;
}

/** Puts a leased delivery off until a time, without counting an attempt; a ticket brings it back, or where it has none the sweep. False where it is no longer as it was. */
export async function rescheduleDelivery(
  database: Database<'deliveries'>,
  leased: Delivery,
  until: number,
  byTicket: boolean,
): Promise<boolean> {
  const { dueShard, dueAt } = dueForSweep(leased, until, byTicket);
  const written = await updateDelivery(database, leased, {
    UpdateExpression: 'SET nextAttemptAt = :until, dueShard = :dueShard, dueAt = :dueAt REMOVE leasedUntil',
    ConditionExpression: stillPending,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':until': toIso(until),
      ':dueShard': dueShard,
      ':dueAt': dueAt,
      ':pending': 'pending',
      ':attempts': leased.attempts,
    },
  });
  return written !== undefined;
}

/** Ends a delivery that can no longer be sent, because its endpoint is disabled or gone; it can be replayed. One that was delivered before it was sent anew stays so. */
export async function skipDelivery(database: Database<'deliveries'>, leased: Delivery): Promise<void> {
  await updateDelivery(database, leased, {
    UpdateExpression: 'SET #status = :ended REMOVE leasedUntil, nextAttemptAt, dueShard, dueAt',
    ConditionExpression: stillPending,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':ended': leased.deliveredAt === undefined ? 'skipped' : 'delivered',
      ':pending': 'pending',
      ':attempts': leased.attempts,
    },
  });
}

export const deliveryKey = z.object({ eventId: z.string(), endpointId: z.string() });

export function dueDeliveries(database: Database<'deliveries'>): DueRows<typeof deliveryKey> {
  return { table: database.tables.deliveries, work: 'delivery', key: deliveryKey };
}
