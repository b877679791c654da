import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ulid } from '../../../functions/domain/identifier.ts';
import { sessionWebhook } from '../../../functions/contract/webhooks/webhooks.ts';
import { ticketGrace } from '../../../functions/domain/due.ts';
import type { Session } from '../../../functions/domain/sessions/session.ts';
import { day, minute, toIso } from '../../../functions/domain/time.ts';
import { sessionEventId } from '../../../functions/domain/webhooks/event.ts';
import { listDue } from '../../support/put-all.ts';
import {
  connectBankAccount,
  countBankConnectionAttempt,
  recordCopyRequest,
  recordOpen,
  recordOpenWithEvent,
} from '../../../functions/store/sessions/patient-writes.ts';
import { requestCancellation, withdrawCancellation } from '../../../functions/store/sessions/cancellations.ts';
import {
  dueSessions,
  expireAt,
  getExistingSession,
  getSession,
  getSessions,
  insertSession,
  oldestOpenCancellation,
  oldestUnsubmittedDebit,
  recordDebit,
  rescheduleDebit,
  scrubSession,
} from '../../../functions/store/sessions/sessions.ts';
import { getIdempotencyKey } from '../../../functions/store/idempotency-keys.ts';
import { replaceToken, restartSession } from '../../../functions/store/sessions/session-links.ts';
import { auditPart } from '../../../functions/store/team/audit-log.ts';
import { getEvent } from '../../../functions/store/webhooks/events.ts';
import { anEntry } from '../../support/create-practice.ts';
import { aBankAccount, aBankConnection, aSession } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';
import { aroundEachCall, beforeEachCall } from '../../support/answered-client.ts';

const tables = await startTestTables();

const now = Date.parse('2026-11-20T10:00:00.000Z');

async function stored(differences: Partial<Session> = {}): Promise<Session> {
  const session = aSession({ sessionId: `ses_${ulid(now, randomBytes)}`, createdAt: toIso(now), ...differences });
  await insertSession(tables.database, session, undefined, now);
  return session;
}

