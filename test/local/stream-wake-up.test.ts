import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DescribeStreamCommand, GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EventSourceMapping } from '../../lib/local/event-source-mapping.ts';
import type { LocalFunction } from '../../lib/local/functions.ts';
import type { Queues } from '../../lib/local/queues.ts';
import { openState } from '../../lib/local/state.ts';
import { startStreamPoller, wakeUp } from '../../lib/local/stream-poller.ts';
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

/** `delays` is how many turns each read takes, `outcomes` what the function does with each batch. Both repeat. */
function pollStream({ delays = [0], outcomes = ['done'], pollInterval = 0 }) {
  const directory = mkdtempSync(join(tmpdir(), 'stream-wake-up-'));
  const state = openState(directory);
  const written = wakeUp();
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
    written,
    pollInterval,
    firstRetryDelay: 0,
  });
  async function stop() {
    await poller.stop();
    state.close();
    rmSync(directory, { recursive: true });
  }
  return { numbers, handled, written, stop };
}

it('a wake-up is never lost, whatever the poller and its function are doing', async () => {
  const outcome = fc.constantFrom('done', 'failed', 'partly');
  const some = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(some, some, fc.array(outcome, { maxLength: 5 }), async (pauses, delays, outcomes) => {
      // Longer than the test may take.
      const stream = pollStream({ delays, outcomes: [...outcomes, 'done'], pollInterval: 600_000 });
      for (const pause of pauses) {
        await turns(pause);
        stream.numbers.push(String(stream.numbers.length + 1));
        stream.written.wake();
      }
      await until(() => stream.handled.size === stream.numbers.length);
      await stream.stop();
      expect(stream.handled).toEqual(new Set(stream.numbers));
    }),
    { numRuns: 50 },
  );
});

it('records written without a wake-up are read at the next poll', async () => {
  const { numbers, handled, stop } = pollStream({ pollInterval: 20 });
  onTestFinished(stop);
  await turns(20);
  numbers.push('1');
  await until(() => handled.has('1'));
  expect([...handled]).toEqual(['1']);
});

describe('wake up', () => {
  const never = new AbortController().signal;
  const tooLong = 60_000;

  it('ends every wait', async () => {
    const written = wakeUp();
    const waits = [1, 2].map(() => written.wait(written.count, tooLong, never));
    written.wake();
    await expect(Promise.all(waits)).resolves.toHaveLength(2);
  });

  it('is not missed between a read and its wait', async () => {
    const written = wakeUp();
    const seen = written.count;
    written.wake();
    await expect(written.wait(seen, tooLong, never)).resolves.toBeUndefined();
  });

  it('is optional: a wait also ends by itself, or with its signal', async () => {
    const written = wakeUp();
    await expect(written.wait(written.count, 10, never)).resolves.toBeUndefined();
    const stopping = new AbortController();
    const waits = [written.wait(0, tooLong, stopping.signal)];
    stopping.abort();
    waits.push(written.wait(0, tooLong, stopping.signal));
    await expect(Promise.all(waits)).resolves.toHaveLength(2);
  });
});
