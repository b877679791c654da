import { describe, expect, it } from 'vitest';
import { due } from '../../functions/domain/due.ts';
import { patientView } from '../../functions/domain/sessions/session-view.ts';
import { withExpiry } from '../../functions/domain/sessions/session.ts';
import { day, hour, minute, second, toIso } from '../../functions/domain/time.ts';
import { startTestTables } from '../support/tables.ts';
import { aPracticeOfItsOwn, outcomeOf } from './a-payment.ts';

const { database } = await startTestTables();

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
