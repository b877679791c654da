import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bookingKey, type Booking, type Payout, type Reconciliation } from '../../functions/domain/payments/booking.ts';
import { day, minute, second, toIso } from '../../functions/domain/time.ts';
import type { Ticket } from '../../functions/messages/queues.ts';
import { dailyProgress } from '../../functions/payments/catch-up.ts';
import { readBooks, readDisputes } from '../../functions/payments/read-books.ts';
import type { FoundBooking, ListPage, ProcessorBooks } from '../../functions/processors/processor.ts';
import {
  insertBooking,
  listBookings,
  listPayoutsInPeriod,
  readReconciliations,
} from '../../functions/store/payments/bookings.ts';
import { storeSession } from '../support/create-practice.ts';
import { startTestTables } from '../support/tables.ts';

const { database } = await startTestTables('live');
const now = Date.parse('2026-11-20T10:00:00.000Z');
const until = toIso(now);
const everything = { from: '0', to: '~' };
const bookedAt = toIso(now - 2 * day);

function found(id: string, differences: Partial<FoundBooking> = {}): FoundBooking {
  const at = differences.bookedAt ?? bookedAt;
  const amounts = { amountCents: 100, feeCents: 1, netCents: 99 };
  return { bookingId: bookingKey(at, id), bookedAt: at, category: 'payment', ...amounts, ...differences };
}

/** A processor with these pages, which records every request. */
function aProcessor(lists: {
  bookings?: readonly (readonly FoundBooking[])[];
  payouts?: readonly (readonly Omit<Payout, 'practiceId'>[])[];
  disputes?: readonly (readonly string[])[];
  inPayout?: readonly FoundBooking[];
}) {
  const asked: [string, unknown][] = [];
  const tickets: Ticket[] = [];
  const practiceId = `prc_${randomUUID()}`;
  const account = `acct_${practiceId}`;
  const page = <Row>(list: string, rows: readonly (readonly Row[])[] = [], at: ListPage) => {
    asked.push([list, at]);
    const index = Number(at.after ?? 0);
    return { rows: rows[index] ?? [], after: index + 1 < rows.length ? String(index + 1) : undefined };
  };
  const books: ProcessorBooks = {
    async listBookings(_, at) {
      const { rows, after } = page('bookings', lists.bookings, at);
      return { bookings: rows, after };
    },
    async listPayouts(_, at) {
      const { rows, after } = page('payouts', lists.payouts, at);
      return { payouts: rows, after };
    },
    async listDisputes(_, at) {
      const { rows, after } = page('disputes', lists.disputes, at);
      return { sessionIds: rows, after };
    },
    async listPayoutBookings(_, payoutId) {
      asked.push(['in payout', payoutId]);
      return { bookings: lists.inPayout ?? [], after: undefined };
    },
    readBalance: () => expect.fail('nobody asks'),
  };
  const tools = {
    database,
    clock: () => now,
    books,
    sendSettlements: async (sent: readonly Ticket[]) => void tickets.push(...sent),
  };
  const limits = { until, deadline: Infinity, ticketInterval: 50 };
  return {
    practiceId,
    account,
    asked,
    tickets,
    read: (of: Partial<Reconciliation> = {}, at: Partial<typeof limits> = {}) =>
      readBooks(tools, { account, practiceId, ...of }, { ...limits, ...at }),
    disputes: (of: Partial<Reconciliation> = {}) => readDisputes(tools, { account, practiceId, ...of }, limits),
    row: async () => (await readReconciliations(database)).find((each) => each.account === account),
    stored: async () => listBookings(database, practiceId, everything),
  };
}

const ids = (rows: readonly Pick<Booking, 'bookingId'>[]) => rows.map(({ bookingId }) => bookingId.split('#')[1]);

describe('a list that is read once a day', () => {
  it.each([
    ['is first read for 35 days', undefined, { from: toIso(now - 35 * day) }],
    ['is read again after a day', { from: toIso(now - day) }, { from: toIso(now - day) }],
    ['is not read again within a day', { from: toIso(now - day + 1) }, undefined],
    [
      'goes on at once where it stopped on a page',
      { from: toIso(now - 1), to: until, after: 'a' },
      { from: toIso(now - 1), to: until, after: 'a' },
    ],
  ])('%s', (_, progress, next) => {
    expect(dailyProgress(progress, until)).toEqual(next);
  });
});

describe('reading the bookings of an account', () => {
  it('looks up each of its debits once a page, a minute later and fifty milliseconds apart', async () => {
    const [one, two, three] = ['ses_1', 'ses_2', 'ses_3'];
    const books = aProcessor({
      bookings: [
        [found('a', { sessionId: one }), found('b', { sessionId: one }), found('c', { sessionId: two }), found('d')],
        [found('e', { sessionId: three })],
      ],
    });
    expect(await books.read()).toBe(true);
    expect(books.tickets).toEqual([
      { body: { sessionId: one, comparison: 'last' }, delay: minute },
      { body: { sessionId: two, comparison: 'last' }, delay: minute + 50 },
      // After the four bookings of the first page.
      { body: { sessionId: three, comparison: 'last' }, delay: minute + 200 },
    ]);
    expect(ids(await books.stored())).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await books.row()).toMatchObject({ bookings: { from: until }, payouts: { from: until } });
  });

  it('of no practice stores no booking and asks for no payouts, but looks up the debits', async () => {
    const books = aProcessor({ bookings: [[found('a', { sessionId: 'ses_1' })]] });
    expect(await books.read({ practiceId: undefined })).toBe(false);
    expect(books.asked.map(([list]) => list)).toEqual(['bookings']);
    expect(books.tickets).toHaveLength(1);
    expect(await books.stored()).toEqual([]);
  });

  it('remembers when a payment was paid, but not for other bookings', async () => {
    const settledAt = toIso(now - day);
    const { sessionId } = await storeSession(database, { status: 'succeeded', sequence: 2, settledAt });
    const unpaid = await storeSession(database, { status: 'processing', sequence: 1 });
    const books = aProcessor({
      bookings: [
        [
          found('a', { sessionId }),
          found('b', { sessionId, category: 'refund' }),
          found('c', { sessionId: unpaid.sessionId }),
          found('d'),
        ],
      ],
    });
    await books.read();
    expect((await books.stored()).map(({ paidAt }) => paidAt)).toEqual([settledAt, undefined, undefined, undefined]);
  });

  it('reads no payouts while its bookings are not read', async () => {
    const books = aProcessor({ bookings: [[found('a')]] });
    expect(await books.read({}, { deadline: now })).toBe(false);
    expect(books.asked).toEqual([]);
    expect(await books.row()).toBeUndefined();
  });
});

