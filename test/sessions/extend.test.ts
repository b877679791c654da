import { describe, expect, it } from 'vitest';
import { due } from '../../functions/domain/due.ts';
import { extensionWindow, maximumExtensions } from '../../functions/domain/sessions/links.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import { patientView } from '../../functions/domain/sessions/session-view.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { day, minute, toIso } from '../../functions/domain/time.ts';
import { extendSession, openSession } from '../../functions/sessions/open.ts';
import { expireAt, getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { aPractice } from '../support/examples.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const openedAt = Date.parse('2026-11-20T10:00:00.000Z');
const period = 30 * minute;
const end = openedAt + period;

async function anOpenSession({ linkExpiresAt = openedAt + 7 * day } = {}) {
  const stored = await storeSession(database, { expiresAt: toIso(linkExpiresAt) });
  return openSession({ database }, { session: stored, practice: aPractice() }, openedAt);
}

const extend = (session: Session, now: number, differences: Partial<Practice> = {}) =>
  extendSession({ database }, { session, practice: aPractice(differences) }, now);

function leftIn(session: Session, now: number, differences: Partial<Practice> = {}) {
  const viewing = { mode: 'sandbox', locale: 'en', now, blockedBy: undefined, evidence: undefined } as const;
  return patientView(session, aPractice(differences), viewing).extensionsLeft;
}

describe('a patient who asks for more time', () => {
  it.each([
    ['at five minutes', end - extensionWindow],
    ['in the last millisecond', end - 1],
  ])('%s gets a whole period more', async (_, now) => {
    const session = await anOpenSession();
    const extended = await extend(session, now);
    expect(extended).toMatchObject({ expiresAt: toIso(end + period), extensions: 1, extendedAt: toIso(now) });
    expect(extended).toMatchObject(due('expiry', session.sessionId, end + period));
    expect(await getExistingSession(database, session.sessionId)).toEqual(extended);
  });

  it('gets the period that the session began with, although the setting has changed', async () => {
    const first = await extend(await anOpenSession(), end - minute, { sessionLifetimeSeconds: 60 });
    const second = await extend(first, end + period - minute, { sessionLifetimeSeconds: 86_400 });
    expect(second).toMatchObject({ expiresAt: toIso(end + 2 * period), extensions: 2 });
  });

  it('gets it ten times', async () => {
    let session = await anOpenSession();
    for (let left = maximumExtensions; left > 0; left -= 1) {
      const now = Date.parse(session.expiresAt) - 1;
      expect(leftIn(session, now)).toBe(left);
      session = await extend(session, now);
    }
    expect(session.expiresAt).toBe(toIso(end + 10 * period));
    expect(leftIn(session, end)).toBe(0);
    await expect(extend(session, end + 10 * period - 1)).rejects.toMatchObject({ code: 'no_extensions_left' });
  });

  it('gets it once from concurrent requests', async () => {
    const session = await anOpenSession();
    const answers = await Promise.all(Array.from({ length: 5 }, () => extend(session, end - minute)));
    for (const answer of answers) expect(answer).toMatchObject({ expiresAt: toIso(end + period), extensions: 1 });
  });

  it('gets nothing from a request that two others have overtaken: the end never moves back', async () => {
    const session = await anOpenSession();
    const twice = await extend(await extend(session, end - 1), end + period - 1);
    expect(await extend(session, end - 1)).toEqual(twice);
    expect(await getExistingSession(database, session.sessionId)).toEqual(twice);
  });

  it.each([
    [period * 3 + minute, 2],
    [period * 3, 2],
    [period * 3 - 1, 1],
    [minute, 0],
  ])('within %i ms of the end of the link gets it %i times', async (linkLeft, times) => {
    const session = await anOpenSession({ linkExpiresAt: openedAt + linkLeft });
    expect(leftIn(session, openedAt)).toBe(times);
    if (times === 0) await expect(extend(session, end - 1)).rejects.toMatchObject({ code: 'no_extensions_left' });
  });

  it('before the last five minutes is told that it is too early', async () => {
    const session = await anOpenSession();
    await expect(extend(session, end - extensionWindow - 1)).rejects.toMatchObject({ code: 'too_early_to_extend' });
  });

  it('with a link that was never opened is told that it is too early', async () => {
    const unopened = await storeSession(database, { expiresAt: toIso(end) });
    expect(leftIn(unopened, end - 1)).toBeUndefined();
    await expect(extend(unopened, end - 1)).rejects.toMatchObject({ code: 'too_early_to_extend' });
  });

  it('is refused by a practice that turned it off, and is not offered it', async () => {
    const session = await anOpenSession();
    expect(leftIn(session, end - 1, { extensions: false })).toBeUndefined();
    await expect(extend(session, end - 1, { extensions: false })).rejects.toMatchObject({ code: 'no_extensions_left' });
  });

  it('too late is told that the session has expired', async () => {
    await expect(extend(await anOpenSession(), end)).rejects.toMatchObject({ code: 'session_expired' });
  });

  it('is told so if that happened since the page was read', async () => {
    const session = await anOpenSession();
    await expireAt(database, session.sessionId, end - minute);
    await expect(extend(session, end - 1)).rejects.toMatchObject({ code: 'session_expired' });
  });

  it('after authorizing is told that the session is closed', async () => {
    const session = { ...(await anOpenSession()), status: 'processing' as const };
    await expect(extend(session, end - 1)).rejects.toMatchObject({ code: 'session_closed' });
  });
});
