import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { eventBusName } from '../environment.ts';
import { logInfo, logsItsFaults } from '../log.ts';
import { publisher } from '../messages/event-bus.ts';
import { eventRow } from '../store/events.ts';

const publish = publisher(eventBusName());

/** Carries new rows of the outbox from the table's stream to the bus, in order: the first that fails holds back the rest. */
export const handler = logsItsFaults(async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const records = Records.map(({ dynamodb }) => ({
    sequenceNumber: dynamodb?.SequenceNumber ?? '',
    row: z.safeParse(eventRow, imageOf(dynamodb?.NewImage)),
  }));
  const firstBroken = records.findIndex(({ row }) => !row.success);
  const sound = firstBroken === -1 ? records : records.slice(0, firstBroken);
  const accepted = await publish(sound.flatMap(({ row }) => (row.success ? [row.data] : [])));
  const firstRefused = accepted.indexOf(false);
  const failed = records[firstRefused === -1 ? firstBroken : firstRefused];
  logInfo('events published', { count: accepted.filter(Boolean).length, held: failed !== undefined });
  return { batchItemFailures: failed ? [{ itemIdentifier: failed.sequenceNumber }] : [] };
});

type StreamImage = NonNullable<NonNullable<DynamoDBStreamEvent['Records'][number]['dynamodb']>['NewImage']>;

/** The types of a stream's values and of the SDK's differ in name only; JSON is what both are. */
function imageOf(image: StreamImage | undefined): unknown {
  return image && unmarshall(JSON.parse(JSON.stringify(image)));
}
