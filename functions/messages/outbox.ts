import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { eventRow, type EventRow } from '../domain/event.ts';
import { logError, logFault, logInfo } from '../log.ts';
import type { Publish } from './event-bus.ts';
import type { SendTickets } from './queues.ts';

export interface OutboxTools {
  readonly publish: Publish;
  /** Takes what is no event, to be looked at by people. */
  readonly park: SendTickets;
}

/**
 * Carries new rows of the outbox to the bus, in their order. A row that is no event is parked, as its image, and does not hold up
 * the others. Gives the sequence number of the first record that was neither published nor parked: it and all after it have to come again.
 */
export async function publishRecords(
  { publish, park }: OutboxTools,
  records: readonly DynamoDBRecord[],
): Promise<string | undefined> {
  const read = records.map((record) => ({ record, event: eventOf(record) }));
  const events = read.flatMap(({ event }) => event ?? []);
  const accepted = await publish(events);
  const firstRefused = events[accepted.indexOf(false)];
  const end = firstRefused === undefined ? read.length : read.findIndex(({ event }) => event === firstRefused);
  logInfo('events published', { count: accepted.filter(Boolean).length, held: firstRefused !== undefined });

  // What comes after a refused event comes again, so that it is not parked yet.
  for (const { record, event } of read.slice(0, end)) {
    if (event === undefined && !(await parked(record, park))) return record.dynamodb?.SequenceNumber;
  }
  return read[end]?.record.dynamodb?.SequenceNumber;
}

async function parked({ dynamodb }: DynamoDBRecord, park: SendTickets): Promise<boolean> {
  const sequenceNumber = dynamodb?.SequenceNumber;
  try {
    await park([{ body: { sequenceNumber, image: dynamodb?.NewImage } }]);
    logError('unreadable event parked', { sequenceNumber });
    return true;
  } catch (error) {
    logFault('unreadable event not parked', error, { sequenceNumber });
    return false;
  }
}

function eventOf({ dynamodb }: DynamoDBRecord): EventRow | undefined {
  try {
    // The types of a stream's values and of the SDK's differ in name only; JSON is what both are.
    return z.parse(eventRow, dynamodb?.NewImage && unmarshall(JSON.parse(JSON.stringify(dynamodb.NewImage))));
  } catch {
    return undefined;
  }
}
