import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { due } from '../../functions/domain/due.ts';
import { patientView } from '../../functions/domain/session-view.ts';
import { hasExpired, withExpiry } from '../../functions/domain/session.ts';
import { day, hour, minute, second, toIso } from '../../functions/domain/time.ts';
import { aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/test-tables.ts';
import { startService, crashingDatabase, type Crash, type Service } from './support.ts';

const tables = await startTestTables();

const rounds = 8;
let start = Date.parse('9000-11-20T10:00:00.000Z');

/** A practice, the service as several processes whose clocks differ, and a time that no sweep of an earlier test reaches back to. */
function aPracticeOfItsOwn(differences: Parameters<typeof aPractice>[0] = {}) {
  start -= 60 * day;
  const practice = aPractice({ practiceId: `prc_${start}`, ...differences });
  const at = (now: number): Service => {
    const service = startService({ database: tables.database, practice });
    service.clock.now = now;
    return service;
  };
  return { practice, at, createdAt: start, linkDies: start + practice.linkLifetimeDays * day };
}

/** What became of a session, with the promise that an expiry always keeps. */
async function outcomeOf(service: Service, sessionId: string, expiresAt: string) {
  const [session, events] = await Promise.all([service.session(sessionId), service.events(sessionId)]);
  expect(session.sequence).toBe(events.length);
  if (session.cancellation?.reason === 'expired') {
    expect(session).toMatchObject({ status: 'cancelled', cancelledAt: expiresAt, expiresAt });
    expect(events).toMatchObject([{ type: 'session.payment.cancelled', createdAt: expiresAt }]);
    expect(session).not.toHaveProperty('dueAt');
  }
  return { session, types: events.map(({ type }) => type), won: session.cancellation?.reason ?? session.status };
}

describe('the lifetime of a session', () => {
  it("is the practice's link lifetime until the first open, and its session lifetime from then on, whoever opens again", async () => {
    const { at, createdAt } = aPracticeOfItsOwn({ linkLifetimeDays: 2, sessionLifetimeSeconds: 90 });
    const sessionId = await at(createdAt).create('INV-1');
    expect(await at(createdAt).session(sessionId)).toMatchObject({ expiresAt: toIso(createdAt + 2 * day) });
    const openedAt = createdAt + 5 * hour;
    expect(await at(openedAt).open(sessionId)).toMatchObject({
      openedAt: toIso(openedAt),
      expiresAt: toIso(openedAt + 90 * second),
    });
    await at(openedAt + 60 * second).open(sessionId);
    await at(openedAt + 60 * second).connectBank(sessionId, 'user_good');
    const stored = await at(openedAt).session(sessionId);
    expect(stored).toMatchObject({
      openedAt: toIso(openedAt),
      expiresAt: toIso(openedAt + 90 * second),
      ...due('expiry', sessionId, openedAt + 90 * second),
    });
  });

  it('starts with a bank connection where the page was never opened', async () => {
    const { at, createdAt } = aPracticeOfItsOwn({ sessionLifetimeSeconds: 90 });
    const sessionId = await at(createdAt).create('INV-1');
    await at(createdAt + hour).connectBank(sessionId, 'user_bad');
    expect(await at(createdAt).session(sessionId)).toMatchObject({
      openedAt: toIso(createdAt + hour),
      expiresAt: toIso(createdAt + hour + 90 * second),
    });
  });

  it('does not end a payment that was authorized in its last millisecond', async () => {
    const { at, createdAt, linkDies } = aPracticeOfItsOwn();
    const sessionId = await at(createdAt).create('INV-1');
    await at(createdAt).connectBank(sessionId, 'user_stuck');
    const last = createdAt + 30 * minute - 1;
    expect(await at(last).authorize(sessionId)).toBe(true);
    await at(linkDies + day).sweep();
    expect(await outcomeOf(at(last), sessionId, '')).toMatchObject({
      won: 'processing',
      types: ['session.payment.processing'],
    });
  });
});

describe('an expired session', () => {
  it('is cancelled for every reader from its very millisecond on, before the sweep has written anything', async () => {
    const { at, createdAt, linkDies, practice } = aPracticeOfItsOwn();
    const sessionId = await at(createdAt).create('INV-1');
    const stored = await at(linkDies).session(sessionId);
    expect(withExpiry(stored, linkDies - 1)).toMatchObject({ status: 'pending' });
    expect(withExpiry(stored, linkDies)).toMatchObject({
      status: 'cancelled',
      cancelledAt: stored.expiresAt,
      cancellation: { reason: 'expired' },
    });
    expect(
      patientView(stored, practice, { mode: 'sandbox', locale: 'en', now: linkDies, blockedBy: undefined }),
    ).toMatchObject({ status: 'cancelled', cancellation: { reason: 'expired' } });
    expect(await at(linkDies).events(sessionId), 'reading writes nothing').toEqual([]);
  });

  it('is told about once, with the time at which it expired, however late and often it is swept', async () => {
    const { at, createdAt, linkDies } = aPracticeOfItsOwn();
    const sessionId = await at(createdAt).create('INV-1');
    await at(linkDies - 1).sweep();
    expect(await at(linkDies).session(sessionId)).toMatchObject({ status: 'pending' });
    await Promise.all(Array.from({ length: 5 }, () => at(linkDies + 3 * hour).sweep()));
    await at(linkDies + day).sweep();
    expect(await outcomeOf(at(linkDies), sessionId, toIso(linkDies))).toMatchObject({
      won: 'expired',
      types: ['session.payment.cancelled'],
    });
  });

  it('takes neither an open nor a bank, an authorization or a cancellation, swept or not', async () => {
    for (const swept of [false, true]) {
      const { at, createdAt } = aPracticeOfItsOwn();
      const sessionId = await at(createdAt).create('INV-1');
      await at(createdAt).connectBank(sessionId, 'user_good');
      const before = await at(createdAt).session(sessionId);
      const late = at(Date.parse(before.expiresAt));
      if (swept) await late.sweep();
      await late.open(sessionId);
      expect(await late.connectBank(sessionId, 'user_stuck')).toBe(false);
      expect(await late.authorize(sessionId)).toBe(false);
      expect(await late.cancel(sessionId)).toMatchObject({
        result: 'closed',
        session: { status: 'cancelled', cancellation: { reason: 'expired' } },
      });
      if (swept) await outcomeOf(late, sessionId, before.expiresAt);
      else expect(await late.session(sessionId)).toEqual(before);
    }
  });
});

/** What a patient or a practice may do in the last millisecond, and what has then become of the session if that came first. */
const contenders = {
  open: {
    act: (service: Service, sessionId: string) => service.open(sessionId),
    connected: false,
    first: 'pending',
    types: [],
  },
  'connect a bank': {
    act: (service: Service, sessionId: string) => service.connectBank(sessionId, 'user_stuck'),
    connected: false,
    first: 'pending',
    types: [],
  },
  'connect another bank': {
    act: (service: Service, sessionId: string) => service.connectBank(sessionId, 'user_stuck'),
    connected: true,
    first: 'expired',
    types: ['session.payment.cancelled'],
  },
  authorize: {
    act: (service: Service, sessionId: string) => service.authorize(sessionId),
    connected: true,
    first: 'processing',
    types: ['session.payment.processing'],
  },
  cancel: {
    act: (service: Service, sessionId: string) => service.cancel(sessionId),
    connected: false,
    first: 'requested_by_practice',
    types: ['session.payment.cancelled'],
  },
};

/** A session, with a bank connected where wanted, and the time at which it expires. */
async function aDyingSession(connected: boolean) {
  const owner = aPracticeOfItsOwn();
  const sessionId = await owner.at(owner.createdAt).create('INV-1');
  if (connected) await owner.at(owner.createdAt).connectBank(sessionId, 'user_good');
  const { expiresAt } = await owner.at(owner.createdAt).session(sessionId);
  return { ...owner, sessionId, expiresAt, dies: Date.parse(expiresAt) };
}

/** Lets something else happen just before a process's n-th write. */
function before(write: number, happen: () => Promise<unknown>): Crash {
  return {
    calls: 0,
    dead: false,
    async guard(perform) {
      this.calls += 1;
      if (this.calls === write) await happen();
      return perform();
    },
  };
}

describe('at the instant of expiry', () => {
  it.each(Object.entries(contenders))(
    'whoever would %s and the sweep have one winner and one event',
    async (_, { act, connected, first, types }) => {
      for (let round = 0; round < rounds; round += 1) {
        const { at, sessionId, expiresAt, dies } = await aDyingSession(connected);
        // The one process's clock is still a millisecond before the other's, and it starts at any time of the sweep.
        const late = async () => {
          await wait(round * 12);
          await act(at(dies - 1), sessionId);
        };
        await Promise.all([late(), at(dies).sweep(), at(dies).sweep()]);
        const { won, types: told, session } = await outcomeOf(at(dies), sessionId, expiresAt);
        expect([first, 'expired']).toContain(won);
        expect(told).toEqual(won === 'expired' ? ['session.payment.cancelled'] : types);
        if (session.status === 'pending')
          expect(session).toMatchObject(due('expiry', sessionId, Date.parse(session.expiresAt)));
        expect(hasExpired(session, dies)).toBe(false);
      }
    },
  );

  it.each(Object.entries(contenders))(
    'whoever would %s wins up to the very write of the sweep',
    async (_, { act, connected, first, types }) => {
      for (const write of [1, 2]) {
        const { at, practice, sessionId, expiresAt, dies } = await aDyingSession(connected);
        const tap = before(write, () => act(at(dies - 1), sessionId));
        const sweeper = startService({ database: crashingDatabase(tables, tap), practice });
        sweeper.clock.now = dies;
        await sweeper.sweep();
        expect(tap.calls).toBeGreaterThanOrEqual(write);
        const { won, types: told, session } = await outcomeOf(at(dies), sessionId, expiresAt);
        expect({ won, told }).toEqual({ won: first, told: types });
        if (won === 'pending') expect(session).toMatchObject(due('expiry', sessionId, Date.parse(session.expiresAt)));
      }
    },
  );

  it.each(Object.entries(contenders))(
    'the sweep wins up to the very write of whoever would %s',
    async (_, { act, connected }) => {
      const { at, practice, sessionId, expiresAt, dies } = await aDyingSession(connected);
      const tap = before(1, () => at(dies).sweep());
      const actor = startService({ database: crashingDatabase(tables, tap), practice });
      actor.clock.now = dies - 1;
      await act(actor, sessionId);
      expect(tap.calls).toBeGreaterThanOrEqual(1);
      expect(await outcomeOf(at(dies), sessionId, expiresAt)).toMatchObject({
        won: 'expired',
        types: ['session.payment.cancelled'],
      });
    },
  );

  it('everybody at once, with the same clock, finds it expired, or a millisecond earlier finds one winner', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { at, sessionId, expiresAt, dies } = await aDyingSession(true);
      const now = dies - (round % 2);
      await Promise.all([
        ...Object.values(contenders).map(({ act }) => act(at(now), sessionId)),
        at(now).sweep(),
        at(dies).sweep(),
      ]);
      const { won, types } = await outcomeOf(at(dies), sessionId, expiresAt);
      if (now === dies) expect({ won, types }).toEqual({ won: 'expired', types: ['session.payment.cancelled'] });
      else expect(['expired', 'processing', 'requested_by_practice']).toContain(won);
      expect(types.filter((type) => type === 'session.payment.cancelled').length).toBe(won === 'processing' ? 0 : 1);
    }
  });
});
