import { describe, expect, it } from 'vitest';
import { getStatement } from '../../functions/payments/statement.ts';
import { bookingKey, type Booking } from '../../functions/domain/payments/booking.ts';
import { putBookingOfPayout, putPayout } from '../../functions/store/payments/bookings.ts';
import { insert } from '../../functions/store/rows.ts';
import { aPractice } from '../support/examples.ts';
import { startLiveTables } from '../support/live-tables.ts';

const { database } = await startLiveTables();
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
