import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { DescribeStreamCommand, GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { EventSourceMapping } from '../../lib/local/event-source-mapping.ts';
import type { LocalFunction } from '../../lib/local/functions.ts';
import type { Queues } from '../../lib/local/queues.ts';
import { openState } from '../../lib/local/state.ts';
import { startStreamPoller } from '../../lib/local/stream-poller.ts';
import { until } from '../support/until.ts';

const mapping = {
  logicalId: 'Outbox',
  properties: {
    FunctionName: 'reader',
    EventSourceArn: 'stream',
    BatchSize: 3,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  },
} as unknown as EventSourceMapping;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

/** `delays` is how many turns each read takes, and `outcomes` what the function does with each batch. Both lists repeat. */
function pollStream({ delays = [0], outcomes = ['done'], showsNewest = true }) {
  const directory = mkdtempSync(join(tmpdir(), 'stream-records-'));
  const state = openState(directory);
  const numbers: string[] = [];
  const handled = new Set<string>();
  let [reads, invocations] = [0, 0];
  const send = async (command: unknown) => {
    if (command instanceof DescribeStreamCommand) return { StreamDescription: { Shards: [{ ShardId: 'one' }] } };
    if (!(command instanceof GetRecordsCommand)) return { ShardIterator: '0' };
    const delay = delays[reads++ % delays.length] ?? 0;
    await turns(delay);
    const from = Number(command.input.ShardIterator);
    const page = numbers.slice(from, from + (command.input.Limit ?? 0));
    await turns(delay);
    return {
      Records: page.map((SequenceNumber) => ({ eventID: SequenceNumber, dynamodb: { SequenceNumber } })),
      NextShardIterator: String(from + page.length),
    };
  };
  const target = {
    arn: 'reader',
    async invoke({ Records }: { Records: { eventID: string }[] }) {
      const outcome = outcomes[invocations++ % outcomes.length];
      await turns(1);
      if (outcome === 'failed') return { ok: false };
      const done = outcome === 'partly' ? Records.slice(0, -1) : Records;
      for (const { eventID } of done) handled.add(eventID);
      const batchItemFailures = Records.slice(done.length).map(({ eventID }) => ({ itemIdentifier: eventID }));
      return { ok: true, payload: { batchItemFailures } };
    },
  } as unknown as LocalFunction;
  const poller = startStreamPoller({
    mapping,
    streamArn: 'arn',
    client: { send: send as never },
    target,
    queues: {} as Queues,
    state,
    warn: () => {},
    newestRecord: showsNewest ? () => numbers.at(-1) : undefined,
    interval: 1,
    firstRetryDelay: 0,
  });
  async function stop() {
    await poller.stop();
    state.close();
    rmSync(directory, { recursive: true });
  }
  return { numbers, handled, reads: () => reads, stop };
}

it('no record is missed, whatever the poller and its function are doing', async () => {
  const outcome = fc.constantFrom('done', 'failed', 'partly');
  const some = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(some, some, fc.array(outcome, { maxLength: 5 }), async (pauses, delays, outcomes) => {
      const stream = pollStream({ delays, outcomes: [...outcomes, 'done'] });
      for (const pause of pauses) {
        await turns(pause);
        stream.numbers.push(String(stream.numbers.length + 1));
      }
      await until(() => stream.handled.size === stream.numbers.length);
      await stream.stop();
      expect(stream.handled).toEqual(new Set(stream.numbers));
    }),
    { numRuns: 50 },
  );
});

it('a stream without new records is not read', async () => {
  const { numbers, handled, reads, stop } = pollStream({});
  onTestFinished(stop);
  numbers.push('1');
  await until(() => handled.has('1'));
  await turns(100);
  const before = reads();
  await pause(50);
  expect(reads()).toBe(before);
});

it('a database that does not show its newest record is polled', async () => {
  const { numbers, handled, reads, stop } = pollStream({ showsNewest: false });
  onTestFinished(stop);
  await until(() => reads() > 2);
  numbers.push('1');
  await until(() => handled.has('1'));
  expect([...handled]).toEqual(['1']);
});
