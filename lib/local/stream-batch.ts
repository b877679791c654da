import { setTimeout as pause } from 'node:timers/promises';
import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import { region } from './account.ts';
import { failedItems, type EventSourceMapping } from './event-source-mapping.ts';
import type { LocalFunction } from './functions.ts';
import type { Queues } from './queues.ts';

export type StreamRecord = _Record;
export type Checkpoint = (sequenceNumber: string) => void;

interface Options {
  readonly mapping: EventSourceMapping;
  readonly target: LocalFunction;
  readonly queues: Queues;
  readonly signal: AbortSignal;
  readonly firstRetryDelay?: number | undefined;
}

const defaultFirstRetryDelay = 250;
const maximumRetryDelay = 30_000;
const forever = -1;

/** Resolves to false, with work left, if `signal` aborts. */
export function createBatchHandler({
  mapping,
  target,
  queues,
  signal,
  firstRetryDelay = defaultFirstRetryDelay,
}: Options) {
  const {
    EventSourceArn,
    MaximumRetryAttempts = forever,
    MaximumRecordAgeInSeconds = forever,
    BisectBatchOnFunctionError = false,
    DestinationConfig,
  } = mapping.properties;

  async function handle(
    shardId: string,
    records: readonly StreamRecord[],
    checkpoint: Checkpoint,
    attemptsBefore = 0,
  ): Promise<boolean> {
    let rest = records;
    let attempts = attemptsBefore;
    while (rest.length > 0) {
      const tooOld = rest.filter(isTooOld);
      if (tooOld.length > 0) {
        await giveUp(shardId, tooOld, attempts, 'RecordAgeExceeded');
        rest = rest.filter((record) => !tooOld.includes(record));
        continue;
      }
      const result = await target.invoke({ Records: rest.map((record) => eventRecord(record, EventSourceArn)) });
      const failed = failedItems(mapping, result, rest.map(sequenceOf));
      if (failed !== 'all' && failed.size === 0) return true;
      if (signal.aborted) return false;

      const firstFailed = failed === 'all' ? 0 : rest.findIndex((record) => failed.has(sequenceOf(record)));
      if (firstFailed > 0) {
        checkpoint(sequenceOf(rest[firstFailed - 1]));
        rest = rest.slice(firstFailed);
      }
      // Lambda does not count a split as a retry.
      const split = BisectBatchOnFunctionError && records.length > 1 && (firstFailed > 0 || rest.length > 1);
      if (!split) attempts += 1;
      if (MaximumRetryAttempts !== forever && attempts > MaximumRetryAttempts) {
        await giveUp(shardId, rest, attempts, 'RetryAttemptsExhausted');
        return true;
      }
      await pause(Math.min(firstRetryDelay * 2 ** Math.max(0, attempts - 1), maximumRetryDelay), undefined, {
        signal,
      }).catch(() => {});
      if (signal.aborted) return false;
      if (split && firstFailed === 0) {
        const middle = Math.ceil(rest.length / 2);
        if (!(await handle(shardId, rest.slice(0, middle), checkpoint, attempts))) return false;
        checkpoint(sequenceOf(rest[middle - 1]));
        rest = rest.slice(middle);
      }
    }
    return true;
  }

  function isTooOld(record: StreamRecord): boolean {
    const createdAt = record.dynamodb?.ApproximateCreationDateTime?.getTime() ?? Date.now();
    return MaximumRecordAgeInSeconds !== forever && Date.now() - createdAt > MaximumRecordAgeInSeconds * 1000;
  }

  async function giveUp(
    shardId: string,
    records: readonly StreamRecord[],
    attempts: number,
    condition: string,
  ): Promise<void> {
    const destination = DestinationConfig?.OnFailure.Destination;
    if (destination === undefined) return;
    await queues.send(destination, JSON.stringify(failureMessage(shardId, records, attempts, condition)));
  }

  function failureMessage(shardId: string, records: readonly StreamRecord[], attempts: number, condition: string) {
    const [first, last] = [records[0], records.at(-1)];
    return {
      requestContext: {
        requestId: crypto.randomUUID(),
        functionArn: target.arn,
        condition,
        approximateInvokeCount: attempts,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      timestamp: new Date().toISOString(),
      DDBStreamBatchInfo: {
        shardId,
        startSequenceNumber: sequenceOf(first),
        endSequenceNumber: sequenceOf(last),
        approximateArrivalOfFirstRecord: first?.dynamodb?.ApproximateCreationDateTime?.toISOString(),
        approximateArrivalOfLastRecord: last?.dynamodb?.ApproximateCreationDateTime?.toISOString(),
        batchSize: records.length,
        streamArn: EventSourceArn,
      },
    };
  }

  return (shardId: string, records: readonly StreamRecord[], checkpoint: Checkpoint) =>
    handle(shardId, records, checkpoint);
}

function sequenceOf(record: StreamRecord | undefined): string {
  return record?.dynamodb?.SequenceNumber ?? '';
}

/** Lambda passes times in seconds and bytes in base64. */
function eventRecord(record: StreamRecord, eventSourceARN: string) {
  const { dynamodb } = record;
  return {
    eventID: record.eventID,
    eventName: record.eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ...dynamodb,
      Keys: withBase64(dynamodb?.Keys),
      NewImage: withBase64(dynamodb?.NewImage),
      OldImage: withBase64(dynamodb?.OldImage),
      ApproximateCreationDateTime: Math.floor((dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1000),
    },
    eventSourceARN,
    ...(record.userIdentity && { userIdentity: record.userIdentity }),
  };
}

function withBase64(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withBase64);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBase64(inner)]));
}
