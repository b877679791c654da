import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { findBlocks, findInvoiceBlocker, findLaterPayingSession } from '../../functions/sessions/blocks.ts';
import { connect } from '../../functions/store/database.ts';
import { dynamoDb } from '../../functions/store/dynamodb.ts';
import { claimInvoice } from '../../functions/store/payments/invoice-claims.ts';
import { remove } from '../../functions/store/rows.ts';
import { transact } from '../../functions/store/transact.ts';
import { meterDynamoDb } from '../bench/dynamodb-meter.ts';
import { awsConfig } from '../support/answered-client.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const tables = await startTestTables();
const { database } = tables;
const now = Date.parse('2026-11-20T10:00:00.000Z');
const times = <Value>(length: number, value: (index: number) => Value) => Array.from({ length }, (_, at) => value(at));

const store = (differences: Partial<Session>) => storeSession(database, { practiceId: 'prc_1', ...differences }, now);
async function claiming(differences: Partial<Session>): Promise<Session> {
  const session = await store(differences);
  await transact(database, { claim: claimInvoice(database, session) });
  return session;
}

/** Read units and requests, with 0.5 units for an eventually consistent read of up to 4 KiB. */
async function costOf(sessions: readonly Session[], invoiceGuard: boolean) {
  const meter = await meterDynamoDb(tables.endpoint);
  const through = connect(database.tables, dynamoDb(awsConfig(meter.endpoint)));
  meter.reset();
  const blocks = await findBlocks({ database: through }, sessions, { invoiceGuard });
  const units = [...meter.readUnits.values()].reduce((sum, each) => sum + each, 0);
  const { requests } = meter;
  await meter.stop();
  return { blocked: blocks.size, units, requests };
}

it('who pays an invoice instead is known for a session that failed or was returned, and for no other', async () => {
  const invoiceId = `INV-${randomUUID()}`;
  const failed = await store({ invoiceId, status: 'failed' });
  expect(await findLaterPayingSession({ database }, failed)).toBeUndefined();
  const { sessionId } = await claiming({ invoiceId, status: 'processing' });
  expect(await findLaterPayingSession({ database }, failed)).toBe(sessionId);
  const returned = { code: 'insufficient_funds', returnedAt: '2026-11-20T09:00:00.000Z' } as const;
  const late = await store({ invoiceId, status: 'succeeded', return: returned });
  expect(await findLaterPayingSession({ database }, late)).toBe(sessionId);
  expect(await findLaterPayingSession({ database }, await store({ invoiceId, status: 'cancelled' }))).toBeUndefined();
});

it('what blocks a session is another one that claims its invoice, paid or not, and even without a row', async () => {
  const guarded = { invoiceGuard: true };
  const find = (session: Session, guard = guarded) => findInvoiceBlocker({ database }, session, guard);
  for (const [status, blockedBy] of [
    ['processing', 'payment_in_progress'],
    ['succeeded', 'invoice_already_paid'],
  ] as const) {
    const invoiceId = `INV-${randomUUID()}`;
    const pending = await store({ invoiceId });
    expect(await find(pending)).toBeUndefined();
    const { sessionId } = await claiming({ invoiceId, status });
    expect(await find(pending)).toEqual({ sessionId, blockedBy });
    expect([...(await findBlocks({ database }, [pending], guarded)).values()]).toEqual([blockedBy]);
    expect(await find(pending, { invoiceGuard: false })).toBeUndefined();
    expect(await find(await store({ invoiceId, status: 'failed' }))).toBeUndefined();
    await remove(database, 'sessions', { sessionId });
    expect(await find(pending)).toEqual({ sessionId, blockedBy: 'payment_in_progress' });
  }
});

it('a session is not blocked, or paid later, by its own claim', async () => {
  expect(
    await findInvoiceBlocker({ database }, await claiming({ invoiceId: randomUUID() }), { invoiceGuard: true }),
  ).toBeUndefined();
  expect(
    await findLaterPayingSession({ database }, await claiming({ invoiceId: randomUUID(), status: 'failed' })),
  ).toBeUndefined();
});

describe('what blocks the sessions of a page', () => {
  it('is found in two requests, however many of them are blocked', async () => {
    const pages = await Promise.all(
      times(100, async (index) => {
        const invoiceId = `INV-${randomUUID()}`;
        await claiming({ invoiceId, status: index % 2 === 0 ? 'succeeded' : 'processing' });
        return store({ invoiceId });
      }),
    );
    expect(await costOf(pages, true)).toEqual({ blocked: 100, units: 100, requests: 2 });
  });

  it('costs nothing without the invoice guard, and nothing for sessions that are not pending', async () => {
    const invoiceId = `INV-${randomUUID()}`;
    await claiming({ invoiceId, status: 'succeeded' });
    const free = { blocked: 0, units: 0, requests: 0 };
    expect(await costOf([await store({ invoiceId })], false)).toEqual(free);
    expect(await costOf([await store({ invoiceId, status: 'failed' })], true)).toEqual(free);
  });

  it('reads the claim of an invoice once, and is never the session itself', async () => {
    const invoiceId = `INV-${randomUUID()}`;
    const own = await claiming({ invoiceId });
    const others = await Promise.all(times(3, () => store({ invoiceId })));
    expect(await costOf([own], true)).toEqual({ blocked: 0, units: 0.5, requests: 1 });
    expect(await costOf([own, ...others], true)).toEqual({ blocked: 3, units: 1, requests: 2 });
  });

  it('is the invoice before the bank sign-ins, which also count without the guard', async () => {
    const invoiceId = `INV-${randomUUID()}`;
    await claiming({ invoiceId, status: 'processing' });
    const locked = await store({ invoiceId, bankConnectionAttempts: 5 });
    const blockOfLocked = async (invoiceGuard: boolean) =>
      (await findBlocks({ database }, [locked], { invoiceGuard })).get(locked.sessionId);
    expect(await blockOfLocked(true)).toBe('payment_in_progress');
    expect(await blockOfLocked(false)).toBe('bank_connection_locked');
  });
});
