import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { offeredIn } from '../../functions/domain/payments/authorization.ts';
import type { Practice } from '../../functions/domain/practices/practice.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { authorizePayment, namePayer, type RequestSource } from '../../functions/sessions/authorize.ts';
import { expireAt, getExistingSession } from '../../functions/store/sessions/sessions.ts';
import { getEvidence } from '../../functions/store/payments/authorizations.ts';
import { releaseInvoice } from '../../functions/store/payments/invoice-claims.ts';
import { remove } from '../../functions/store/rows.ts';
import { transact } from '../../functions/store/transact.ts';
import { beforeEachCall } from '../support/answered-client.ts';
import { aBankConnection, aPractice } from '../support/examples.ts';
import { problemOf } from '../support/problems.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables();
const now = Date.parse('2026-11-20T10:00:00.000Z');
const source = { address: '203.0.113.9', userAgent: 'test' };

const connected = (differences: Partial<Session> = {}) =>
  storeSession(database, { ...aBankConnection, invoiceId: randomUUID(), ...differences });

function authorize(
  session: Session,
  {
    practice = {},
    on = database,
    from = source,
  }: { practice?: Partial<Practice>; on?: typeof database; from?: RequestSource } = {},
) {
  const authorizationId = offeredIn({ ...session, ...aBankConnection }, 'en', now)?.id ?? 'none';
  return authorizePayment(
    { database: on },
    { session, practice: aPractice(practice), authorizationId, source: from },
    now,
  );
}

describe('the evidence', () => {
  it.each<[string, Partial<RequestSource>]>([
    ['the address of the viewer behind a proxy', { viewerAddress: '198.51.100.7' }],
    ['that the sandbox simulated the patient', { simulated: true }],
  ])('has %s, and without it says nothing of it', async (_, more) => {
    for (const from of [source, { ...source, ...more }]) {
      const { sessionId } = await authorize(await connected(), { from });
      const evidence = await getEvidence(database, sessionId);
      expect(evidence).toMatchObject({ sourceAddress: source.address, userAgent: source.userAgent });
      const { viewerAddress, simulated } = evidence ?? {};
      expect({ viewerAddress, simulated }).toEqual({
        viewerAddress: undefined,
        simulated: undefined,
        ...(from !== source && more),
      });
    }
  });
});

describe('an authorization', () => {
  it.each<keyof Session>(['bankAccount', 'payee', 'bankConnectedAt', 'processorAccount'])(
    'is refused without %s',
    async (name) => {
      const session = await connected({ [name]: undefined });
      expect(await problemOf(authorize(session))).toMatchObject({ code: 'bank_not_connected' });
      expect(await getExistingSession(database, session.sessionId)).toMatchObject({ status: 'pending' });
    },
  );

  it.each<[string, Partial<Session>]>([
    ['session_expired', { expiresAt: '2026-11-20T10:00:00.000Z' }],
    ['session_closed', { status: 'cancelled' }],
  ])('is refused as %s before the bank is looked at', async (code, differences) => {
    const session = await connected({ ...differences, bankAccount: undefined });
    expect(await problemOf(authorize(session))).toMatchObject({ code });
  });

  it.each([
    ['suspended', { suspendedAt: '2026-11-20T09:00:00.000Z' }],
    ['closed', { closedAt: '2026-11-20T09:00:00.000Z' }],
  ])('and a payer are refused by a %s practice, and nothing is written', async (_, practice) => {
    const session = await connected();
    const before = await getExistingSession(database, session.sessionId);
    expect(await problemOf(authorize(session, { practice }))).toMatchObject({ code: 'practice_suspended' });
    const naming = namePayer({ database }, { session, practice: aPractice(practice), payerName: 'Grace Okafor' }, now);
    expect(await problemOf(naming)).toMatchObject({ code: 'practice_suspended' });
    expect(await getExistingSession(database, session.sessionId)).toEqual(before);
  });

  it('that meets the expiration between its read and its write is refused as expired', async () => {
    const session = await connected();
    const on = beforeEachCall(database, async ({ operation }) => {
      if (operation === 'TransactWriteItems') await expireAt(database, session.sessionId, now);
    });
    expect(await problemOf(authorize(session, { on }))).toMatchObject({ code: 'session_expired' });
    expect(await getEvidence(database, session.sessionId)).toBeUndefined();
  });

  it('is told whether the invoice is being paid through another link, or is paid', async () => {
    const first = await connected();
    await authorize(first);
    const { sessionId, invoiceId } = first;
    const second = await connected({ invoiceId });
    expect(await problemOf(authorize(second))).toMatchObject({ code: 'payment_in_progress' });
    await remove(database, 'sessions', { sessionId });
    await storeSession(database, { sessionId, invoiceId, status: 'succeeded' });
    expect(await problemOf(authorize(second))).toMatchObject({ code: 'invoice_already_paid' });
    expect(await authorize(second, { practice: { invoiceGuard: false } })).toMatchObject({ status: 'processing' });
  });

  it('is told that the invoice is being paid if the other link gives it up right after it refused this one', async () => {
    const first = await connected();
    const { sessionId } = await authorize(first);
    const on = beforeEachCall(database, async ({ operation }) => {
      if (operation === 'GetItem') await transact(database, { release: releaseInvoice(database, first) });
    });
    const second = await connected({ invoiceId: first.invoiceId });
    expect(await problemOf(authorize(second, { on }))).toMatchObject({ code: 'payment_in_progress' });
    expect(await getExistingSession(database, second.sessionId)).toMatchObject({ status: 'pending' });
    expect((await authorize(second)).status).toBe('processing');
    expect(await getExistingSession(database, sessionId)).toMatchObject({ status: 'processing' });
  });
});
