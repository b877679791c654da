import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { day, hour, toIso } from '../../functions/domain/time.ts';
import { bookingKey, type Booking, type Payout } from '../../functions/domain/payments/booking.ts';
import type { Session } from '../../functions/domain/sessions/session.ts';
import { findPayoutOfSession, listPayouts, openPayout } from '../../functions/payments/payouts.ts';
import { insertBooking, putPayout, readPayoutPage } from '../../functions/store/payments/bookings.ts';
import { insert } from '../../functions/store/rows.ts';
import { storeSession } from '../support/create-practice.ts';
import { aPractice } from '../support/examples.ts';
import { problemOf } from '../support/problems.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables('live');
const submittedAt = '2026-11-02T12:00:00.000Z';
const settledAt = '2026-11-05T12:00:00.000Z';
const at = (time: string, milliseconds: number) => toIso(Date.parse(time) + milliseconds);

async function aPaidPractice() {
  const practiceId = `prc_${randomUUID()}`;
  await insert(database, 'practices', aPractice({ practiceId, timeZone: 'UTC' }), 'practiceId');
  const payOut = async (payoutId: string, createdAt: string, differences: Partial<Payout> = {}) => {
    const payoutKey = bookingKey(createdAt, payoutId);
    const known = { payoutKey, payoutId, createdAt, arrivesOn: '2026-11-10', amountCents: 18_104 } as const;
    await putPayout(database, { practiceId, ...known, status: 'paid', itemized: true, ...differences });
  };
  const book = (id: string, bookedAt: string, differences: Partial<Booking> = {}) =>
    insertBooking(database, {
      practiceId,
      bookingId: bookingKey(bookedAt, id),
      bookedAt,
      category: 'payment',
      amountCents: 18_250,
      feeCents: 146,
      netCents: 18_104,
      ...differences,
    });
  const pay = (differences: Partial<Session> = {}) =>
    storeSession(database, {
      practiceId,
      status: 'succeeded',
      sequence: 2,
      settledAt,
      debit: { debitId: 'debit_1', submittedAt },
      ...differences,
    });
  return { practiceId, payOut, book, pay };
}

it('a page whose cursor names a time before the list begins is empty', async () => {
  const { practiceId, payOut } = await aPaidPractice();
  await payOut('po_1', '2026-11-07T12:00:00.000Z');
  const page = { since: '2026-11-01', before: '2026-10-01', limit: 10 };
  expect(await readPayoutPage(database, practiceId, page)).toEqual([]);
});

describe('the payout of a payment', () => {
  const find = async (practiceId: string, { sessionId }: Session): Promise<string | undefined> =>
    (await findPayoutOfSession({ database }, { practiceId, sessionId }))?.payoutId;

  it.each([
    ['an hour before its debit was submitted', at(submittedAt, -hour)],
    ['a day after it was paid', at(settledAt, day - 1)],
  ])('is found if it was booked %s', async (_, bookedAt) => {
    const { practiceId, payOut, book, pay } = await aPaidPractice();
    const session = await pay();
    await payOut('po_1', '2026-11-07T12:00:00.000Z');
    await book('txn_1', bookedAt, { sessionId: session.sessionId, payoutId: 'po_1' });
    expect(await find(practiceId, session)).toBe('po_1');
  });

  it('is not the payout of another payment, nor that of its refund', async () => {
    const { practiceId, payOut, book, pay } = await aPaidPractice();
    const [session, other] = [await pay(), await pay()];
    await payOut('po_1', '2026-11-07T12:00:00.000Z');
    await book('txn_1', submittedAt, { sessionId: session.sessionId, payoutId: 'po_1', category: 'refund' });
    await book('txn_2', submittedAt, { sessionId: other.sessionId, payoutId: 'po_1' });
    await book('txn_3', submittedAt, { sessionId: session.sessionId });
    expect(await find(practiceId, session)).toBeUndefined();
    expect(await find(practiceId, other)).toBe('po_1');
  });

  it.each<[string, Partial<Session>]>([
    ['that has not settled', { status: 'processing', settledAt: undefined }],
    ['without a debit', { debit: undefined }],
  ])('is unknown for one %s', async (_, differences) => {
    const { practiceId, book, pay } = await aPaidPractice();
    const session = await pay(differences);
    await book('txn_1', submittedAt, { sessionId: session.sessionId, payoutId: 'po_1' });
    expect(await find(practiceId, session)).toBeUndefined();
  });

  it('is refused for a session that does not exist', async () => {
    const { practiceId } = await aPaidPractice();
    const finding = findPayoutOfSession({ database }, { practiceId, sessionId: 'ses_none' });
    expect(await problemOf(finding)).toMatchObject({ code: 'session_not_found' });
  });
});

