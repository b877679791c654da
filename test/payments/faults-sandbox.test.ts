import { it } from 'vitest';
import { second } from '../../functions/domain/time.ts';
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
import { carry } from './service.ts';

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
  const clock = { now: start };
  for (let call = 1; call <= 40; call += 1) {
    const crash = crashAt(call, call % 2 === 0 ? 'before' : 'after');
    clock.now += 20 * second;
    const dying = serviceAt(clock.now, { database: crashingDatabase(tables, crash), bank, post, crash, loses });
    await dying.sweep().catch((error: unknown) => {
      if (!crash.dead) throw error;
    });
    const living = serviceAt(clock.now, { database, bank, post, loses });
    for (const [queue, messages] of Object.entries(dying.traffic)) Object.assign(living.traffic, { [queue]: messages });
    await carry(living);
  }
  const sweeper = serviceAt(clock.now, { database, bank, post, loses });
  await sweepUntilQuiet(sweeper);
  for (const { sessionId, way } of payments) await expectEnded(sweeper, receiver, sessionId, way);
});
