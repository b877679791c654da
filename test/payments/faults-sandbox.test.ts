import { expect, it } from 'vitest';
import { startTestTables } from '../support/tables.ts';
import { sandboxBank as bank } from './banks.ts';
import { crashAt, crashingDatabase } from './crash.ts';
import { describePayments } from './faults.ts';
import {
  aConnectedSession,
  expectEnded,
  Receiver,
  serviceAt,
  start,
  sweepUntilQuiet,
  ways,
  type Way,
} from './payment-run.ts';

const tables = await startTestTables();
const { database } = tables;

describePayments('sandbox', { tables, bank }, ways);

it('payments by sandbox end correctly without the stream, without any first ticket, and with sweeps that die', async () => {
  const receiver = new Receiver(true);
  const { post } = receiver;
  const lost = new Set<string>();
  const loses = (message: object) => !lost.has(JSON.stringify(message)) && lost.add(JSON.stringify(message)) === lost;
  const payments: { sessionId: string; way: Way }[] = [];
  for (const way of Object.values(ways)) {
    const { sessionId, practice } = await aConnectedSession(database, bank, way);
    const deaf = serviceAt(start, { database, bank, practice, post, loses: () => true });
    await deaf.authorize(sessionId);
    if (way.cancels) await deaf.cancel(sessionId, { voidDebit: async () => ({ result: 'unknown' }) });
    payments.push({ sessionId, way });
  }
  const sweeper = serviceAt(start, { database, bank, post, loses });
  const { clock, traffic } = sweeper;
  let sweeps = 0;
  let deaths = 0;
  await sweepUntilQuiet(sweeper, async () => {
    sweeps += 1;
    const crash = crashAt(1 + (sweeps % 7), sweeps % 2 === 0 ? 'before' : 'after');
    const dying = serviceAt(clock.now, {
      database: crashingDatabase(tables, crash),
      bank,
      post,
      crash,
      loses,
      traffic,
    });
    await dying.sweep().catch((error: unknown) => {
      if (!crash.dead) throw error;
    });
    if (crash.dead) deaths += 1;
  });
  // The number depends on the order of a sweep's calls.
  expect(deaths).toBeGreaterThan(2);
  for (const { sessionId, way } of payments) await expectEnded(sweeper, receiver, sessionId, way);
});