describe('the list of payouts', () => {
  it('has the newest first, page by page, and each once', async () => {
    const { practiceId, payOut } = await aPaidPractice();
    for (const number of [1, 2, 3, 4, 5]) await payOut(`po_${number}`, `2026-11-0${number}T12:00:00.000Z`);
    const list = async (limit: number, cursor?: string, since?: string) =>
      listPayouts({ database }, { practiceId, limit, cursor, since });
    const idsOf = ({ payouts }: Awaited<ReturnType<typeof listPayouts>>) => payouts.map(({ payoutId }) => payoutId);
    const first = await list(3);
    expect(idsOf(first)).toEqual(['po_5', 'po_4', 'po_3']);
    const second = await list(3, first.nextCursor ?? '');
    expect([idsOf(second), second.nextCursor]).toEqual([['po_2', 'po_1'], null]);
    expect((await list(5)).nextCursor, 'that ends with its last').toBeNull();

    const since = '2026-11-02T12:00:00.000Z';
    const newer = await list(3, undefined, since);
    expect(idsOf(newer)).toEqual(['po_5', 'po_4', 'po_3']);
    const oldest = await list(1, newer.nextCursor ?? '', since);
    expect([idsOf(oldest), oldest.nextCursor]).toEqual([['po_2'], null]);
    expect(idsOf(await list(3, undefined, '2026-11-06T00:00:00.000Z'))).toEqual([]);
  });

  it('refuses a cursor from another list', async () => {
    const { practiceId, payOut } = await aPaidPractice();
    for (const number of [1, 2]) await payOut(`po_${number}`, `2026-11-0${number}T12:00:00.000Z`);
    const { nextCursor } = await listPayouts(
      { database },
      { practiceId, limit: 1, cursor: undefined, since: undefined },
    );
    const cursor = nextCursor ?? '';
    for (const other of [
      { practiceId: 'prc_other', cursor, since: undefined },
      { practiceId, cursor, since: '2026-11-01' },
      { practiceId, cursor: `${cursor}x`, since: undefined },
    ])
      expect(await problemOf(listPayouts({ database }, { limit: 1, ...other }))).toMatchObject({
        code: 'invalid_cursor',
      });
  });
});

it('a payout is opened by its own ID, not by that of another on the same day', async () => {
  const { practiceId, payOut, book } = await aPaidPractice();
  for (const [id, createdAt] of [
    ['po_1', '2026-11-07T12:00:00.000Z'],
    ['po_2', '2026-11-07T13:00:00.000Z'],
  ] as const) {
    await payOut(id, createdAt);
    await book(`txn_${id}`, '2026-11-06T12:00:00.000Z', { payoutId: id });
  }
  for (const payoutId of ['po_1', 'po_2']) {
    const { payout, lines, createdAt } = await openPayout(
      { database },
      { practiceId, payoutId },
      Date.parse(settledAt),
    );
    expect(payout.payoutId).toBe(payoutId);
    expect(lines.map(({ bookingId }) => bookingId)).toEqual([`txn_${payoutId}`]);
    expect(createdAt).toBe(payoutId === 'po_1' ? '2026-11-07T12:00:00.000Z' : '2026-11-07T13:00:00.000Z');
  }
  const opening = openPayout({ database }, { practiceId, payoutId: 'po_3' }, Date.parse(settledAt));
  expect(await problemOf(opening)).toMatchObject({ code: 'payout_not_found' });
});
