import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { authorizations } from './local-run.ts';
import { npmStart, usedCpu, type Started } from './npm-start.ts';
import { fillPayments } from './fill-payments.ts';
import { percentile, table } from './report.ts';

const sessions = 100_000;
/** Longer than a minute, as the sweep runs once a minute. */
const idle = { before: 70_000, measured: 60_000 };

async function measure(started: Started): Promise<string[]> {
  const latencies = await authorizations(started);
  const milliseconds = (share: number) => `${percentile(latencies, share).toFixed(0)} ms`;
  await wait(idle.before);
  const before = await usedCpu(started.pid);
  await wait(idle.measured);
  const share = ((await usedCpu(started.pid)) - before) / idle.measured;
  return [
    `${(started.milliseconds / 1000).toFixed(1)} s`,
    milliseconds(0.5),
    milliseconds(0.95),
    `${(100 * share).toFixed(1)} %`,
  ];
}

/** Pretends that the publisher has read every record: otherwise it would publish all these events. */
function skipStream(dataDir: string): void {
  using records = new DatabaseSync(join(dataDir, 'dynamodb.sqlite'));
  using state = new DatabaseSync(join(dataDir, 'runner.sqlite'));
  const last = records.prepare(
    'SELECT MAX(CAST(sequence_number AS INTEGER)) AS position FROM _stream_records WHERE instr(?, table_name) > 0',
  );
  for (const row of state.prepare('SELECT shard FROM checkpoints').all())
    state
      .prepare('UPDATE checkpoints SET sequenceNumber = ? WHERE shard = ?')
      .run(String(last.get(String(row['shard']))?.['position']), String(row['shard']));
}

/** The same run, with and without a history. */
export async function benchOldData(): Promise<string> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const fresh = await npmStart(dataDir);
  const before = await measure(fresh);
  await fresh.stop();
  await fillPayments(dataDir, fresh, sessions);
  skipStream(dataDir);
  const started = await npmStart(dataDir);
  const after = await measure(started);
  await started.stop();
  const of = (index: number) => [before[index] ?? '', after[index] ?? ''];
  return table(
    ['local run with a data directory', 'that is new', `that has seen ${sessions.toLocaleString('en-US')} sessions`],
    [
      ['`npm start` to ready', ...of(0)],
      ['authorize → webhook, p50', ...of(1)],
      ['authorize → webhook, p95', ...of(2)],
      ['CPU while nothing happens, of one core', ...of(3)],
    ],
  );
}
