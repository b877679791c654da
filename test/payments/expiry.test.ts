import { describe, expect, it } from 'vitest';
import { due } from '../../functions/domain/due.ts';
import { patientView } from '../../functions/domain/sessions/session-view.ts';
import { withExpiry, hasExpired } from '../../functions/domain/sessions/session.ts';
import { day, hour, minute, second, toIso } from '../../functions/domain/time.ts';
import { expireSession } from '../../functions/sessions/cancel.ts';
import { startTestTables } from '../support/tables.ts';
import { aPracticeOfItsOwn, outcomeOf } from './a-payment.ts';
import { before, crashingDatabase } from './crash.ts';
import { startService, type Service } from './service.ts';

const tables = await startTestTables();
const { database } = tables;

describe('the lifetime of a session', () => {
  it("is the practice's link lifetime until the first open, then its session lifetime; later opens change nothing", async () => {
    const { at, createdAt } = aPracticeOfItsOwn(database, { linkLifetimeDays: 2, sessionLifetimeSeconds: 90 });
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

  it('starts with a bank connection if the page was never opened', async () => {
    const { at, createdAt } = aPracticeOfItsOwn(database, { sessionLifetimeSeconds: 90 });
    const sessionId = await at(createdAt).create('INV-1');
    await at(createdAt + hour).connectBank(sessionId, 'user_bad');
    expect(await at(createdAt).session(sessionId)).toMatchObject({
      openedAt: toIso(createdAt + hour),
      expiresAt: toIso(createdAt + hour + 90 * second),
    });
  });

  it('does not affect a payment authorized in its last millisecond', async () => {
    const { at, createdAt, linkDies } = aPracticeOfItsOwn(database);
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
  it('reads as cancelled from that millisecond on, even before the sweep', async () => {
    const { at, createdAt, linkDies, practice } = aPracticeOfItsOwn(database);
    const sessionId = await at(createdAt).create('INV-1');
    const stored = await at(linkDies).session(sessionId);
    expect(withExpiry(stored, linkDies - 1)).toMatchObject({ status: 'pending' });
    expect(withExpiry(stored, linkDies)).toMatchObject({
      status: 'cancelled',
      cancelledAt: stored.expiresAt,
      cancellation: { reason: 'expired' },
    });
    expect(
      patientView(stored, practice, {
        mode: 'sandbox',
        locale: 'en',
        now: linkDies,
        blockedBy: undefined,
        evidence: undefined,
      }),
    ).toMatchObject({ status: 'cancelled', cancellation: { reason: 'expired' } });
    expect(await at(linkDies).events(sessionId), 'reading writes nothing').toEqual([]);
  });

  it('is ended by no ticket that comes a millisecond early', async () => {
    const { at, createdAt, linkDies } = aPracticeOfItsOwn(database);
    const sessionId = await at(createdAt).create('INV-1');
    await expireSession({ database }, { sessionId }, linkDies - 1);
    expect(await at(linkDies - 1).session(sessionId)).toMatchObject({ status: 'pending', sequence: 0 });
  });

  it('has one event, with the time it expired, however late and often it is swept', async () => {
    const { at, createdAt, linkDies } = aPracticeOfItsOwn(database);
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

  it('cannot be opened, connected, authorized or cancelled, swept or not', async () => {
    for (const swept of [false, true]) {
      const { at, createdAt } = aPracticeOfItsOwn(database);
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

const contenders = {
  open: {
    act: (service: Service, sessionId: string) => service.open(sessionId),
    connected: false,
    first: 'pending',
    types: [],
  },
  'ask for more time': {
    act: (service: Service, sessionId: string) => service.extend(sessionId),
    connected: true,
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
  'replace the link': {
    act: (service: Service, sessionId: string) => service.replaceLink(sessionId),
    connected: true,
    first: 'pending',
    types: [],
  },
  cancel: {
    act: (service: Service, sessionId: string) => service.cancel(sessionId),
    connected: false,
    first: 'requested_by_practice',
    types: ['session.payment.cancelled'],
  },
};

async function aDyingSession(connected: boolean) {
  const owner = aPracticeOfItsOwn(database);
  const sessionId = await owner.at(owner.createdAt).create('INV-1');
  if (connected) await owner.at(owner.createdAt).connectBank(sessionId, 'user_good');
  const { expiresAt } = await owner.at(owner.createdAt).session(sessionId);
  return { ...owner, sessionId, expiresAt, dies: Date.parse(expiresAt) };
}

describe('at the instant of expiry', () => {
  it.each(Object.entries(contenders))(
    'a call to %s and the sweep have one winner and one event',
    async (_, { act, connected, first, types }) => {
      for (const isCallFirst of [true, false]) {
        const { at, sessionId, expiresAt, dies } = await aDyingSession(connected);
        const call = () => act(at(dies - 1), sessionId);
        const sweep = () => at(dies).sweep();
        await Promise.all((isCallFirst ? [call, sweep, sweep] : [sweep, sweep, call]).map((start) => start()));
        const { won, types: seen, session } = await outcomeOf(at(dies), sessionId, expiresAt);
        expect([first, 'expired']).toContain(won);
        expect(seen).toEqual(won === 'expired' ? ['session.payment.cancelled'] : types);
        if (session.status === 'pending')
          expect(session).toMatchObject(due('expiry', sessionId, Date.parse(session.expiresAt)));
        expect(hasExpired(session, dies)).toBe(false);
      }
    },
  );

  it.each(Object.entries(contenders))(
    'a call to %s wins until the sweep writes',
    async (_, { act, connected, first, types }) => {
      for (const write of [1, 2]) {
        const { at, practice, sessionId, expiresAt, dies } = await aDyingSession(connected);
        const tap = before(write, () => act(at(dies - 1), sessionId));
        const sweeper = startService({ database: crashingDatabase(tables, tap), practice });
        sweeper.clock.now = dies;
        await sweeper.sweep();
        expect(tap.calls).toBeGreaterThanOrEqual(write);
        const { won, types: seen, session } = await outcomeOf(at(dies), sessionId, expiresAt);
        expect({ won, seen }).toEqual({ won: first, seen: types });
        if (won === 'pending') expect(session).toMatchObject(due('expiry', sessionId, Date.parse(session.expiresAt)));
      }
    },
  );

  it.each(Object.entries(contenders))('the sweep wins until a call to %s writes', async (_, { act, connected }) => {
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
  });

  it('concurrent calls all find it expired; a millisecond earlier, one of them wins', async () => {
    for (const before of [0, 1, 0, 1]) {
      const { at, sessionId, expiresAt, dies } = await aDyingSession(true);
      const now = dies - before;
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
