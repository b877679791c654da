import { describe, expect, it } from 'vitest';
import { hour } from '../../functions/domain/time.ts';
import { outcomeDelay } from './banks.ts';
import { crashAt } from './crash.ts';
import {
  aConnectedSession,
  expectEnded,
  pay,
  Receiver,
  serviceAt,
  start,
  sweepUntilQuiet,
  type Setting,
  type Way,
} from './payment-run.ts';
import { carry } from './service.ts';

const batch = 6;

export async function expectToSurviveKills(setting: Setting, way: Way): Promise<void> {
  const { tables, bank } = setting;
  const { database } = tables;
  const receiver = new Receiver(way.falters);
  const rehearsal = crashAt(0, 'before');
  const sessionIds = [await pay(setting, receiver, way, rehearsal, false)];
  expect(rehearsal.calls).toBeGreaterThan(0);
  const kills = Array.from({ length: rehearsal.calls }, (_, index) => index + 1).flatMap((call) => [
    // If everything stops, `after` one call equals `before` the next.
    () => pay(setting, receiver, way, crashAt(call, 'after'), true),
    () => pay(setting, receiver, way, crashAt(call, 'before'), false),
  ]);
  while (kills.length > 0) sessionIds.push(...(await Promise.all(kills.splice(0, batch).map((killed) => killed()))));
  const sweeper = serviceAt(start + hour, { database, bank, post: receiver.post });
  await sweepUntilQuiet(sweeper);
  for (const sessionId of sessionIds) await expectEnded(sweeper, receiver, sessionId, way);
}

/** Tests of payments whose processes are killed, or whose messages are lost or repeated. */
export function describePayments(processor: string, setting: Setting, ways: Readonly<Record<string, Way>>): void {
  const { tables, bank } = setting;
  const { database } = tables;

  describe(`a payment by ${processor}`, () => {
    it.each(Object.entries(ways))(
      '%s ends correctly if a process is killed between any two of its writes and sends',
      (__, way) => expectToSurviveKills(setting, way),
    );

    it('ends correctly if every message arrives twice, at once', async () => {
      for (const way of Object.values(ways)) {
        const receiver = new Receiver(true);
        const { sessionId, practice } = await aConnectedSession(database, bank, way);
        const service = serviceAt(start, { database, bank, practice, post: receiver.post });
        await service.authorize(sessionId);
        if (way.cancels) await service.cancel(sessionId, { voidDebit: async () => ({ result: 'unknown' }) });
        for (let round = 0; round < 6; round += 1) {
          const events = await service.events(sessionId);
          await Promise.all([service.publish(events), service.publish(events)]);
          await carry(service, async (work) => void (await Promise.all([work(), work()])));
          service.clock.now += outcomeDelay;
        }
        await sweepUntilQuiet(service);
        await expectEnded(service, receiver, sessionId, way);
      }
    });
  });
}
