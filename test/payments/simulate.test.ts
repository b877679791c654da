import { describe, expect, it } from 'vitest';
import type { SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import { hour } from '../../functions/domain/time.ts';
import { getEvidence } from '../../functions/store/payments/authorizations.ts';
import { getSandboxDebit } from '../../functions/store/payments/sandbox-debits.ts';
import { startTestTables, type Tables } from '../support/tables.ts';
import { outcomeDelay, sandboxBank as bank } from './banks.ts';
import { before, crashAt, crashingDatabase, type Crash } from './crash.ts';
import { aSession, expectEnded, Receiver, serviceAt, start, sweepUntilQuiet, ways } from './payment-run.ts';
import type { Service } from './service.ts';

const tables = await startTestTables();
const { database } = tables;
const batch = 6;

const { 'that is cancelled': _, ...simulated } = ways;
type SimulatedWay = (typeof simulated)[keyof typeof simulated];

const typesOf = async (service: Service, sessionId: string) =>
  (await service.events(sessionId)).map(({ type }) => type.replace('session.payment.', ''));

/** Simulates while another process interrupts, or in a process that dies. */
function tapped(practice: Service['practice'], tap: Crash, on = tables): Service {
  return serviceAt(start, { database: crashingDatabase(on, tap), bank, practice, crash: tap });
}

/** Runs `act` once for each of its writes, and `come` just before that write. */
async function atEachWrite(
  prepare: () => ReturnType<typeof aSession>,
  act: (service: Service, sessionId: string) => Promise<unknown>,
  come: (service: Service, sessionId: string) => Promise<unknown>,
  check: (service: Service, sessionId: string, types: string[]) => Promise<void>,
): Promise<void> {
  const rehearsal = crashAt(0, 'before');
  const rehearsed = await prepare();
  await act(tapped(rehearsed.practice, rehearsal), rehearsed.sessionId);
  expect(rehearsal.calls).toBeGreaterThan(1);
  for (let write = 1; write <= rehearsal.calls; write += 1) {
    const { sessionId, practice, service } = await prepare();
    await act(
      tapped(
        practice,
        before(write, () => come(service, sessionId)),
      ),
      sessionId,
    );
    await check(service, sessionId, await typesOf(service, sessionId));
  }
}

const aNewSession = () => aSession(database, bank);

async function aSubmittedSession(user: SandboxUser = 'user_good') {
  const made = await aSession(database, bank);
  await made.service.connectBank(made.sessionId, user);
  await made.service.authorize(made.sessionId);
  await made.service.submit(made.sessionId);
  return made;
}

describe('a simulated payment', () => {
  /** A practice that received no response retries. */
  async function simulateAndDie(
    on: Tables,
    receiver: Receiver,
    { user, types }: SimulatedWay,
    crash: Crash,
  ): Promise<string> {
    const { sessionId, practice } = await aSession(on.database, bank);
    const dying = tapped(practice, crash, on);
    const living = serviceAt(start, { database: on.database, bank, practice, post: receiver.post });
    const late = types.length > 2;
    try {
      await dying.simulate(sessionId, user);
      if (late) await dying.advance(await dying.session(sessionId));
    } catch (error) {
      if (!crash.dead) throw error;
    }
    await living.simulate(sessionId, user);
    while (late && (await living.advance(await living.session(sessionId))));
    return sessionId;
  }

  it.each(Object.entries(simulated))(
    '%s ends correctly if its process is killed between any two of its writes and sends',
    async (__, way) => {
      // Its sweeps continue until nothing is due.
      const own = await startTestTables();
      const receiver = new Receiver(false);
      const rehearsal = crashAt(0, 'before');
      const sessionIds = [await simulateAndDie(own, receiver, way, rehearsal)];
      expect(rehearsal.calls).toBeGreaterThan(3);
      // `after` one call equals `before` the next: nothing else runs.
      const kills = [
        () => simulateAndDie(own, receiver, way, crashAt(1, 'before')),
        ...Array.from(
          { length: rehearsal.calls },
          (___, index) => () => simulateAndDie(own, receiver, way, crashAt(index + 1, 'after')),
        ),
      ];
      while (kills.length > 0)
        sessionIds.push(...(await Promise.all(kills.splice(0, batch).map((killed) => killed()))));
      const sweeper = serviceAt(start + hour, { database: own.database, bank, post: receiver.post });
      await sweepUntilQuiet(sweeper);
      for (const sessionId of sessionIds) await expectEnded(sweeper, receiver, sessionId, way);
    },
  );

  it('takes back no outcome that was reported while the advance was on its way', async () => {
    const { sessionId, service } = await aSubmittedSession('user_late_return');
    const { bank: advancer } = bank.sandbox?.(database) ?? {};
    const begun = service.clock.now;
    service.clock.now += 2 * outcomeDelay;
    await service.settle(sessionId);
    await advancer?.advanceOutcomes(sessionId, 1, begun);
    await service.settle(sessionId);
    expect(await typesOf(service, sessionId)).toEqual(['processing', 'succeeded', 'returned']);
    expect((await getSandboxDebit(database, sessionId))?.debit).not.toHaveProperty('advanced');
  });

  it('ends as the ledger says if an outcome is advanced between any two writes that record the return', async () => {
    const { bank: advancer } = bank.sandbox?.(database) ?? {};
    await atEachWrite(
      () => aSubmittedSession('user_late_return'),
      async (service, sessionId) => {
        service.clock.now = start + 2 * outcomeDelay;
        await service.settle(sessionId);
      },
      (_service, sessionId) => advancer?.advanceOutcomes(sessionId, 1, start) ?? expect.fail('no sandbox'),
      async (_service, sessionId, types) => {
        const outcomes = (await getSandboxDebit(database, sessionId))?.debit?.advanced?.length ?? 2;
        expect(types).toEqual(['processing', 'succeeded', 'returned'].slice(0, 1 + outcomes));
      },
    );
  });

  it('gets its outcome without another call if its process is killed after the authorization', async () => {
    const { sessionId, practice, service } = await aSession(database, bank);
    const rehearsal = crashAt(0, 'before');
    await tapped(practice, rehearsal)
      .simulate((await aSession(database, bank)).sessionId, 'user_good')
      .catch(() => {});
    for (let call = 1; (await service.session(sessionId)).status === 'pending'; call += 1)
      await tapped(practice, crashAt(call, 'after'))
        .simulate(sessionId, 'user_good')
        .catch(() => {});
    expect(await typesOf(service, sessionId)).toEqual(['processing']);
    const sweeper = serviceAt(start + hour, { database, bank, practice });
    await sweeper.sweep();
    for (const debit of sweeper.traffic.debits.splice(0)) await sweeper.submit(debit);
    sweeper.clock.now += outcomeDelay;
    await sweeper.settle(sessionId);
    expect(await typesOf(service, sessionId)).toEqual(['processing', 'succeeded']);
  });

  const idle = {
    'the debit ticket': (service: Service, sessionId: string) => service.submit(sessionId),
    'the settlement ticket': (service: Service, sessionId: string) => service.settle(sessionId),
    'the sweep': (service: Service) => service.sweep(),
    'the same simulation': (service: Service, sessionId: string) => service.simulate(sessionId, 'user_late_return'),
  };

  it.each(Object.entries(idle))('ends the same way if %s comes between any two of its writes', async (__, come) => {
    const simulate = (service: Service, sessionId: string) => service.simulate(sessionId, 'user_late_return');
    const simulated: string[] = [];
    await atEachWrite(aNewSession, simulate, come, async (_service, sessionId, types) => {
      expect(types).toEqual(['processing', 'succeeded']);
      simulated.push(sessionId);
    });
    const later = serviceAt(start + 10 * outcomeDelay, { database, bank });
    await later.sweep();
    for (const sessionId of simulated) {
      await later.settle(sessionId);
      expect(await typesOf(later, sessionId)).toEqual(['processing', 'succeeded']);
      const debit = await getSandboxDebit(database, sessionId);
      expect(debit).not.toHaveProperty('dueAt');
      expect(debit?.debit?.advanced).toHaveLength(1);
    }
  });

  const rivals = {
    'a cancellation': {
      come: (service: Service, sessionId: string) => service.cancel(sessionId),
      ends: [['cancelled'], ['processing', 'cancelled'], ['processing', 'succeeded']],
    },
    'a new link': {
      come: (service: Service, sessionId: string) => service.replaceLink(sessionId),
      ends: [['processing', 'succeeded']],
    },
    'another bank': {
      come: (service: Service, sessionId: string) => service.connectBank(sessionId, 'user_insufficient_funds'),
      ends: [['processing', 'succeeded']],
    },
    'another simulation': {
      come: (service: Service, sessionId: string) => service.simulate(sessionId, 'user_insufficient_funds'),
      ends: [
        ['processing', 'succeeded'],
        ['processing', 'failed'],
      ],
    },
    'an expiration': {
      come: (service: Service, sessionId: string) => service.simulate(sessionId, 'expire'),
      ends: [['cancelled'], ['processing', 'succeeded']],
    },
  };

  it.each(Object.entries(rivals))('and %s between any two of its writes agree', async (__, { come, ends }) => {
    const seen = new Set<string>();
    const simulate = (service: Service, sessionId: string) => service.simulate(sessionId, 'user_good');
    await atEachWrite(aNewSession, simulate, come, async (service, sessionId, types) => {
      seen.add(String(types));
      const [session, evidence] = [await service.session(sessionId), await getEvidence(database, sessionId)];
      expect(session.sequence).toBe(types.length);
      expect(evidence?.simulated).toBe(types[0] === 'processing' ? true : undefined);
      const debit = await bank.debitOf(database, sessionId);
      if (session.status === 'cancelled') expect(debit?.voided ?? true).toBe(true);
    });
    expect(seen).toEqual(new Set(ends.map(String)));
  });
});

describe('advancing', () => {
  it('by many callers that read the same session performs one outcome', async () => {
    const { sessionId, service } = await aSession(database, bank);
    await service.simulate(sessionId, 'user_late_return');
    const seen = await service.session(sessionId);
    expect(await Promise.all([seen, seen, seen].map((each) => service.advance(each)))).toEqual([true, true, true]);
    expect(await typesOf(service, sessionId)).toEqual(['processing', 'succeeded', 'returned']);
    expect(await service.advance(await service.session(sessionId))).toBe(false);
  });

  it('submits a debit that was not submitted yet, and its refusal is an outcome', async () => {
    const { sessionId, service } = await aSession(database, bank);
    await service.connectBank(sessionId, 'user_processor_error');
    await service.authorize(sessionId);
    expect(await service.advance(await service.session(sessionId))).toBe(true);
    expect(await typesOf(service, sessionId)).toEqual(['processing', 'failed']);
    expect(await service.advance(await service.session(sessionId))).toBe(false);
  });

  it('records an outcome that has happened and was not reported', async () => {
    const { sessionId, service } = await aSession(database, bank);
    await service.connectBank(sessionId, 'user_good');
    await service.authorize(sessionId);
    await service.submit(sessionId);
    service.clock.now += outcomeDelay;
    expect(await service.advance(await service.session(sessionId))).toBe(true);
    expect(await typesOf(service, sessionId)).toEqual(['processing', 'succeeded']);
    expect((await getSandboxDebit(database, sessionId))?.debit).not.toHaveProperty('advanced');
  });

  it('a return while the settlement is being recorded is not forgotten, even if its process dies', async () => {
    const settle = (service: Service, sessionId: string) => {
      service.clock.now = start + outcomeDelay;
      return service.settle(sessionId);
    };
    const returnAndDie = (service: Service, sessionId: string) =>
      bank.sandbox!(service.database).bank.advanceOutcomes(sessionId, 2, start + outcomeDelay);
    const prepare = () => aSubmittedSession('user_late_return');
    await atEachWrite(prepare, settle, returnAndDie, async (service, sessionId) => {
      service.clock.now = start + 2 * outcomeDelay;
      service.traffic.settlements.splice(0);
      await service.sweep();
      if (service.traffic.settlements.some((ticket) => ticket.sessionId === sessionId)) await service.settle(sessionId);
      expect(await typesOf(service, sessionId)).toEqual(['processing', 'succeeded', 'returned']);
    });
  });

  const advance = async (service: Service, sessionId: string) => service.advance(await service.session(sessionId));

  it('reverts no outcome of a faster call', async () => {
    const twice = async (service: Service, sessionId: string) => {
      await advance(service, sessionId);
      await advance(service, sessionId);
    };
    const prepare = () => aSubmittedSession('user_late_return');
    await atEachWrite(prepare, advance, twice, async (_service, sessionId, types) => {
      expect(types).toEqual(['processing', 'succeeded', 'returned']);
      expect((await getSandboxDebit(database, sessionId))?.debit?.advanced).toHaveLength(2);
    });
  });

  const cancel = (service: Service, sessionId: string) => service.cancel(sessionId);

  /** Dies before it records what the bank decided. */
  const advanceAndDie = (service: Service, sessionId: string) =>
    bank.sandbox!(service.database).bank.advanceOutcomes(sessionId, 1, service.clock.now);

  it.each([
    ['a cancellation before any of its writes', advance, cancel, 'processing,succeeded'],
    ['before any write of a cancellation', cancel, advance, 'processing,succeeded'],
    ['before any write of a cancellation, by a process that dies', cancel, advanceAndDie, 'processing'],
  ])('and voiding the debit agree: %s', async (__, act, come, advanced) => {
    const seen = new Set<string>();
    await atEachWrite(aSubmittedSession, act, come, async (_service, sessionId, types) => {
      seen.add(String(types));
      const { debit, voidedAt } = (await getSandboxDebit(database, sessionId)) ?? {};
      expect(voidedAt !== undefined).toBe(types[1] === 'cancelled');
      expect(debit?.advanced !== undefined).toBe(types[1] !== 'cancelled');
    });
    expect(seen).toEqual(new Set([advanced, 'processing,cancelled']));
  });

  it('by a process that dies is finished by the sweep', async () => {
    const { sessionId, service } = await aSession(database, bank);
    await service.simulate(sessionId, 'user_late_return');
    await bank.sandbox!(database).bank.advanceOutcomes(sessionId, 2, service.clock.now);
    service.traffic.settlements.splice(0);
    await service.sweep();
    expect(service.traffic.settlements.map((ticket) => ticket.sessionId)).toContain(sessionId);
    await service.settle(sessionId);
    expect(await typesOf(service, sessionId)).toEqual(['processing', 'succeeded', 'returned']);
  });
});
