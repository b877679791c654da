import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findPayoutOfSession, openPayout } from '../../functions/payments/payouts.ts';
import { listStatementLines, getStatement } from '../../functions/payments/statement.ts';
import { bookingKey, type Booking } from '../../functions/domain/payments/booking.ts';
import {
  insertBooking,
  putBookingOfPayout,
  putPayout,
  saveReconciliation,
} from '../../functions/store/payments/bookings.ts';
import { insert } from '../../functions/store/rows.ts';
import { countRequests } from '../support/answered-client.ts';
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

async function payOut(payoutId: string, createdAt: string, status: 'paid' | 'failed', owner = practiceId) {
  const amounts = { amountCents: -18_104, feeCents: 0, netCents: -18_104 };
  await book(`txn_${payoutId}`, createdAt, {
    practiceId: owner,
    category: 'payout',
    ...amounts,
    payoutId,
    sourcePayoutId: payoutId,
  });
  await putPayout(database, {
    practiceId: owner,
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
      { day: '2026-05-10', grossCents: 18_250, inTransitCents: 0, payoutIds: ['po_2'], failedPayoutIds: ['po_1'] },
    ]);
  });
});

describe('the statement of a practice of its own', () => {
  const account = 'acct_statement';

  async function aBookedPractice(settings: Parameters<typeof aPractice>[0] = {}) {
    const owner = `prc_${randomUUID()}`;
    await insert(database, 'practices', aPractice({ practiceId: owner, timeZone: 'UTC', ...settings }), 'practiceId');
    const booked = (id: string, bookedAt: string, differences: Partial<Booking> = {}) =>
      insertBooking(database, {
        practiceId: owner,
        bookingId: bookingKey(bookedAt, id),
        bookedAt,
        category: 'payment',
        amountCents: 100,
        feeCents: 1,
        netCents: 99,
        ...differences,
      });
    const daysOf = async (name?: string, at = now) =>
      (await getStatement({ database }, { practiceId: owner, month: name }, at)).days;
    const days = async (name?: string, at = now) => (await daysOf(name, at)).map(({ day }) => day);
    const lines = async (name?: string, at = now) =>
      (await listStatementLines({ database }, { practiceId: owner, month: name }, at)).map(
        ({ bookingId }) => bookingId,
      );
    return { owner, booked, daysOf, days, lines };
  }

  it('has all days of its month and no other, in the time zone of the practice', async () => {
    const { booked, days, lines } = await aBookedPractice({ timeZone: 'America/New_York' });
    await booked('before', '2026-11-01T03:59:59.999Z');
    await booked('first', '2026-11-01T04:00:00.000Z');
    await booked('last', '2026-12-01T04:59:59.999Z');
    await booked('after', '2026-12-01T05:00:00.000Z');
    expect(await days('2026-11')).toEqual(['2026-11-01', '2026-11-30']);
    expect(await lines('2026-11')).toEqual(['first', 'last']);
    expect(await lines('2026-10')).toEqual(['before']);
    expect(await lines('2026-12')).toEqual(['after']);
  });

  it('is of the month that it is for the practice, unless one is chosen', async () => {
    const { owner, booked, days, lines } = await aBookedPractice({ timeZone: 'America/New_York' });
    await booked('october', '2026-10-20T12:00:00.000Z');
    await booked('november', '2026-11-20T12:00:00.000Z');
    const atMidnight = Date.parse('2026-11-01T03:30:00.000Z');
    expect([await days(undefined, atMidnight), await lines(undefined, atMidnight)]).toEqual([
      ['2026-10-20'],
      ['october'],
    ]);
    expect(await lines(undefined, now)).toEqual(['november']);
    const { month: chosen } = await getStatement({ database }, { practiceId: owner, month: '2026-10' }, now);
    expect(chosen).toBe('2026-10');
  });

  it('lists what is settled, in the order of its times, with the payout that brought it or that it is about', async () => {
    const { owner, booked } = await aBookedPractice();
    await booked('late', '2026-11-03T12:00:00.000Z');
    await booked('paid', '2026-11-02T12:00:00.000Z', { paidAt: '2026-11-09T12:00:00.000Z' });
    await booked('open', '2026-11-04T12:00:00.000Z', { category: 'processing' });
    await booked('payout', '2026-11-05T12:00:00.000Z', { category: 'payout', sourcePayoutId: 'po_1' });
    await booked('twin', '2026-11-05T12:00:00.000Z', { payoutId: 'po_2' });
    const lines = await listStatementLines({ database }, { practiceId: owner, month: '2026-11' }, now);
    expect(lines.map(({ bookingId, payoutId }) => [bookingId, payoutId])).toEqual([
      ['late', undefined],
      ['payout', 'po_1'],
      ['twin', 'po_2'],
      ['paid', undefined],
    ]);
    for (const line of lines) expect(line).not.toHaveProperty('sessionId');
  });

  it("has the balance of the practice's account, and none without an account", async () => {
    const balance = { availableCents: 5, at: '2026-11-20T09:00:00.000Z' };
    await saveReconciliation(database, { account, balance });
    for (const [depositAccountId, shown] of [
      [account, balance],
      ['acct_unread', undefined],
      [undefined, undefined],
    ] as const) {
      const { owner } = await aBookedPractice({ depositAccountId });
      expect((await getStatement({ database }, { practiceId: owner, month: '2026-11' }, now)).balance).toEqual(shown);
    }
  });

  it('adds up a payout whose bookings are up to 35 days older, and looks back further only for one that does not', async () => {
    const { owner, booked } = await aBookedPractice();
    const createdAt = '2026-11-01T12:00:00.000Z';
    await putPayout(database, {
      practiceId: owner,
      payoutId: 'po_1',
      payoutKey: bookingKey(createdAt, 'po_1'),
      createdAt,
      arrivesOn: '2026-11-03',
      amountCents: 198,
      status: 'paid',
      itemized: true,
    });
    const read = async () => {
      const { database: counted, requests } = countRequests(database);
      const { payouts } = await getStatement({ database: counted }, { practiceId: owner, month: '2026-11' }, now);
      return [payouts.map(({ addsUp }) => addsUp), requests()['bookings']];
    };
    // A year is a bit more than ten times 35 days.
    expect(await read()).toEqual([[false], 1 + 10]);
    await booked('near', '2026-09-28T12:00:00.000Z', { payoutId: 'po_1' });
    await booked('far', '2025-12-01T12:00:00.000Z', { payoutId: 'po_1' });
    expect(await read()).toEqual([[true], 1 + 9]);
  });

  it('follows a failed payout of its last moment, which is on the next day in UTC', async () => {
    const { booked, daysOf, owner } = await aBookedPractice({ timeZone: 'America/Los_Angeles' });
    await booked('last', '2026-06-01T06:59:59.000Z', { payoutId: 'po_1' });
    const failed = { category: 'payout_reversal', sourcePayoutId: 'po_1', payoutId: 'po_2' } as const;
    await booked('back', '2026-10-24T12:00:00.000Z', failed);
    for (const [payoutId, createdAt, status] of [
      ['po_1', '2026-10-20T12:00:00.000Z', 'failed'],
      ['po_2', '2026-10-30T12:00:00.000Z', 'paid'],
    ] as const)
      await payOut(payoutId, createdAt, status, owner);
    expect(await daysOf('2026-05')).toMatchObject([
      { day: '2026-05-31', grossCents: 100, inTransitCents: 0, payoutIds: ['po_2'], failedPayoutIds: ['po_1'] },
    ]);
  });
});
