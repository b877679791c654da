import { describe, expect, it } from 'vitest';
import { findPayoutOfSession, openPayout } from '../../functions/payments/payouts.ts';
import { listStatementLines, getStatement } from '../../functions/payments/statement.ts';
import { bookingKey, type Booking } from '../../functions/domain/payments/booking.ts';
import { putBookingOfPayout, putPayout } from '../../functions/store/payments/bookings.ts';
import { insert } from '../../functions/store/rows.ts';
import { storeSession } from '../support/create-practice.ts';
import { aPractice } from '../support/examples.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables('live');
const practiceId = 'prc_1';
await insert(database, 'practices', aPractice({ practiceId, timeZone: 'UTC' }), 'practiceId');

const now = Date.parse('2026-11-20T10:00:00.000Z');
const month = (name: string) => getStatement({ database }, { practiceId, month: name }, now);

async function book(id: string, bookedAt: string, differences: Partial<Booking> & { readonly payoutId: string }) {
  const amounts = { amountCents: 18_250, feeCents: 146, netCents: 18_104 };
  const row = { practiceId, bookingId: bookingKey(bookedAt, id), bookedAt, category: 'payment', ...amounts } as const;
  await putBookingOfPayout(database, { ...row, ...differences });
}

async function payOut(payoutId: string, createdAt: string, status: 'paid' | 'failed') {
  const amounts = { amountCents: -18_104, feeCents: 0, netCents: -18_104 };
  await book(`txn_${payoutId}`, createdAt, { category: 'payout', ...amounts, payoutId, sourcePayoutId: payoutId });
  await putPayout(database, {
    practiceId,
    payoutId,
    payoutKey: bookingKey(createdAt, payoutId),
    createdAt,
    arrivesOn: '2026-10-22',
    amountCents: 18_104,
    status,
    itemized: true,
  });
}

describe('a payout', () => {
  it('opens to its invoices, and its payment and its month name it, but not to another practice', async () => {
    const settledAt = '2026-09-04T12:00:00.000Z';
    const debit = { debitId: 'pi_1', submittedAt: '2026-09-01T12:00:00.000Z' };
    const session = { status: 'succeeded', sequence: 2, practiceId, invoiceId: 'INV-7', settledAt, debit } as const;
    const { sessionId } = await storeSession(database, session);
    await book('txn_9', '2026-09-01T12:00:05.000Z', { payoutId: 'po_9', sessionId, paidAt: settledAt });
    await book('txn_8', '2026-09-05T12:00:00.000Z', { payoutId: 'po_9', category: 'return', sessionId: 'ses_unknown' });
    await payOut('po_9', '2026-09-06T12:00:00.000Z', 'paid');

    const opened = await openPayout({ database }, { practiceId, payoutId: 'po_9' }, now);
    const amounts = { amountCents: 18_250, feeCents: 146, netCents: 18_104, payoutId: 'po_9' };
    const paid = { at: settledAt, category: 'payment', sessionId, invoiceId: 'INV-7', ...amounts, bookingId: 'txn_9' };
    expect(opened.payout).toMatchObject({ payoutId: 'po_9', grossCents: 18_250, day: '2026-09-06' });
    expect(opened.lines).toMatchObject([
      { ...paid, receiptNumber: sessionId.slice(-10) },
      { category: 'return', bookingId: 'txn_8' },
    ]);
    expect(opened.lines[1]).not.toHaveProperty('invoiceId');
    expect(await findPayoutOfSession({ database }, { practiceId, sessionId })).toMatchObject({ payoutId: 'po_9' });

    const lines = await listStatementLines({ database }, { practiceId, month: '2026-09' }, now);
    const days = lines.map(({ at, category, payoutId }) => [at.slice(0, 10), category, payoutId]);
    expect(days, 'when each was paid, returned or paid out').toEqual([
      ['2026-09-04', 'payment', 'po_9'],
      ['2026-09-05', 'return', 'po_9'],
      ['2026-09-06', 'payout', 'po_9'],
    ]);

    const others = 'prc_other';
    await insert(database, 'practices', aPractice({ practiceId: others, timeZone: 'UTC' }), 'practiceId');
    await expect(openPayout({ database }, { practiceId: others, payoutId: 'po_9' }, now)).rejects.toMatchObject({
      code: 'payout_not_found',
    });
    await expect(findPayoutOfSession({ database }, { practiceId: others, sessionId })).rejects.toMatchObject({
      code: 'session_not_found',
    });
  });
});

describe('a payout after payouts were paused for months', () => {
  it('adds up, and the days of its bookings are not in transit', async () => {
    await book('txn_1', '2026-05-10T12:00:00.000Z', { payoutId: 'po_1' });
    await payOut('po_1', '2026-10-20T12:00:00.000Z', 'failed');
    const amounts = { amountCents: 18_104, feeCents: 0, netCents: 18_104 };
    await book('txn_2', '2026-10-24T12:00:00.000Z', {
      category: 'payout_reversal',
      ...amounts,
      payoutId: 'po_2',
      sourcePayoutId: 'po_1',
    });
    await payOut('po_2', '2026-10-30T12:00:00.000Z', 'paid');

    expect((await month('2026-10')).payouts).toMatchObject([
      { payoutId: 'po_1', addsUp: true, grossCents: 18_250, nextPayoutId: 'po_2' },
      { payoutId: 'po_2', addsUp: true },
    ]);
    expect((await month('2026-05')).days).toMatchObject([
      { day: '2026-05-10', inTransitCents: 0, payoutIds: ['po_2'], failedPayoutIds: ['po_1'] },
    ]);
  });
});
