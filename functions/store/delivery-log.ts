import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { attempt, type Attempt, type Delivery } from '../domain/delivery.ts';
import { testEventType } from '../domain/event.ts';
import { Fault } from '../domain/fault.ts';
import { toEpochSeconds, toIso } from '../domain/time.ts';
import { transactWrite, type Database } from './database.ts';
import {
  deliveryId,
  deliveryKey,
  deliveryRetention,
  dueForSweep,
  getDelivery,
  updateDelivery,
  type DeliveryKey,
} from './deliveries.ts';
import { putTestEvent } from './events.ts';

/** Records a test of an endpoint and its delivery, both or neither; it is sent by the sweep, within a minute. */
export async function createTestDelivery(
  database: Database<'deliveries' | 'events'>,
  test: { eventId: string; practiceId: string; endpointId: string; livemode: boolean },
  now: number,
): Promise<void> {
  const { eventId, practiceId, endpointId } = test;
  const key = { eventId, endpointId };
  const row: Delivery = {
    ...key,
    practiceId,
    eventType: testEventType,
    attempts: 0,
    attemptsBefore: 0,
    createdAt: toIso(now),
    status: 'pending',
    nextAttemptAt: toIso(now),
    ...dueForSweep(key, now, false),
  };
  const refusals = await transactWrite(database, [
    putTestEvent(database, test, now),
    {
      Put: {
        TableName: database.tables.deliveries,
        Item: { ...row, timeToLive: toEpochSeconds(now + deliveryRetention) },
        ConditionExpression: 'attribute_not_exists(eventId)',
      },
    },
  ]);
  if (refusals) throw new Fault('a new event id was already taken');
}

/**
 * Lets a delivery be attempted again at `now`, by the sweep: one that has ended gets a whole new schedule, for one that is waiting the next
 * attempt only comes sooner. False where an attempt is being made right now, or the delivery has changed since it was read.
 */
export async function reopenDelivery(
  database: Database<'deliveries'>,
  current: Delivery,
  now: number,
): Promise<boolean> {
  const { dueShard, dueAt } = dueForSweep(current, now, false);
  const written = await updateDelivery(database, current, {
    UpdateExpression:
      'SET #status = :pending, attemptsBefore = :before, nextAttemptAt = :now, dueShard = :dueShard, dueAt = :dueAt REMOVE leasedUntil',
    ConditionExpression:
      '#status = :status AND attempts = :attempts AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :now)',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':pending': 'pending',
      ':before': current.status === 'pending' ? current.attemptsBefore : current.attempts,
      ':now': toIso(now),
      ':dueShard': dueShard,
      ':dueAt': dueAt,
      ':status': current.status,
      ':attempts': current.attempts,
    },
  });
  return written !== undefined;
}

/** One page of an endpoint's deliveries that were created from `since` on, oldest first or newest; `after` continues a page. */
export async function listDeliveries(
  database: Database<'deliveries'>,
  endpointId: string,
  page: { since: number; after?: Record<string, unknown> | undefined; limit: number; newestFirst?: boolean },
): Promise<{ deliveries: Delivery[]; after: Record<string, unknown> | undefined }> {
  const { Items = [], LastEvaluatedKey } = await database.client.send(
    new QueryCommand({
      TableName: database.tables.deliveries,
      IndexName: 'byEndpoint',
      KeyConditionExpression: 'endpointId = :endpointId AND createdAt >= :since',
      ExpressionAttributeValues: { ':endpointId': endpointId, ':since': toIso(page.since) },
      ExclusiveStartKey: page.after,
      Limit: page.limit,
      ScanIndexForward: !page.newestFirst,
    }),
  );
  const rows = await Promise.all(Items.map((item) => getDelivery(database, z.parse(deliveryKey, item))));
  return { deliveries: rows.flatMap((row) => row ?? []), after: LastEvaluatedKey };
}

/** Every attempt of a delivery, in order. */
export async function listAttempts(database: Database<'attempts'>, key: DeliveryKey): Promise<Attempt[]> {
  const { Items = [] } = await database.client.send(
    new QueryCommand({
      TableName: database.tables.attempts,
      KeyConditionExpression: 'deliveryId = :deliveryId',
      ExpressionAttributeValues: { ':deliveryId': deliveryId(key) },
      ConsistentRead: true,
    }),
  );
  return Items.map((item) => z.parse(attempt, item));
}
