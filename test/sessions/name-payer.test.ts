import { describe, expect, it } from 'vitest';
import { patientPaymentRoutes } from '../../functions/contract/payments/patient-payment.ts';
import { sha256 } from '../../functions/domain/identifier.ts';
import { offeredIn } from '../../functions/domain/payments/authorization.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { authorizePayment, namePayer } from '../../functions/sessions/authorize.ts';
import { getEvidence } from '../../functions/store/payments/authorizations.ts';
import { getExistingSession, scrubSession } from '../../functions/store/sessions/sessions.ts';
import { aBankConnection, aPractice } from '../support/examples.ts';
import { problemOf } from '../support/problems.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const practice = aPractice();
const payerName = 'Grace Okafor';
const source = { address: '203.0.113.9', userAgent: 'test' };

const connected = (differences: Partial<Session> = {}) =>
  storeSession(database, { ...aBankConnection, invoiceId: crypto.randomUUID(), ...differences });
const name = (session: Session, as = payerName) => namePayer({ database }, { session, practice, payerName: as }, now);
const offerOf = (session: Session) => offeredIn(session, 'en', now) ?? expect.fail('nothing is offered');
const authorize = (session: Session, authorizationId: string) =>
  authorizePayment({ database }, { session, practice, authorizationId, source }, now);

describe('a payer who is not the patient', () => {
  it('is named by a new authorization, and the one that names the patient is refused', async () => {
    const before = await connected();
    const named = await name(before);
    const offered = offerOf(named);
    expect(offered.text).toContain('I, Grace Okafor, authorize');
    const old = await problemOf(authorize(named, offerOf(before).id));
    expect(old).toMatchObject({ code: 'authorization_changed' });
    expect(await authorize(named, offered.id)).toMatchObject({ status: 'processing' });
  });

  it('is refused for a request that read the session before the name changed', async () => {
    const before = await connected();
    await name(before);
    expect(await problemOf(authorize(before, offerOf(before).id))).toMatchObject({ code: 'authorization_changed' });
    const named = await getExistingSession(database, before.sessionId);
    await name(named, 'Zoë Okafor');
    expect(await problemOf(authorize(named, offerOf(named).id))).toMatchObject({ code: 'authorization_changed' });
    expect(await getEvidence(database, before.sessionId)).toBeUndefined();
  });

  it('is in the evidence beside the patient, and after the authorization only there', async () => {
    const named = await name(await connected());
    const { id } = offerOf(named);
    await authorize(named, id);
    const row = await getExistingSession(database, named.sessionId);
    expect(JSON.stringify(row)).not.toContain('Grace');
    const evidence = await getEvidence(database, named.sessionId);
    expect(evidence).toMatchObject({
      payerName,
      patient: { firstName: 'Ada', lastName: 'Okafor' },
      authorizationId: id,
    });
    expect(sha256(evidence?.text ?? '')).toBe(id);
  });

  it('is erased with the patient if nothing was authorized', async () => {
    const { sessionId } = await connected({ status: 'cancelled', payerName });
    const scrubbed = await scrubSession(database, sessionId, now);
    expect(scrubbed).not.toHaveProperty('payerName');
    expect(scrubbed).not.toHaveProperty('patient');
  });

  it.each([
    ['without a bank', { bankAccount: undefined }, 'bank_not_connected'],
    ['that was authorized', { status: 'processing' }, 'session_closed'],
    ['that has expired', { expiresAt: '2026-11-20T09:59:59.999Z' }, 'session_expired'],
  ] as const)('is not named in a session %s', async (_, state, code) => {
    const session = await connected(state as Partial<Session>);
    expect(await problemOf(name(session))).toMatchObject({ code });
    expect(await getExistingSession(database, session.sessionId)).not.toHaveProperty('payerName');
  });
});

describe('the name on the bank account', () => {
  const parse = (sent: string) => patientPaymentRoutes.namePayer.body.safeParse({ payerName: sent });

  it.each(['Zoë Okafor-Peña', 'X Æ A-12', '李小龍', 'x'.repeat(100)])('may be "%s"', (sent) => {
    expect(parse(sent).data).toEqual({ payerName: sent });
  });

  it.each(['', '  ', '-', 'x'.repeat(101), 'Ada\nOkafor', '4242 4242 4242 4242', '219-09-9999'])(
    'may not be "%s"',
    (sent) => {
      expect(parse(sent).success).toBe(false);
    },
  );
});
