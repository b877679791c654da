import { describe, expect, it } from 'vitest';
import { sessionWebhook } from '../../functions/contract/webhooks/webhooks.ts';
import { patientView } from '../../functions/domain/sessions/session-view.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { day, minute, toIso } from '../../functions/domain/time.ts';
import { sessionEventIds } from '../../functions/domain/webhooks/event.ts';
import { requestLink } from '../../functions/sessions/links.ts';
import { replaceToken } from '../../functions/store/sessions/session-links.ts';
import { getExistingSession, scrubSession } from '../../functions/store/sessions/sessions.ts';
import { writeExpiry } from '../../functions/store/sessions/transitions.ts';
import { getEvents } from '../../functions/store/webhooks/events.ts';
import { anEntry, storeSession } from '../support/create-practice.ts';
import { aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const metadata = { location: 'north' };

async function anExpired(differences: Partial<Session> = {}): Promise<Session> {
  const stored = await storeSession(database, { expiresAt: toIso(now - minute), metadata, ...differences });
  return (await writeExpiry(database, stored, now)).session;
}

const request = (session: Session, at = now, practice = aPractice()) =>
  requestLink({ database }, { session, practice }, at);
const read = ({ sessionId }: Session) => getExistingSession(database, sessionId);
const typesOf = async (session: Session) =>
  (await getEvents(database, sessionEventIds(await read(session)))).map(({ type }) => type.split('.')[2]);
const viewOf = async (session: Session, at = now, practice = aPractice()) => {
  const viewing = { mode: 'sandbox', locale: 'en', now: at, blockedBy: undefined, evidence: undefined } as const;
  return patientView(await read(session), practice, viewing).linkRequest;
};

describe('a patient whose link has expired', () => {
  it('can ask for a new one, which changes nothing else', async () => {
    const session = await anExpired();
    expect(await viewOf(session)).toBe('possible');
    await request(session);
    expect(await viewOf(session)).toBe('made');
    const after = await read(session);
    expect(after).toEqual({
      ...session,
      sequence: 2,
      linkRequestedAt: toIso(now),
      linkRequestedThrough: session.tokenHash,
    });
  });

  it('tells the practice by an event without facts or the name', async () => {
    const session = await anExpired();
    await request(session);
    const [, event] = await getEvents(database, sessionEventIds(await read(session)));
    const { sessionId, invoiceId, amountCents } = session;
    expect(sessionWebhook.parse(JSON.parse(event?.body ?? ''))).toMatchObject({
      type: 'session.payment.link_requested',
      created_at: toIso(now),
      data: {
        sessionId,
        invoiceId,
        amountCents,
        status: 'cancelled',
        previousStatus: 'cancelled',
        sequence: 2,
        metadata,
      },
    });
    expect(event?.body).not.toMatch(/Ada|Okafor|cancellation/);
  });

  it('is told once a day, however often and however fast the button is pressed', async () => {
    const session = await anExpired();
    await Promise.all(Array.from({ length: 5 }, () => request(session)));
    await request(await read(session), now + day - 1);
    expect(await typesOf(session)).toEqual(['cancelled', 'link_requested']);
    expect(await viewOf(session, now + day - 1)).toBe('made');
    expect(await viewOf(session, now + day)).toBe('possible');
    await request(await read(session), now + day);
    expect(await typesOf(session)).toEqual(['cancelled', 'link_requested', 'link_requested']);
  });

  it('may ask before the expiration is written, which then comes first', async () => {
    const stored = await storeSession(database, { expiresAt: toIso(now) });
    await request(stored);
    const [expiry, asked] = await getEvents(database, sessionEventIds(await read(stored)));
    expect([expiry?.type, asked?.type]).toEqual(['session.payment.cancelled', 'session.payment.link_requested']);
    expect([expiry?.createdAt, asked?.createdAt]).toEqual([toIso(now), toIso(now + 1)]);
  });

  it('may ask through a new link again, and no longer through the old one', async () => {
    const session = await anExpired();
    await request(session);
    await replaceToken(database, session.sessionId, { tokenHash: 'another', audit: anEntry('prc_1') }, now);
    await expect(request(session)).rejects.toMatchObject({ code: 'link_not_found' });
    expect(await typesOf(session)).toEqual(['cancelled', 'link_requested']);
    expect(await viewOf(session)).toBe('possible');
    await request(await read(session));
    expect(await typesOf(session)).toEqual(['cancelled', 'link_requested', 'link_requested']);
  });
});

describe('a request that has read the session before', () => {
  it('its link was replaced, tells nobody', async () => {
    const session = await anExpired();
    await replaceToken(database, session.sessionId, { tokenHash: 'another', audit: anEntry('prc_1') }, now);
    await expect(request(session)).rejects.toMatchObject({ code: 'link_not_found' });
    expect(await typesOf(session)).toEqual(['cancelled']);
  });

  it("the patient's details were removed, tells nobody", async () => {
    const session = await anExpired();
    await scrubSession(database, session.sessionId, now);
    await expect(request(session)).rejects.toMatchObject({ code: 'session_closed' });
    expect(await typesOf(session)).toEqual(['cancelled']);
  });
});

describe('a link that has not expired', () => {
  it.each<[string, Partial<Session>]>([
    ['session_not_ended', { expiresAt: toIso(now + 1) }],
    ['session_not_ended', { status: 'processing' }],
    ['session_closed', { status: 'succeeded' }],
    ['session_closed', { status: 'failed' }],
    ['session_closed', { status: 'cancelled', cancellation: { reason: 'requested_by_practice' } }],
    ['session_closed', { status: 'cancelled', cancellation: { reason: 'expired' }, scrubbedAt: toIso(now) }],
  ])('is refused as %s: %j', async (code, differences) => {
    const session = await storeSession(database, differences);
    const before = await read(session);
    await expect(request(session)).rejects.toMatchObject({ code, extra: { sessionStatus: session.status } });
    expect(await viewOf(session)).toBeUndefined();
    expect(await read(session)).toEqual(before);
  });

  it.each(['suspendedAt', 'closedAt'] as const)('nor one of a practice with %s', async (field) => {
    const session = await anExpired();
    const practice = aPractice({ [field]: toIso(now) });
    await expect(request(session, now, practice)).rejects.toMatchObject({ code: 'practice_suspended' });
    expect(await viewOf(session, now, practice)).toBeUndefined();
    expect(await typesOf(session)).toEqual(['cancelled']);
  });
});
