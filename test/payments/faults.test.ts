import { describe, expect, it } from 'vitest';
import { hour, second } from '../../functions/domain/time.ts';
import { startTestTables } from '../support/test-tables.ts';
import { crashAt, crashingDatabase } from './crash.ts';
import {
  aConnectedSession,
  expectEnded,
  pay,
  Receiver,
  serviceAt,
  start,
  sweepUntilQuiet,
  ways,
  type Way,
} from './payment-run.ts';
import { carry, outcomeDelay } from './service.ts';

const tables = await startTestTables();
const { database } = tables;

const batch = 6;

describe('a payment', () => {
  it.each(Object.entries(ways))(
    '%s ends correctly if a process is killed between any two of its writes and sends',
    async (_, way) => {
      const receiver = new Receiver(way.falters);
      const rehearsal = crashAt(0, 'before');
      const sessionIds = [await pay(tables, receiver, way, rehearsal, false)];
      expect(rehearsal.calls).toBeGreaterThan(10);
      const kills = Array.from({ length: rehearsal.calls }, (__, index) => index + 1).flatMap((call) => [
        // With everything stopped, `after` one call equals `before` the next.
        () => pay(tables, receiver, way, crashAt(call, 'after'), true),
        // The longest way runs only in that harder case.
        ...(way.types.length < 3 ? [() => pay(tables, receiver, way, crashAt(call, 'before'), false)] : []),
      ]);
      while (kills.length > 0)
        sessionIds.push(...(await Promise.all(kills.splice(0, batch).map((killed) => killed()))));
      const sweeper = serviceAt(start + hour, { database, post: receiver.post });
      await sweepUntilQuiet(sweeper);
      for (const sessionId of sessionIds) await expectEnded(sweeper, receiver, sessionId, way);
    },
    60_000,
  );

  it('ends correctly without the stream, without any first ticket, and with sweeps that die', async () => {
    const receiver = new Receiver(true);
    const { post } = receiver;
    const lost = new Set<string>();
    const loses = (message: object) => !lost.has(JSON.stringify(message)) && lost.add(JSON.stringify(message)) === lost;
    const payments: { sessionId: string; way: Way }[] = [];
    for (const way of Object.values(ways)) {
      const { sessionId, practice } = await aConnectedSession(database, way);
      const deaf = serviceAt(start, { database, practice, post, loses: () => true });
      await deaf.authorize(sessionId);
      if (way.cancels) await deaf.cancel(sessionId, { voidDebit: async () => ({ result: 'unknown' }) });
      payments.push({ sessionId, way });
    }
    const clock = { now: start };
    for (let call = 1; call <= 40; call += 1) {
      const crash = crashAt(call, call % 2 === 0 ? 'before' : 'after');
      clock.now += 20 * second;
      const dying = serviceAt(clock.now, { database: crashingDatabase(tables, crash), post, crash, loses });
      await dying.sweep().catch((error: unknown) => {
        if (!crash.dead) throw error;
      });
      const living = serviceAt(clock.now, { database, post, loses });
      for (const [queue, messages] of Object.entries(dying.traffic))
        Object.assign(living.traffic, { [queue]: messages });
      await carry(living);
    }
    const sweeper = serviceAt(clock.now, { database, post, loses });
    await sweepUntilQuiet(sweeper);
    for (const { sessionId, way } of payments) await expectEnded(sweeper, receiver, sessionId, way);
  });

  it('ends correctly if every message arrives twice, at once', async () => {
    for (const way of Object.values(ways)) {
      const receiver = new Receiver(true);
      const { sessionId, practice } = await aConnectedSession(database, way);
      const service = serviceAt(start, { database, practice, post: receiver.post });
      await service.authorize(sessionId);
      if (way.cancels) await service.cancel(sessionId, { voidDebit: async () => ({ result: 'unknown' }) });
      for (let round = 0; round < 6; round += 1) {
        await service.publish(await service.events(sessionId));
        await carry(service, async (work) => void (await Promise.all([work(), work()])));
        service.clock.now += outcomeDelay;
      }
      await sweepUntilQuiet(service);
      await expectEnded(service, receiver, sessionId, way);
    }
  });
});
