import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeStreamCommand,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import type { EventSourceMapping, Poller } from '../../lib/local/event-source-mapping.ts';
import type { LocalFunction } from '../../lib/local/functions.ts';
import type { Queues } from '../../lib/local/queues.ts';
import { openState } from '../../lib/local/state.ts';
import { startStreamPoller } from '../../lib/local/stream-poller.ts';
import { until } from '../support/until.ts';

type Position = { readonly shard: string; readonly type: string; readonly after?: string | undefined };
type Page = { readonly numbers: readonly string[]; readonly ended?: boolean };
type Read = (position: Position, reads: number) => Page;

const mapping = {
  logicalId: 'Outbox',
  properties: { FunctionName: 'reader', EventSourceArn: 'stream', FunctionResponseTypes: [] },
} as unknown as EventSourceMapping;

const metadata = { $metadata: {}, message: 'lost' };
let poller: Poller | undefined;
afterEach(() => poller?.stop());

/** A stream that serves records from its iterator's position. */
function pollStream(read: Read, shards: () => readonly { ShardId: string; ParentShardId?: string }[]) {
  const directory = mkdtempSync(join(tmpdir(), 'stream-errors-'));
  const state = openState(directory);
  onTestFinished(async () => {
    await poller?.stop();
    state.close();
    rmSync(directory, { recursive: true });
  });
  const iterators: Position[] = [];
  const handled: string[] = [];
  const warnings: string[] = [];
  let reads = 0;
  const send = async (command: unknown) => {
    if (command instanceof DescribeStreamCommand) return { StreamDescription: { Shards: shards() } };
    if (command instanceof GetShardIteratorCommand) {
      const { ShardId = '', ShardIteratorType = '', SequenceNumber } = command.input as Required<typeof command.input>;
      iterators.push({ shard: ShardId, type: ShardIteratorType, after: SequenceNumber });
      return { ShardIterator: String(iterators.length - 1) };
    }
    if (!(command instanceof GetRecordsCommand)) throw new Error('unknown command');
    const { numbers, ended } = read(iterators[Number(command.input.ShardIterator)]!, ++reads);
    return {
      Records: numbers.map((SequenceNumber) => ({ eventID: SequenceNumber, dynamodb: { SequenceNumber } })),
      ...(!ended && { NextShardIterator: command.input.ShardIterator }),
    };
  };
  const target = {
    arn: 'reader',
    invoke: async ({ Records }: { Records: { eventID: string }[] }) => {
      handled.push(...Records.map(({ eventID }) => eventID));
      return { ok: true, payload: {} };
    },
  } as unknown as LocalFunction;
  poller = startStreamPoller({
    mapping,
    streamArn: 'arn',
    client: { send: send as never },
    target,
    queues: {} as Queues,
    state,
    warn: (line) => warnings.push(line),
    interval: 5,
  });
  return { iterators, handled, warnings };
}

const one = () => [{ ShardId: 'one' }];

it('gets a new iterator of a trimmed shard at once', async () => {
  const { handled, iterators, warnings } = pollStream(({ shard }, reads) => {
    if (reads === 1) throw new TrimmedDataAccessException(metadata);
    return { numbers: reads === 2 ? [`${shard}-1`] : [] };
  }, one);
  await until(() => handled.length > 0);
  expect(handled).toEqual(['one-1']);
  expect(iterators.map(({ type }) => type)).toEqual(['TRIM_HORIZON', 'TRIM_HORIZON']);
  expect(warnings).toEqual([]);
});

it('continues after the last handled record when an iterator has expired', async () => {
  const { handled, iterators } = pollStream(({ type }, reads) => {
    if (type === 'AFTER_SEQUENCE_NUMBER') return { numbers: reads === 3 ? ['2'] : [] };
    if (reads === 1) return { numbers: ['1'] };
    throw new ExpiredIteratorException(metadata);
  }, one);
  await until(() => handled.length > 1);
  expect(handled).toEqual(['1', '2']);
  expect(iterators[1]).toEqual({ shard: 'one', type: 'AFTER_SEQUENCE_NUMBER', after: '1' });
});

it('continues with the oldest record when the records after its position are gone', async () => {
  const { handled, iterators } = pollStream(({ type }, reads) => {
    if (reads === 1) return { numbers: ['1'] };
    if (reads === 2) throw new ExpiredIteratorException(metadata);
    if (type === 'AFTER_SEQUENCE_NUMBER') throw new TrimmedDataAccessException(metadata);
    return { numbers: reads === 4 ? ['9'] : [] };
  }, one);
  await until(() => handled.length > 1);
  expect(handled).toEqual(['1', '9']);
  expect(iterators.map(({ type }) => type)).toEqual(['TRIM_HORIZON', 'AFTER_SEQUENCE_NUMBER', 'TRIM_HORIZON']);
});

it('keeps reading a shard whose stream did not respond, and says so', async () => {
  const { handled, warnings } = pollStream((_, reads) => {
    if (reads === 1) throw new Error('socket hang up');
    return { numbers: reads === 2 ? ['1'] : [] };
  }, one);
  await until(() => handled.length > 0);
  expect(warnings).toEqual(['Outbox: its stream does not respond; retrying.']);
});

it('reads the child of a shard as soon as the shard has ended, also next to an open one', async () => {
  let split = false;
  const unread = ['child-1'];
  const { handled } = pollStream(
    ({ shard }, reads) => {
      if (shard !== 'parent') return { numbers: shard === 'child' ? unread.splice(0) : [] };
      split = reads > 20;
      return { numbers: [], ended: split };
    },
    () => [
      { ShardId: 'open' },
      { ShardId: 'parent' },
      ...(split ? [{ ShardId: 'child', ParentShardId: 'parent' }] : []),
    ],
  );
  await until(() => handled.length > 0);
  expect(handled).toEqual(['child-1']);
});