describe('creating a session', () => {
  it('creates one session for concurrent requests with the same idempotency key', async () => {
    const request = { practiceId: `prc_${randomUUID()}`, key: 'once', requestHash: 'h', responseBody: '{}' };
    const sessions = Array.from({ length: 20 }, () => aSession({ sessionId: `ses_${ulid(now, randomBytes)}` }));
    const held = await Promise.all(
      sessions.map((session) =>
        insertSession(tables.database, session, { ...request, responseBody: session.sessionId }, now),
      ),
    );
    const winners = sessions.filter((_, index) => held[index] === undefined);
    expect(winners).toHaveLength(1);
    for (const record of held.filter((found) => found !== undefined))
      expect(record.responseBody).toBe(winners[0]?.sessionId);
    const written = await Promise.all(sessions.map(({ sessionId }) => getSession(tables.database, sessionId)));
    expect(written.filter(Boolean)).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)(
    'leaves both the session and its key, or neither, if the process dies %s the write',
    async (moment) => {
      const request = {
        practiceId: `prc_${randomUUID()}`,
        key: `crash-${moment}`,
        requestHash: 'h',
        responseBody: '{}',
      };
      const sessionId = `ses_${ulid(now, randomBytes)}`;
      const crashing = aroundEachCall(tables.database, async (_, perform) => {
        if (moment === 'after') await perform();
        throw new Error('crash');
      });
      await expect(insertSession(crashing, aSession({ sessionId }), request, now)).rejects.toThrow('crash');
      const written = await getSession(tables.database, sessionId);
      const repeated = await insertSession(
        tables.database,
        aSession({ sessionId: `ses_${ulid(now, randomBytes)}` }),
        request,
        now,
      );
      expect(written !== undefined).toBe(moment === 'after');
      expect(repeated !== undefined).toBe(moment === 'after');
    },
  );

  it('never brings a session back to its beginning, even if a write arrives again late', async () => {
    const session = await stored();
    await insertSession(tables.database, session, undefined, now);
    await recordOpen(tables.database, session, 1800, now);
    await expect(insertSession(tables.database, session, undefined, now)).rejects.toThrow();
    expect(await getSession(tables.database, session.sessionId)).toHaveProperty('openedAt');
  });

  it('frees an idempotency key after exactly 24 hours', async () => {
    const request = { practiceId: `prc_${randomUUID()}`, key: 'k', requestHash: 'h', responseBody: '{}' };
    const make = (at: number) =>
      insertSession(tables.database, aSession({ sessionId: `ses_${ulid(at, randomBytes)}` }), request, at);
    expect(await make(now)).toBeUndefined();
    expect(await make(now + 86_400_000 - 1)).toMatchObject({ requestHash: 'h' });
    expect(await make(now + 86_400_000)).toBeUndefined();
  });

  it('keeps the idempotency keys of two practices apart', async () => {
    for (const practiceId of [randomUUID(), randomUUID()]) {
      const session = aSession({ sessionId: `ses_${ulid(now, randomBytes)}` });
      expect(
        await insertSession(
          tables.database,
          session,
          { practiceId, key: 'same', requestHash: 'h', responseBody: '{}' },
          now,
        ),
      ).toBeUndefined();
    }
  });

  it('never takes the id of another session, and then keeps no key', async () => {
    const { sessionId } = await stored();
    const before = await getSession(tables.database, sessionId);
    const request = { practiceId: `prc_${randomUUID()}`, key: 'k', requestHash: 'h', responseBody: '{}' };
    const inserting = insertSession(tables.database, aSession({ sessionId }), request, now);
    await expect(inserting).rejects.toThrow('already taken');
    expect(await getIdempotencyKey(tables.database, request, now)).toBeUndefined();
    expect(await getSession(tables.database, sessionId)).toEqual(before);
  });

  it('accepts that an unanswered write is sent again, but not another session with its id', async () => {
    const session = await stored();
    await insertSession(tables.database, session, undefined, now);
    const other = insertSession(tables.database, { ...session, tokenHash: 'another' }, undefined, now);
    await expect(other).rejects.toThrow('conditional request failed');
    expect(await getSession(tables.database, session.sessionId)).toMatchObject({ tokenHash: session.tokenHash });
  });
});

describe('the first open', () => {
  it('starts the session lifetime, and only once', async () => {
    const session = await stored();
    const opened = await recordOpen(tables.database, session, 1800, now);
    expect(opened).toMatchObject({
      written: true,
      session: { openedAt: '2026-11-20T10:00:00.000Z', expiresAt: '2026-11-20T10:30:00.000Z' },
    });
    expect(opened?.session, 'all ten fit').not.toHaveProperty('extensionLimit');
    expect(await recordOpen(tables.database, session, 1800, now + 60_000)).toEqual({ ...opened, written: false });
  });

  it('is reported once, even if the link is replaced and the new one is opened', async () => {
    const { database } = tables;
    const session = await stored();
    const { sessionId } = session;
    const opened = await recordOpenWithEvent(database, session, 1800, now);
    expect(opened).toEqual({ written: true, session: await getSession(database, sessionId) });
    expect(await recordOpenWithEvent(database, session, 1800, now + 1)).toEqual({ ...opened, written: false });
    const event = await getEvent(database, sessionEventId(sessionId, 0));
    expect(event).toMatchObject({
      type: 'session.payment.opened',
      createdAt: toIso(now),
      dueAt: toIso(now + ticketGrace),
    });
    const { data } = sessionWebhook.parse(JSON.parse(event?.body ?? ''));
    expect(data).toMatchObject({ status: 'pending', sequence: 0 });
    expect(data).not.toHaveProperty('previousStatus');

    const link = { tokenHash: 'another', audit: anEntry(session.practiceId), expiresAt: now + day };
    await restartSession(database, sessionId, link, now + 2);
    const replaced = await getExistingSession(database, sessionId);
    expect(await recordOpenWithEvent(database, session, 1800, now + 3)).toBeUndefined();
    const anew = await recordOpenWithEvent(database, replaced, 1800, now + 3);
    expect(anew).toMatchObject({ written: true, session: { openedAt: toIso(now + 3) } });
    expect(await getEvent(database, sessionEventId(sessionId, 0))).toEqual(event);
  });

  it('does not open an expired session', async () => {
    const session = await stored({ expiresAt: '2026-11-20T09:59:59.000Z' });
    const refused = await recordOpen(tables.database, session, 1800, now);
    expect(refused).toMatchObject({ written: false });
    expect(refused?.session).not.toHaveProperty('openedAt');
  });
});

describe('a session that does not exist', () => {
  it('gets no new link, and no row', async () => {
    const [sessionId, link] = [`ses_${randomUUID()}`, { tokenHash: 'hash', audit: anEntry('prc_1') }];
    const restarting = restartSession(tables.database, sessionId, { ...link, expiresAt: now + day }, now);
    await expect(restarting).rejects.toThrow('there is no session');
    await expect(replaceToken(tables.database, sessionId, link, now)).rejects.toThrow('was not replaced');
    expect(await getSession(tables.database, sessionId)).toBeUndefined();
  });

  it('has no expiration and nothing to scrub', async () => {
    const sessionId = `ses_${randomUUID()}`;
    await expect(expireAt(tables.database, sessionId, now)).rejects.toThrow('there is no session');
    await expect(scrubSession(tables.database, sessionId, now)).rejects.toThrow('there is no session');
    await expect(getExistingSession(tables.database, sessionId)).rejects.toThrow('is missing');
    expect(await getSessions(tables.database, [sessionId])).toEqual([]);
  });
});

describe("the patient's details", () => {
  it.each(['pending', 'processing'] as const)('stay in a %s session', async (status) => {
    const { sessionId } = await stored({ status });
    const before = await getSession(tables.database, sessionId);
    expect(await scrubSession(tables.database, sessionId, now)).toEqual(before);
  });

  it('are removed once', async () => {
    const { sessionId } = await stored({ status: 'failed' });
    const scrubbed = await scrubSession(tables.database, sessionId, now);
    expect(scrubbed).toMatchObject({ scrubbedAt: toIso(now), metadata: {} });
    expect(scrubbed).not.toHaveProperty('patient');
    expect(await scrubSession(tables.database, sessionId, now + 1)).toEqual(scrubbed);
  });
});

describe('a requested cancellation', () => {
  it('is left to its request for two minutes', async () => {
    const { sessionId } = await stored({ status: 'processing' });
    expect(await requestCancellation(tables.database, sessionId, now)).toMatchObject({ result: 'requested' });
    const cancellations = dueSessions(tables.database, 'cancellation');
    expect(await listDue(cancellations, now + ticketGrace - 1, 100)).not.toContainEqual({ sessionId });
    expect(await listDue(cancellations, now + ticketGrace, 100)).toContainEqual({ sessionId });
  });

  it('is not written if its audit entry exists already', async () => {
    const audit = auditPart(tables.database, anEntry(`prc_${randomUUID()}`));
    const [first, second] = [await stored({ status: 'processing' }), await stored({ status: 'processing' })];
    await requestCancellation(tables.database, first.sessionId, now, { audit });
    await expect(requestCancellation(tables.database, second.sessionId, now, { audit })).rejects.toThrow();
    expect(await getSession(tables.database, second.sessionId)).not.toHaveProperty('cancelRequestedAt');
  });
});

it('no copy is emailed of a session in which nothing was authorized', async () => {
  const session = await stored();
  expect(await recordCopyRequest(tables.database, session, now)).toMatchObject({ written: false });
  expect(await getSession(tables.database, session.sessionId)).not.toHaveProperty('copyRequestedAt');
});

describe('a session that is made to expire', () => {
  const expiresAt = '2026-11-20T12:00:00.000Z';

  it.each<[string, Partial<Session>, number]>([
    ['later than it would', {}, Date.parse(expiresAt) + 1],
    ['although it is no longer pending', { status: 'processing' }, now],
  ])('is left alone %s', async (_, differences, at) => {
    const session = await stored({ expiresAt, ...differences });
    const before = await getSession(tables.database, session.sessionId);
    await expireAt(tables.database, session.sessionId, at);
    expect(await getSession(tables.database, session.sessionId)).toEqual(before);
  });

  it('is due at that time', async () => {
    const { sessionId } = await stored({ expiresAt });
    await expireAt(tables.database, sessionId, now + 1);
    expect(await getSession(tables.database, sessionId)).toMatchObject({ expiresAt: toIso(now + 1) });
    expect(await listDue(dueSessions(tables.database, 'expiry'), now + 1, 100)).toContainEqual({ sessionId });
  });
});

describe('bank sign-in attempts', () => {
  it('are limited to five, even if concurrent', async () => {
    const session = await stored();
    const counted = await Promise.all(
      Array.from({ length: 12 }, () => countBankConnectionAttempt(tables.database, session, now)),
    );
    expect(counted.filter((attempt) => attempt?.written)).toHaveLength(5);
    const connected = await connectBankAccount(tables.database, session, aBankConnection, now);
    expect(connected).toMatchObject({ written: false });
  });
});

describe('a connected bank account', () => {
  it('replaces the previous one, and what its authorization is rendered from', async () => {
    const created = aSession({
      sessionId: `ses_${ulid(now, randomBytes)}`,
      ...aBankConnection,
      processorAccount: 'user_declined',
      payee: { name: 'Lakeside' },
      authorizationTemplate: 'an older one',
      bankConnectedAt: '2026-11-20T09:00:00.000Z',
      bankConnectionAttempts: 1,
    });
    await insertSession(tables.database, created, undefined, now);
    const { bankConnectedAt: _, ...connection } = aBankConnection;
    const other = { ...connection, bankAccount: { ...aBankAccount, last4: '1111' } };
    await connectBankAccount(tables.database, created, other, now);
    const row = await getSession(tables.database, created.sessionId);
    expect(row).toMatchObject({
      ...other,
      bankConnectionAttempts: 1,
      bankConnectedAt: '2026-11-20T10:00:00.000Z',
    });
  });
});

describe('the due index', () => {
  it('lists a pending session from the instant it expires', async () => {
    const { sessionId } = await stored({ expiresAt: '2026-11-25T00:00:00.000Z' });
    const instant = Date.parse('2026-11-25T00:00:00.000Z');
    expect(await listDue(dueSessions(tables.database, 'expiry'), instant - 1, 100)).not.toContainEqual({ sessionId });
    expect(await listDue(dueSessions(tables.database, 'expiry'), instant, 100)).toContainEqual({
      sessionId,
    });
  });

  it('lists a processing session until its debit is recorded', async () => {
    const { sessionId } = await stored({ status: 'processing' });
    await rescheduleDebit(tables.database, sessionId, now);
    expect(await listDue(dueSessions(tables.database, 'debit'), now, 100)).toContainEqual({
      sessionId,
    });
    await recordDebit(tables.database, sessionId, { debitId: 'd', submittedAt: '2026-11-20T10:00:00.000Z' });
    expect(await listDue(dueSessions(tables.database, 'debit'), now, 100)).not.toContainEqual({
      sessionId,
    });
  });

  it('keeps the debit that was recorded first', async () => {
    const { sessionId } = await stored({ status: 'processing' });
    const first = { debitId: 'first', submittedAt: '2026-11-20T10:00:00.000Z' };
    await recordDebit(tables.database, sessionId, first);
    await recordDebit(tables.database, sessionId, { ...first, debitId: 'second' });
    expect((await getSession(tables.database, sessionId))?.debit).toEqual(first);
  });

  const debit = { debitId: 'd', submittedAt: '2026-11-20T10:00:00.000Z' };

  it('says since when the oldest debit and the oldest cancellation have been waiting', async () => {
    const { database } = await startTestTables();
    const waits = () => Promise.all([oldestUnsubmittedDebit(database), oldestOpenCancellation(database)]);
    expect(await waits()).toEqual([undefined, undefined]);
    for (const minutes of [2, 1, 3]) {
      const processingAt = toIso(now - minutes * minute);
      const session = aSession({ sessionId: `ses_${ulid(now, randomBytes)}`, status: 'processing', processingAt });
      await insertSession(database, session, undefined, now);
      await rescheduleDebit(database, session.sessionId, now);
      if (minutes === 3) await requestCancellation(database, session.sessionId, now + 1);
    }
    expect(await waits()).toEqual([toIso(now - 2 * minute), toIso(now + 1)]);
  });

  it('keeps a cancellation due whose debit is recorded', async () => {
    const { sessionId } = await stored({ status: 'processing' });
    await rescheduleDebit(tables.database, sessionId, now);
    await requestCancellation(tables.database, sessionId, now);
    await recordDebit(tables.database, sessionId, debit);
    const session = await getSession(tables.database, sessionId);
    expect(session).toMatchObject({ debit, cancelRequestedAt: toIso(now) });
    expect(session).not.toHaveProperty('debitAttempts');
    expect(await listDue(dueSessions(tables.database, 'cancellation'), now + day, 100)).toContainEqual({ sessionId });
  });

  it('records the debit, which is no longer due, if its cancellation is withdrawn in the meantime', async () => {
    const session = await stored({ status: 'processing', processingAt: toIso(now) });
    await requestCancellation(tables.database, session.sessionId, now);
    let updates = 0;
    const raced = beforeEachCall(tables.database, async ({ operation }) => {
      if (operation === 'UpdateItem' && (updates += 1) === 2) await withdrawCancellation(tables.database, session);
    });
    await recordDebit(raced, session.sessionId, debit);
    const row = await getSession(tables.database, session.sessionId);
    expect(row).toMatchObject({ debit });
    for (const name of ['dueAt', 'dueShard', 'cancelRequestedAt']) expect(row).not.toHaveProperty(name);
  });

  it.each<[string, Partial<Session>]>([
    ['has ended', { status: 'cancelled' }],
    ['has a debit', { status: 'processing', debit }],
    ['waits for its cancellation', { status: 'processing', cancelRequestedAt: toIso(now) }],
  ])('lists no debit of a session that %s for another attempt', async (_, differences) => {
    const { sessionId } = await stored(differences);
    const before = await getSession(tables.database, sessionId);
    await rescheduleDebit(tables.database, sessionId, now);
    expect(await getSession(tables.database, sessionId)).toEqual(before);
  });

  it('counts each attempt, and forgets the count when the debit is recorded', async () => {
    const { sessionId } = await stored({ status: 'processing' });
    await rescheduleDebit(tables.database, sessionId, now);
    await rescheduleDebit(tables.database, sessionId, now + 1);
    expect(await getSession(tables.database, sessionId)).toMatchObject({ debitAttempts: 2, dueAt: toIso(now + 1) });
    await recordDebit(tables.database, sessionId, debit);
    const session = await getSession(tables.database, sessionId);
    expect(session).toMatchObject({ debit });
    expect(session).not.toHaveProperty('debitAttempts');
  });
});
