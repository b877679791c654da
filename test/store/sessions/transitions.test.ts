import { randomBytes } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { ulid } from '../../../functions/domain/identifier.ts';
import { sessionEventId } from '../../../functions/domain/webhooks/event.ts';
import type { Authorization } from '../../../functions/domain/payments/authorization.ts';
import { fullName, type Session } from '../../../functions/domain/sessions/session.ts';
import { getEvidence } from '../../../functions/store/payments/authorizations.ts';
import { getEvent, markDispatched, undispatchedEvents } from '../../../functions/store/webhooks/events.ts';
import { getClaimingSessionId } from '../../../functions/store/payments/invoice-claims.ts';
import { listDue } from '../../support/put-all.ts';
import { dueSessions, getSession, insertSession } from '../../../functions/store/sessions/sessions.ts';
import {
  moved,
  writeAuthorization,
  writeCancellation,
  writeExpiry,
  writeFailure,
  writeReturn,
  writeSettlement,
} from '../../../functions/store/sessions/transitions.ts';
import { aBankConnection, aSession } from '../../support/examples.ts';
import { startTestTables } from '../../support/tables.ts';

const tables = await startTestTables();

const now = Date.parse('2026-11-20T10:00:00.000Z');
const authorization = { id: 'auth-1', text: 'I authorize', templateVersion: '1', locale: 'en' } as const;
const autorizacion = { id: 'auth-2', text: 'Autorizo', templateVersion: '1', locale: 'es' } as const;

async function connected(differences: Partial<Session> = {}): Promise<Session> {
  const sessionId = `ses_${ulid(now, randomBytes)}`;
  const session = aSession({
    sessionId,
    invoiceId: `INV-${sessionId}`,
    ...aBankConnection,
    ...differences,
  });
  await insertSession(tables.database, session, undefined, now);
  return session;
}

function evidenceOf(
  { sessionId, practiceId, amountCents, invoiceId, patient = aSession().patient, processorAccount = '' }: Session,
  accepted: Authorization = authorization,
) {
  const { id: authorizationId, text, templateVersion, locale } = accepted;
  return {
    sessionId,
    practiceId,
    amountCents,
    invoiceId,
    patient,
    payerName: fullName(patient),
    processorAccount,
    authorizationId,
    text,
    templateVersion,
    locale,
    payee: aBankConnection.payee,
    bankAccount: aBankConnection.bankAccount,
    sourceAddress: '203.0.113.9',
    userAgent: 'test',
  };
}

function authorize(session: Session, evidence = evidenceOf(session), guardInvoice = true) {
  const { bankConnectedAt = '' } = session;
  return writeAuthorization(tables.database, session, { bankConnectedAt, evidence, guardInvoice, now });
}

async function authorized(differences: Partial<Session> = {}): Promise<Session> {
  const session = await connected(differences);
  const outcome = await authorize(session);
  if (outcome.result !== 'written') throw new Error(outcome.result);
  return outcome.session;
}

