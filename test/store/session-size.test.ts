import { randomBytes, randomUUID } from 'node:crypto';
import { GetItemCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { hashOfToken, ulid } from '../../functions/domain/identifier.ts';
import { day, second, toIso } from '../../functions/domain/time.ts';
import { isOpened } from '../../functions/domain/sessions/links.ts';
import { fullName, patientOf, type Session } from '../../functions/domain/sessions/session.ts';
import { writeAccount } from '../../functions/processors/stripe/account.ts';
import { requestCancellation } from '../../functions/store/sessions/cancellations.ts';
import { acceptRefundOrder, writeRefundOrder, recordRefund } from '../../functions/store/sessions/refunds.ts';
import { postponeDue } from '../../functions/store/due-index.ts';
import {
  connectBankAccount,
  countBankConnectionAttempt,
  recordBankConnection,
  recordExtension,
  recordOpen,
} from '../../functions/store/sessions/patient-writes.ts';
import {
  dueSessions,
  getExistingSession,
  insertSession,
  recordDebit,
  rescheduleDebit,
} from '../../functions/store/sessions/sessions.ts';
import {
  writeAuthorization,
  writeCancellation,
  writeFailure,
  writeReturn,
  writeSettlement,
} from '../../functions/store/sessions/transitions.ts';
import { aBankConnection, anOffer, aSession } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables('live');
const now = Date.parse('2026-11-20T10:00:00.000Z');

const created = {
  practiceId: `prc_${'a'.repeat(20)}`,
  tokenHash: hashOfToken('token'),
  // Most IDs are shorter. With the longest, of 128 characters, some states take two write units.
  invoiceId: 'i'.repeat(64),
  amountCents: 99_999_999,
  locale: 'es',
  via: 'k'.repeat(12),
  livemode: true,
} as const satisfies Partial<Session>;

/** IDs as long as Stripe's. */
const connection = {
  ...aBankConnection,
  bankAccount: { bankName: 'First National Bank of Springfield', accountType: 'checking', last4: '6789' },
  processorAccount: writeAccount({
    deposit: { chargeType: 'destination', account: `acct_${'1'.repeat(16)}` },
    customer: `cus_${'1'.repeat(14)}`,
    bankAccount: `fca_${'1'.repeat(24)}`,
    statementDescriptor: 'LAKESIDE FAMILY ',
  }),
  payee: {
    name: 'Greater Lakeside Family Dentistry',
    supportPhone: '+1 (555) 010-0142 ext. 1',
    supportEmail: 'billing@lakeside-family-dentistry.example',
    statementDescriptor: 'LAKESIDE FAMILY ',
  },
} as const satisfies Partial<Session>;

/** Attributes chosen by the practice or the patient, and the keys made from the name. */
const notCounted = ['patient', 'lastFirst', 'firstLast', 'lastWordFirst', 'metadata', 'returnUrl'];

async function sizeOf(sessionId: string): Promise<number> {
  const Key = { sessionId: { S: sessionId } };
  const { Item: item = {} } = await database.documents.send(
    new GetItemCommand({ TableName: database.tables.sessions, Key, ConsistentRead: true }),
  );
  const counted: Item = Object.fromEntries(Object.entries(item).filter(([name]) => !notCounted.includes(name)));
  return itemSize(counted);
}

async function aLife() {
  const sessionId = `ses_${ulid(now, randomBytes)}`;
  const current = () => getExistingSession(database, sessionId);
  const sizes: Record<string, number> = {};
  const step = async (name: string, write: (session: Session) => Promise<unknown> | undefined) => {
    await write(await current());
    sizes[name] = await sizeOf(sessionId);
  };
  await insertSession(
    database,
    aSession({ ...created, sessionId, createdAt: toIso(now), expiresAt: toIso(now + day) }),
    undefined,
    now,
  );
  sizes['created'] = await sizeOf(sessionId);
  await step('opened', (session) => recordOpen(database, session, 1_800, now));
  await step('extended', (session) => (isOpened(session) ? recordExtension(database, session, now) : undefined));
  await step('picker started', (session) => recordBankConnection(database, session, `fcsess_${'1'.repeat(24)}`, now));
  await step('attempted', (session) => countBankConnectionAttempt(database, session, now));
  await step('connected', (session) => connectBankAccount(database, session, connection, now));
  await step('authorized', async (session) => {
    const { id: authorizationId, ...text } = anOffer('es', session);
    const { practiceId, amountCents, invoiceId } = session;
    const patient = patientOf(session);
    const { bankConnectedAt, authorizationTemplate: _, ...account } = connection;
    const source = { sourceAddress: '203.0.113.9', userAgent: 'test' };
    const evidence = { sessionId, practiceId, amountCents, invoiceId, patient, ...account, ...source };
    const accepted = {
      evidence: { ...evidence, payerName: fullName(patient), authorizationId, ...text },
      guardInvoice: true,
      now,
    };
    return writeAuthorization(database, session, { bankConnectedAt, ...accepted });
  });
  await step('postponed by the sweep', () => postponeDue(dueSessions(database, 'debit'), now + 200 * second, 100));
  await step('put off', () => rescheduleDebit(database, sessionId, now));
  return { step, sizes, sessionId };
}

const debit = { debitId: `pi_${'1'.repeat(24)}`, submittedAt: new Date(now).toISOString() };
const failure = {
  code: 'debit_not_authorized',
  message: 'The bank reported that the debit was not authorized.',
  achReturnCode: 'R10',
} as const;

describe('the row of a session', () => {
  it('stays below one kilobyte through its longest life: paid, refunded and returned', async () => {
    const { step, sizes, sessionId } = await aLife();
    await step('debit recorded', () => recordDebit(database, sessionId, debit));
    await step('settled', (session) => writeSettlement(database, session, now));
    for (const id of [randomUUID(), randomUUID()]) {
      await step('refund ordered', (session) =>
        writeRefundOrder(database, session, { id, amountCents: 49_999_999 }, undefined, now),
      );
      await step('refund accepted', (session) => acceptRefundOrder(database, session, { isRepeated: false }, now));
    }
    await step('refunded', (session) =>
      recordRefund(database, session, { amountCents: 99_999_999, status: 'pending', pendingCents: 99_999_999 }, now),
    );
    await step('returned', (session) =>
      writeReturn(database, session, { code: failure.code, achReturnCode: 'R10' }, now),
    );
    for (const [name, size] of Object.entries(sizes)) expect.soft(size, name).toBeLessThanOrEqual(1024);
  });

  it('stays below one kilobyte if the debit fails or is cancelled', async () => {
    const failed = await aLife();
    await failed.step('debit recorded', () => recordDebit(database, failed.sessionId, debit));
    await failed.step('failed', (session) => writeFailure(database, session, failure, now));
    const cancelled = await aLife();
    await cancelled.step('asked to cancel', () => requestCancellation(database, cancelled.sessionId, now));
    await cancelled.step('debit recorded', () => recordDebit(database, cancelled.sessionId, debit));
    await cancelled.step('postponed again', () =>
      postponeDue(dueSessions(database, 'cancellation'), now + 200 * second, 100),
    );
    await cancelled.step('cancelled', (session) => writeCancellation(database, session, now));
    for (const [name, size] of Object.entries({ ...failed.sizes, ...cancelled.sizes }))
      expect.soft(size, name).toBeLessThanOrEqual(1024);
  });
});

export type Item = Readonly<Record<string, AttributeValue>>;

/** In bytes, as DynamoDB counts what a write costs: names and values. */
export function itemSize(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function valueSize({ S, N, BOOL, M, L, NULL }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replaceAll(/[-.]/g, '').length / 2) + 1;
  if (BOOL !== undefined) return 1;
  if (M !== undefined) return 3 + Object.keys(M).length + itemSize(M);
  if (L !== undefined) return 3 + L.reduce((sum, each) => sum + 1 + valueSize(each), 0);
  if (NULL !== undefined) return 1;
  throw new Error('a type that rows do not have yet');
}
