import { setTimeout as pause } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
  type DynamoDBStreamsClient,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';
import { recordFilter, type EventSourceMapping, type Poller } from './event-source-mapping.ts';
import type { LocalFunction } from './functions.ts';
import type { Queues } from './queues.ts';
import type { RunnerState } from './state.ts';
import { createBatchHandler, type Checkpoint, type StreamRecord } from './stream-batch.ts';

interface Options {
  readonly mapping: EventSourceMapping;
  /** The emulator's ARN; records carry the mapping's. */
  readonly streamArn: string;
  readonly client: Pick<DynamoDBStreamsClient, 'send'>;
  readonly target: LocalFunction;
  readonly queues: Queues;
  readonly state: RunnerState;
  readonly warn: (line: string) => void;
  /** The sequence number of the newest record, which is cheap to read. Without it, only a poll can tell. */
  readonly newestRecord?: (() => unknown) | undefined;
  /** In milliseconds. */
  readonly interval?: number | undefined;
  readonly firstRetryDelay?: number | undefined;
}

/** In milliseconds: between polls of records, as in Lambda, and for a shard to read; between checks of the newest record. */
const [pollInterval, lookInterval] = [250, 20];
/** In milliseconds. Rare, because the end of a shard shows its children, and dynoxide reads all records to describe a stream. */
const shardRefresh = 300_000;
const retryPause = 1000;
const maximumRecords = 1000;

/** Stores its position after each batch, so every record is delivered at least once. */
export function startStreamPoller(options: Options): Poller {
  const { mapping, streamArn, client, state, warn, newestRecord } = options;
  const { interval = newestRecord ? lookInterval : pollInterval } = options;
  const { BatchSize = 100, StartingPosition = 'TRIM_HORIZON' } = mapping.properties;
  const matches = recordFilter(mapping);
  const stopping = new AbortController();
  const handleBatch = createBatchHandler({ ...options, signal: stopping.signal });
  const shards = new Map<string, Promise<void>>();
  const finished = new Set<string>();
  let refresh = new AbortController();

  async function iteratorOf(shardId: string, trimmed: boolean): Promise<string | undefined> {
    const after = trimmed ? undefined : state.checkpoint(positionKey(shardId));
    const from = { StreamArn: streamArn, ShardId: shardId };
    const position =
      after === undefined
        ? ({ ShardIteratorType: trimmed ? 'TRIM_HORIZON' : StartingPosition } as const)
        : ({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after } as const);
    return (await client.send(new GetShardIteratorCommand({ ...from, ...position }))).ShardIterator;
  }

  const positionKey = (shardId: string) => `${mapping.logicalId} ${streamArn} ${shardId}`;

  /** Gets a new iterator as soon as one is lost: nothing else reads this shard. */
  async function followShard(shardId: string): Promise<void> {
    let trimmed = false;
    while (!stopping.signal.aborted && !finished.has(shardId)) {
      try {
        await readShard(shardId, trimmed);
      } catch (error) {
        if (stopping.signal.aborted) return;
        trimmed = error instanceof TrimmedDataAccessException;
        const lost = trimmed || error instanceof ExpiredIteratorException;
        if (!lost) warn(`${mapping.logicalId}: its stream does not respond; retrying.`);
        await idle(lost ? interval : retryPause);
      }
    }
  }

  async function readShard(shardId: string, trimmed: boolean): Promise<void> {
    let iterator = await iteratorOf(shardId, trimmed);
    while (iterator !== undefined && !stopping.signal.aborted) {
      const newest = newestRecord?.();
      const page: { Records?: StreamRecord[] | undefined; NextShardIterator?: string | undefined } = await client.send(
        new GetRecordsCommand({ ShardIterator: iterator, Limit: Math.min(BatchSize, maximumRecords) }),
      );
      const records = page.Records ?? [];
      iterator = page.NextShardIterator;
      if (records.length > 0 && !stopping.signal.aborted) {
        const checkpoint: Checkpoint = (sequenceNumber) => state.saveCheckpoint(positionKey(shardId), sequenceNumber);
        const ended = await handleBatch(shardId, records.filter(matches), checkpoint);
        const last = records.at(-1)?.dynamodb?.SequenceNumber;
        if (ended && last !== undefined) checkpoint(last);
      }
      if (records.length === 0) await nextRecord(newest);
    }
    if (stopping.signal.aborted) return;
    finished.add(shardId);
    // Its children can be read now.
    refresh.abort();
  }

  /** Waits until there may be a newer record than `newest`. */
  async function nextRecord(newest: unknown): Promise<void> {
    if (newestRecord === undefined) return idle(interval);
    while (newestRecord() === newest && !stopping.signal.aborted) await idle(interval);
  }

  async function idle(milliseconds: number, signal = stopping.signal): Promise<void> {
    await pause(milliseconds, undefined, { signal }).catch(() => {});
  }

  function follow({ ShardId, ParentShardId }: Shard, known: ReadonlySet<string | undefined>): void {
    if (ShardId === undefined || shards.has(ShardId)) return;
    const parentOpen = ParentShardId !== undefined && known.has(ParentShardId) && !finished.has(ParentShardId);
    if (parentOpen) return;
    shards.set(ShardId, followShard(ShardId));
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      refresh = new AbortController();
      try {
        const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }));
        const list = StreamDescription?.Shards ?? [];
        const known = new Set(list.map(({ ShardId }) => ShardId));
        for (const shard of list) follow(shard, known);
      } catch {
        if (!stopping.signal.aborted) warn(`${mapping.logicalId}: its stream does not respond; retrying.`);
      }
      const wait = shards.size === finished.size ? (options.interval ?? pollInterval) : shardRefresh;
      await idle(wait, AbortSignal.any([stopping.signal, refresh.signal]));
    }
  }

  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
      await Promise.all(shards.values());
    },
  };
}
