import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { withinTime } from '../aws-client.ts';
import { eventRow, type EventRow } from '../domain/webhooks/event.ts';
import { second, type Clock } from '../domain/time.ts';
import { logError, logFault, logInfo } from '../log.ts';
import type { Publish } from '../messages/webhooks/event-bus.ts';
import type { SendTickets } from '../messages/queues.ts';
import { dispatchEvents, type DispatchTools } from './dispatch.ts';

export interface PublishTools extends DispatchTools {
  readonly publish: Publish;
  readonly clock: Clock;
}

export interface OutboxTools extends PublishTools {
  readonly park: SendTickets;
}

const dispatchTime = 5 * second;

/**
 * Publishes a batch of the outbox's stream. Returns the first record that was neither published nor parked, from which Lambda
 * retries.
 */
export async function publishRecords(
  tools: OutboxTools,
  records: readonly DynamoDBRecord[],
): Promise<string | undefined> {
  const read = records.map((record) => ({ record, event: eventOf(record) }));
  const events = read.flatMap(({ event }) => event ?? []);
  const accepted = await publishEvents(tools, events);
  const firstRejected = events[accepted.indexOf(false)];
  const end = firstRejected === undefined ? read.length : read.findIndex(({ event }) => event === firstRejected);
  logInfo('events published', { count: accepted.filter(Boolean).length, held: firstRejected !== undefined });

  for (const { record, event } of read.slice(0, end)) {
    if (event === undefined && !(await parked(record, tools.park))) return record.dynamodb?.SequenceNumber;
  }
  return read[end]?.record.dynamodb?.SequenceNumber;
}

/** Dispatches the events that the bus accepted. Returns, for each event in order, whether it was accepted. */
export async function publishEvents(tools: PublishTools, events: readonly EventRow[]): Promise<boolean[]> {
  const accepted = await tools.publish(events);
  const published = events.filter((_, index) => accepted[index]);
  await dispatch(tools, published);
  return accepted;
}

/** Leaves failures, and what is not done in time, to the sweep: the next batch's debits wait for this one. */
async function dispatch(tools: PublishTools, events: readonly EventRow[]): Promise<void> {
  const results = await withinTime(dispatchTime, () => dispatchEvents(tools, events, tools.clock()));
  for (const [index, result] of results.entries())
    if (result.status === 'rejected')
      logFault('event not dispatched', result.reason, {
        eventId: events[index]?.eventId,
        requestId: events[index]?.requestId,
      });
}

async function parked({ dynamodb }: DynamoDBRecord, park: SendTickets): Promise<boolean> {
  const sequenceNumber = dynamodb?.SequenceNumber;
  try {
    // Do not park the row: it has an invoice ID and metadata, which no queue may keep.
    await park([{ body: { sequenceNumber, eventId: dynamodb?.NewImage?.['eventId']?.S } }]);
    logError('unreadable event parked', { sequenceNumber });
    return true;
  } catch (error) {
    logFault('unreadable event not parked', error, { sequenceNumber });
    return false;
  }
}

function eventOf({ dynamodb }: DynamoDBRecord): EventRow | undefined {
  try {
    // The stream's types and the SDK's differ only in name; JSON bridges them.
    return z.parse(eventRow, dynamodb?.NewImage && unmarshall(JSON.parse(JSON.stringify(dynamodb.NewImage))));
  } catch {
    return undefined;
  }
}