describe('authorizing', () => {
  it('writes status, event, claim and evidence together', async () => {
    const session = await authorized();
    const { sessionId } = session;
    expect(await getSession(tables.database, sessionId)).toMatchObject({
      status: 'processing',
      sequence: 1,
      processingAt: '2026-11-20T10:00:00.000Z',
      claimsInvoice: true,
    });
    const event = await getEvent(tables.database, sessionEventId(sessionId, 1));
    expect(event).toMatchObject({
      type: 'session.payment.processing',
      createdAt: '2026-11-20T10:00:00.000Z',
      practiceId: session.practiceId,
    });
    expect(await getClaimingSessionId(tables.database, session)).toBe(sessionId);
    expect(await getEvidence(tables.database, sessionId)).toMatchObject({
      text: 'I authorize',
      amountCents: 18_250,
      authorizedAt: '2026-11-20T10:00:00.000Z',
      patient: { firstName: 'Ada', lastName: 'Okafor' },
      processorAccount: 'user_good',
    });
  });

  it.each([
    ['English', authorization],
    ['Spanish', autorizacion],
  ])('with the %s text keeps that text in the evidence, and in the row nothing of the offer', async (_, accepted) => {
    const session = await connected({ bankConnectionId: 'connection_1', pickerStarts: 1 });
    const outcome = await authorize(session, evidenceOf(session, accepted));
    expect(outcome.result).toBe('written');
    const row = await getSession(tables.database, session.sessionId);
    for (const name of ['payee', 'authorizationTemplate', 'bankConnectionId', 'pickerStarts'])
      expect(row).not.toHaveProperty(name);
    const { id, ...rest } = accepted;
    expect(await getEvidence(tables.database, session.sessionId)).toMatchObject({ authorizationId: id, ...rest });
  });

  it('leaves the debit to its ticket for two minutes', async () => {
    const { sessionId } = await authorized();
    const debits = dueSessions(tables.database, 'debit');
    expect(await listDue(debits, now + 119_999, 100)).not.toContainEqual({ sessionId });
    expect(await listDue(debits, now + 120_000, 100)).toContainEqual({ sessionId });
  });

  it('is a fault, not a claimed invoice, if the event of the transition exists already', async () => {
    const session = await connected();
    const Item = { eventId: sessionEventId(session.sessionId, 1) };
    await tables.database.documents.send(new PutCommand({ TableName: tables.database.tables.events, Item }));
    await expect(authorize(session)).rejects.toThrow('was refused by its event');
    expect(await getSession(tables.database, session.sessionId)).toMatchObject({ status: 'pending' });
  });

  it('happens once, even from ten tabs at the same time', async () => {
    const session = await connected();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => authorize(session)));
    expect(outcomes.filter(({ result }) => result === 'written')).toHaveLength(1);
    expect(await getSession(tables.database, session.sessionId)).toMatchObject({ status: 'processing', sequence: 1 });
  });

  it('lets one of two sessions pay an invoice and writes nothing for the other', async () => {
    const invoiceId = 'INV-shared';
    const sessions = [await connected({ invoiceId }), await connected({ invoiceId })];
    const outcomes = await Promise.all(sessions.map((session) => authorize(session)));
    expect(outcomes.map(({ result }) => result).sort()).toEqual(['claimed', 'written']);
    const loser = sessions[outcomes.findIndex(({ result }) => result === 'claimed')];
    expect(await getSession(tables.database, loser?.sessionId ?? '')).toMatchObject({ status: 'pending', sequence: 0 });
    expect(await getEvidence(tables.database, loser?.sessionId ?? '')).toBeUndefined();
    expect(await getEvent(tables.database, sessionEventId(loser?.sessionId ?? '', 1))).toBeUndefined();
  });

  it('lets both pay if the practice has disabled the invoice guard', async () => {
    const invoiceId = 'INV-unguarded';
    for (const session of [await connected({ invoiceId }), await connected({ invoiceId })]) {
      expect(await authorize(session, evidenceOf(session), false)).toMatchObject({ result: 'written' });
    }
  });

  it('is refused for an expired session', async () => {
    const late = await connected({ expiresAt: '2026-11-20T10:00:00.000Z' });
    expect(await authorize(late)).toMatchObject({ result: 'changed' });
    expect(await getEvidence(tables.database, late.sessionId)).toBeUndefined();
  });

  it.each([
    [
      'a bank has been connected since, which may have changed the text',
      { bankConnectedAt: '2026-11-20T10:00:00.001Z' },
    ],
    ['the link has been replaced since', { tokenHash: 'hash of the new link' }],
    ['another account with the same text was connected in that millisecond', { processorAccount: 'user_other' }],
  ])('is refused if %s', async (_, since) => {
    const session = await connected(since);
    const stale = { ...session, ...aBankConnection, tokenHash: aSession().tokenHash };
    expect(await authorize(stale)).toMatchObject({ result: 'changed' });
    expect(await getEvidence(tables.database, session.sessionId)).toBeUndefined();
  });
});