describe('a debit that was processing', () => {
  const open = found('open', { category: 'processing' });
  const later = found('second', { category: 'processing', bookedAt: toIso(now - day - minute) });

  it('becomes what the processor says, with what is booked from the first to the last of them', async () => {
    const books = aProcessor({
      bookings: [[{ ...open, category: 'payment' }, later, found('other', { category: 'failure' })]],
    });
    for (const each of [open, later]) await insertBooking(database, { practiceId: books.practiceId, ...each });
    await books.read({ bookings: { from: until } }, {});
    expect(
      books.asked.filter(([list]) => list === 'bookings'),
      'the day is not over',
    ).toEqual([]);
    const from = toIso(now - day);
    await books.read({ bookings: { from } });
    const [followed] = books.asked.filter(([list]) => list === 'bookings');
    expect(followed?.[1]).toMatchObject({ from: bookedAt, to: toIso(now - day - minute + second) });
    const categories = new Map((await books.stored()).map((each) => [ids([each])[0], each.category]));
    expect(categories.get('open')).toBe('payment');
    expect(categories.get('second')).toBe('processing');
  });

  it('is not followed once a payout includes it, nor after 35 days', async () => {
    const books = aProcessor({});
    const { practiceId } = books;
    const old = found('old', { category: 'processing', bookedAt: toIso(now - 35 * day - 1) });
    await insertBooking(database, { practiceId, ...old });
    await insertBooking(database, { practiceId, ...open, payoutId: 'po_1' });
    await insertBooking(database, { practiceId, ...found('paid') });
    await books.read();
    expect(books.asked.filter(([list]) => list === 'bookings')).toHaveLength(1);
  });

  it('keeps the payout that a booking names, whatever is read of it later', async () => {
    const books = aProcessor({ bookings: [[{ ...open, category: 'failure' }, found('paid', { amountCents: 5 })]] });
    const { practiceId } = books;
    await insertBooking(database, { practiceId, ...open, payoutId: 'po_1' });
    await insertBooking(database, { practiceId, ...found('paid') });
    await books.read();
    const stored = await books.stored();
    expect(stored.map(({ category, payoutId, amountCents }) => [category, payoutId, amountCents])).toEqual([
      ['processing', 'po_1', 100],
      ['payment', undefined, 100],
    ]);
  });
});

describe('reading the payouts of an account', () => {
  const payout = (payoutId: string, itemized: boolean, status: Payout['status'] = 'paid') => {
    const createdAt = toIso(now - day);
    const key = { payoutId, payoutKey: bookingKey(createdAt, payoutId), createdAt };
    return { ...key, arrivesOn: '2026-11-21', amountCents: 99, status, itemized };
  };

  it('lists what is in each once, as soon as the processor can tell', async () => {
    const lists = { payouts: [[payout('po_1', true)], [payout('po_2', false)]], inPayout: [found('a')] };
    const books = aProcessor(lists);
    await books.read();
    expect(books.asked.filter(([list]) => list !== 'bookings')).toEqual([
      ['payouts', { from: toIso(now - 35 * day), to: until, after: undefined }],
      ['in payout', 'po_1'],
      ['payouts', { from: toIso(now - 35 * day), to: until, after: '1' }],
    ]);
    expect((await books.stored()).map(({ payoutId }) => payoutId)).toEqual(['po_1']);
    books.asked.length = 0;
    lists.payouts[1] = [payout('po_2', true, 'failed')];
    await books.read();
    expect(books.asked.filter(([list]) => list === 'in payout')).toEqual([['in payout', 'po_2']]);
    const stored = await listPayoutsInPeriod(database, books.practiceId, everything);
    expect(stored.map(({ payoutId, status }) => [payoutId, status])).toEqual([
      ['po_1', 'paid'],
      ['po_2', 'failed'],
    ]);
  });

  it('is not repeated within a day', async () => {
    const books = aProcessor({});
    expect(await books.read({ payouts: { from: toIso(now - day + 1) } })).toBe(false);
    expect(books.asked.map(([list]) => list)).toEqual(['bookings']);
  });
});

it('new disputes are looked up once a day, a minute later and fifty milliseconds apart', async () => {
  const books = aProcessor({ disputes: [['ses_1', 'ses_2'], ['ses_3']] });
  await books.disputes();
  expect(books.tickets.map(({ delay }) => delay)).toEqual([minute, minute + 50, minute + 100]);
  expect(await books.row()).toMatchObject({ disputes: { from: until } });
  await books.disputes({ disputes: { from: until } });
  expect(books.tickets).toHaveLength(3);
});
