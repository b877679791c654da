import type { Booking, Progress, Reconciliation } from '../domain/payments/booking.ts';
import { pagesOf } from '../domain/collections.ts';
import { minute, second, toIso, type Clock } from '../domain/time.ts';
import { logInfo } from '../log.ts';
import type { SendTickets, Ticket } from '../messages/queues.ts';
import type { FoundBooking, ProcessorBooks } from '../processors/processor.ts';
import {
  insertBooking,
  listBookings,
  listPayoutsInPeriod,
  putBookingOfPayout,
  putPayout,
  saveReconciliation,
} from '../store/payments/bookings.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { getSessions } from '../store/sessions/sessions.ts';
import { catchUp, dailyProgress, firstPeriod } from './catch-up.ts';

export interface BookTools extends ReadingTools {
  readonly clock: Clock;
  readonly books: ProcessorBooks;
  readonly sendSettlements: SendTickets;
}

export interface BookLimits {
  readonly until: string;
  readonly deadline: number;
  /** Milliseconds between look-ups. */
  readonly ticketInterval: number;
}

/** Lets the tickets of repaired notifications go first. */
const firstDelay = minute;

/**
 * Once a day, stores what changed an account's balance and what was paid out. Looks up the debit of each booking, which
 * finds a return, or money for an ended session, that no notification reported. True on the run that completes the
 * day's reading.
 */
export async function readBooks(
  tools: BookTools,
  reconciliation: Reconciliation,
  limits: BookLimits,
): Promise<boolean> {
  const { until } = limits;
  const { account, practiceId, bookings, payouts } = reconciliation;
  const progress = dailyProgress(bookings, until);
  if (progress) {
    if (practiceId !== undefined) await followProcessing(tools, { account, practiceId }, until);
    if (!(await readBookings(tools, { account, practiceId, bookings: progress }, limits))) return false;
  }
  // Separate from the bookings, so that payouts that could not be read are retried after an hour, not a day.
  if (practiceId === undefined || !dailyProgress(payouts, until)) return false;
  await readPayouts(tools, { account, practiceId }, until);
  await saveReconciliation(tools.database, { account, practiceId, payouts: { from: until } });
  return true;
}

/** True if every booking was read. */
async function readBookings(
  { database, clock, books, sendSettlements }: BookTools,
  { account, practiceId, bookings: progress }: Reconciliation & { readonly bookings: Progress },
  { until, deadline, ticketInterval }: BookLimits,
): Promise<boolean> {
  let count = 0;
  const left = await catchUp(
    progress,
    { until, clock, deadline },
    async (page) => {
      const { bookings, after } = await books.listBookings(account, page);
      const sessionIds = new Set(bookings.flatMap(({ sessionId }) => sessionId ?? []));
      await sendSettlements(lookUps([...sessionIds], count, ticketInterval));
      if (practiceId !== undefined)
        for (const each of await withTimes(database, bookings)) await insertBooking(database, { practiceId, ...each });
      count += bookings.length;
      return after;
    },
    (bookings) => saveReconciliation(database, { account, practiceId, bookings }),
  );
  logInfo('balance read', { account, bookings: count });
  return left.from >= until;
}

/** Rereads the bookings since the oldest debit that was not settled, to find out which debits are settled now. */
async function followProcessing(
  { database, books }: BookTools,
  { account, practiceId }: { account: string; practiceId: string },
  until: string,
): Promise<void> {
  const period = { from: toIso(Date.parse(until) - firstPeriod), to: until };
  const known = await listBookings(database, practiceId, period);
  const open = known.filter(({ category, payoutId }) => category === 'processing' && payoutId === undefined);
  const [first, last] = [open[0], open.at(-1)];
  if (!first || !last) return;
  const ids = new Set(open.map(({ bookingId }) => bookingId));
  const followed = { from: first.bookedAt, to: toIso(Date.parse(last.bookedAt) + second) };
  for await (const { bookings } of pagesOf((after?: string) => books.listBookings(account, { ...followed, after }))) {
    const settled = bookings.filter(({ bookingId, category }) => ids.has(bookingId) && category !== 'processing');
    for (const each of await withTimes(database, settled)) await insertBooking(database, { practiceId, ...each });
  }
}

async function withTimes(
  database: Database,
  bookings: readonly FoundBooking[],
): Promise<(FoundBooking & Pick<Booking, 'paidAt'>)[]> {
  const ids = bookings.flatMap(({ category, sessionId }) => (category === 'payment' && sessionId) || []);
  const sessions = await getSessions(database, [...new Set(ids)], { consistent: false });
  const paid = new Map(sessions.map(({ sessionId, settledAt }) => [sessionId, settledAt]));
  return bookings.map((each) => {
    const paidAt = each.category === 'payment' ? paid.get(each.sessionId ?? '') : undefined;
    return { ...each, ...(paidAt !== undefined && { paidAt }) };
  });
}

/** Spreads the tickets over time, after the `count` that were sent before. */
function lookUps(sessionIds: readonly string[], count: number, ticketInterval: number): Ticket[] {
  return sessionIds.map((sessionId, index) => ({
    body: { sessionId, comparison: 'last' },
    delay: firstDelay + (count + index) * ticketInterval,
  }));
}

async function readPayouts(
  { database, books }: Pick<BookTools, 'database' | 'books'>,
  { account, practiceId }: { account: string; practiceId: string },
  to: string,
): Promise<void> {
  const from = toIso(Date.parse(to) - firstPeriod);
  const known = await listPayoutsInPeriod(database, practiceId, { from, to });
  const itemized = new Set(known.flatMap((each) => (each.itemized ? [each.payoutId] : [])));
  for await (const { payouts } of pagesOf((after?: string) => books.listPayouts(account, { from, to, after })))
    for (const payout of payouts) {
      if (payout.itemized && !itemized.has(payout.payoutId))
        await itemize({ database, books }, { account, practiceId }, payout.payoutId);
      await putPayout(database, { practiceId, ...payout });
    }
}

async function itemize(
  { database, books }: Pick<BookTools, 'database' | 'books'>,
  { account, practiceId }: { account: string; practiceId: string },
  payoutId: string,
): Promise<void> {
  for await (const { bookings } of pagesOf((after?: string) => books.listPayoutBookings(account, payoutId, after)))
    for (const each of await withTimes(database, bookings))
      await putBookingOfPayout(database, { practiceId, ...each, payoutId });
}

/** Once a day, looks up the debits of an account's new disputes. */
export async function readDisputes(
  { database, clock, books, sendSettlements }: Pick<BookTools, 'database' | 'clock' | 'books' | 'sendSettlements'>,
  { account, practiceId, disputes }: Reconciliation,
  { until, deadline, ticketInterval }: BookLimits,
): Promise<void> {
  const progress = dailyProgress(disputes, until);
  if (!progress) return;
  let count = 0;
  await catchUp(
    progress,
    { until, clock, deadline },
    async (page) => {
      const { sessionIds, after } = await books.listDisputes(account, page);
      await sendSettlements(lookUps(sessionIds, count, ticketInterval));
      count += sessionIds.length;
      return after;
    },
    (left) => saveReconciliation(database, { account, practiceId, disputes: left }),
  );
  logInfo('disputes read', { account, disputes: count });
}