describe('the end of a payment', () => {
  it('keeps the claim of a paid invoice and removes the due time', async () => {
    const session = await authorized();
    expect(await writeSettlement(tables.database, session, now)).toMatchObject({
      result: 'written',
      session: { status: 'succeeded', sequence: 2 },
    });
    expect(await getClaimingSessionId(tables.database, session)).toBe(session.sessionId);
    expect(await listDue(dueSessions(tables.database, 'debit'), now + 1e9, 100)).not.toContainEqual({
      sessionId: session.sessionId,
    });
  });

  it('gives events of the same millisecond different times', async () => {
    const session = await authorized();
    await writeSettlement(tables.database, session, now);
    const [first, second] = await Promise.all(
      [1, 2].map((sequence) => getEvent(tables.database, sessionEventId(session.sessionId, sequence))),
    );
    expect(first?.createdAt).toBe('2026-11-20T10:00:00.000Z');
    expect(second?.createdAt).toBe('2026-11-20T10:00:00.001Z');
  });

  it('releases the invoice when the payment fails', async () => {
    const session = await authorized();
    const failure = { code: 'insufficient_funds', message: 'No money.', achReturnCode: 'R01' } as const;
    expect(await writeFailure(tables.database, session, failure, now)).toMatchObject({
      result: 'written',
      session: { status: 'failed', failure },
    });
    expect(await getClaimingSessionId(tables.database, session)).toBeUndefined();
  });

  it('fails a payment even if its claim is gone', async () => {
    const session = await authorized();
    await tables.database.documents.send(
      new DeleteCommand({
        TableName: tables.database.tables.invoiceClaims,
        Key: { claimId: `${session.practiceId}#${session.invoiceId}` },
      }),
    );
    const failure = { code: 'bank_declined', message: 'Declined.' } as const;
    expect(await writeFailure(tables.database, session, failure, now)).toMatchObject({
      result: 'written',
      session: { status: 'failed' },
    });
  });

  it('leaves the claim of another session alone', async () => {
    const session = await authorized();
    const claim = { claimId: `${session.practiceId}#${session.invoiceId}`, sessionId: 'ses_other' };
    const TableName = tables.database.tables.invoiceClaims;
    await tables.database.documents.send(new PutCommand({ TableName, Item: claim }));
    const failure = { code: 'bank_declined', message: 'Declined.' } as const;
    expect(await writeFailure(tables.database, session, failure, now)).toMatchObject({ result: 'written' });
    expect(await getClaimingSessionId(tables.database, session)).toBe('ses_other');
  });

  it('can be a cancellation after the session would have expired', async () => {
    const session = await authorized();
    expect(await writeCancellation(tables.database, session, Date.parse(session.expiresAt))).toMatchObject({
      result: 'written',
      session: { status: 'cancelled' },
    });
  });

  it('is no cancellation by the practice once a session that nobody has authorized has expired', async () => {
    const [expired, payable] = [await connected(), await connected()];
    const end = Date.parse(expired.expiresAt);
    const refused = { result: 'changed', session: { status: 'pending' } };
    expect(await writeCancellation(tables.database, expired, end)).toMatchObject(refused);
    expect(await writeCancellation(tables.database, payable, end - 1)).toMatchObject({ result: 'written' });
  });

  it('is not a cancellation that read the session before it was authorized', async () => {
    const session = await connected();
    await authorize(session);
    expect(await writeCancellation(tables.database, session, now)).toMatchObject({
      result: 'changed',
      session: { status: 'processing' },
    });
  });

  it('releases the invoice once when a settled debit is returned, without changing the status', async () => {
    const session = await authorized();
    const settled = await writeSettlement(tables.database, session, now);
    if (settled.result !== 'written') throw new Error(settled.result);
    const returned = { code: 'insufficient_funds', achReturnCode: 'R01' } as const;
    expect(await writeReturn(tables.database, settled.session, returned, now)).toMatchObject({
      result: 'written',
      session: { status: 'succeeded', sequence: 3, return: { ...returned, returnedAt: '2026-11-20T10:00:00.002Z' } },
    });
    expect(await getClaimingSessionId(tables.database, session)).toBeUndefined();
    expect(await writeReturn(tables.database, settled.session, returned, now)).toMatchObject({ result: 'changed' });
  });

  it.each([
    ['a session', {}],
    ['a scrubbed session', { scrubbedAt: '2026-11-20T09:30:00.000Z' }],
  ])('returns the debit of %s once, also for a caller who has read the return', async (_, differences) => {
    const session = await authorized(differences);
    const settled = await writeSettlement(tables.database, session, now);
    const returned = { code: 'insufficient_funds' } as const;
    await writeReturn(tables.database, settled.session, returned, now);
    const current = await getSession(tables.database, session.sessionId);
    expect(current).toMatchObject({ sequence: 3 });
    expect(current).not.toHaveProperty('claimsInvoice');
    if (!current) return;
    expect(await writeReturn(tables.database, current, returned, now)).toMatchObject({ result: 'changed' });
    expect(await getSession(tables.database, session.sessionId)).toEqual(current);
  });

  it('is written once if settling and failing race', async () => {
    const session = await authorized();
    const failure = { code: 'bank_declined', message: 'Declined.' } as const;
    const outcomes = await Promise.all([
      writeSettlement(tables.database, session, now),
      writeFailure(tables.database, session, failure, now),
    ]);
    expect(outcomes.map(({ result }) => result).sort()).toEqual(['changed', 'written']);
  });

  it('never leaves a terminal status', async () => {
    const session = await authorized();
    await writeSettlement(tables.database, session, now);
    const stored = await getSession(tables.database, session.sessionId);
    if (!stored) throw new Error('missing');
    const failure = { code: 'bank_declined', message: 'Declined.' } as const;
    expect(await writeFailure(tables.database, stored, failure, now)).toMatchObject({ result: 'changed' });
    expect(await writeSettlement(tables.database, stored, now)).toMatchObject({ result: 'changed' });
    expect(await writeExpiry(tables.database, stored, Date.parse(stored.expiresAt))).toMatchObject({
      result: 'changed',
    });
  });
});

