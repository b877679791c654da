import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { eventRow, type EventRow } from '../domain/event-row.ts';
import { logError, logFault, logInfo } from '../log.ts';
import type { Publish } from './event-bus.ts';
import type { SendTickets } from './queues.ts';

export interface OutboxTools {
  readonly publish: Publish;
  readonly park: SendTickets;
}

/** Returns the first record neither published nor parked; Lambda retries from there. */
export async function publishRecords(
  { publish, park }: OutboxTools,
  records: readonly DynamoDBRecord[],
): Promise<string | undefined> {
  const read = records.map((record) => ({ record, event: eventOf(record) }));
  const events = read.flatMap(({ event }) => event ?? []);
  const accepted = await publish(events);
  const firstRejected = events[accepted.indexOf(false)];
  const end = firstRejected === undefined ? read.length : read.findIndex(({ event }) => event === firstRejected);
  logInfo('events published', { count: accepted.filter(Boolean).length, held: firstRejected !== undefined });

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
    // The stream's types and the SDK's differ only in name; JSON bridges them.
    return z.parse(eventRow, dynamodb?.NewImage && unmarshall(JSON.parse(JSON.stringify(dynamodb.NewImage))));
  } catch {
    return undefined;
  }
}