describe('expiry', () => {
  it('cancels a pending session at the instant it expired, with one event', async () => {
    const session = await connected({ expiresAt: '2026-11-20T09:30:00.000Z' });
    expect(await writeExpiry(tables.database, session, Date.parse(session.expiresAt))).toMatchObject({
      result: 'written',
      session: { status: 'cancelled', cancelledAt: '2026-11-20T09:30:00.000Z', cancellation: { reason: 'expired' } },
    });
    expect(await writeExpiry(tables.database, session, Date.parse(session.expiresAt))).toMatchObject({
      result: 'changed',
    });
    expect(await getEvent(tables.database, sessionEventId(session.sessionId, 1))).toMatchObject({
      createdAt: '2026-11-20T09:30:00.000Z',
    });
  });

  it('loses to an extension that was written first', async () => {
    const session = await connected();
    const stale = { ...session, expiresAt: '2026-11-20T09:30:00.000Z' };
    expect(await writeExpiry(tables.database, stale, now)).toMatchObject({
      result: 'changed',
      session: { status: 'pending', expiresAt: session.expiresAt },
    });
  });

  it('loses to an authorization that was written first', async () => {
    const session = await authorized();
    expect(
      await writeExpiry(tables.database, { ...session, status: 'pending', sequence: 0 }, Date.parse(session.expiresAt)),
    ).toMatchObject({
      result: 'changed',
      session: { status: 'processing' },
    });
  });
});

it.each(['claimed', 'key_reused'] as const)('a transition that cannot be %s is a fault if it is', (result) => {
  expect(() => moved({ result })).toThrow(`cannot be ${result}`);
});

describe('the outbox', () => {
  it('lists an event two minutes after it was written, until it is dispatched', async () => {
    const { sessionId } = await authorized();
    const eventId = sessionEventId(sessionId, 1);
    expect(await listDue(undispatchedEvents(tables.database), now + 119_999, 100)).not.toContainEqual({
      eventId,
    });
    expect(await listDue(undispatchedEvents(tables.database), now + 120_000, 100)).toContainEqual({
      eventId,
    });
    await markDispatched(tables.database, eventId);
    expect(await listDue(undispatchedEvents(tables.database), now + 120_000, 100)).not.toContainEqual({
      eventId,
    });
  });
});
