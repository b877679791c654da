import type * as z from 'zod/mini';
import type { statement } from '../contract/payments/dashboard-payouts.ts';
import { type Booking, type Payout, timeOf } from '../domain/payments/booking.ts';
import { statementOf, withoutFailures, isProcessing } from '../domain/payments/statement.ts';
import { pick } from '../domain/collections.ts';
import { daysIn, daysUntil, day, toIso } from '../domain/time.ts';
import { readReturnRates } from './return-rates.ts';
import { getReconciliation, listBookings, listPayoutsInPeriod } from '../store/payments/bookings.ts';
import type { Database, ReadingTools } from '../store/database.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import type { PayoutLine } from '../contract/payments/payouts.ts';
import { receiptNumberOf } from '../domain/sessions/session.ts';
import { getSessions } from '../store/sessions/sessions.ts';

/** The usual longest time between a booking and the payout that includes it. */
const reach = 35 * day;
/** The processor can pause payouts. The first one afterward includes everything since. */
const longestPause = 365 * day;

/** Reads what a statement of these days needs: the bookings on them, and those in the payouts made on them. */
export async function readStatement(
  { database }: ReadingTools,
  practiceId: string,
  { days, dayOf }: { readonly days: readonly string[]; readonly dayOf: (time: number) => string },
  now: number,
) {
  const start = Date.parse(days[0] ?? '');
  const end = Date.parse(days.at(-1) ?? '') + 2 * day;
  const read = (from: number, to: number) => listBookings(database, practiceId, { from: toIso(from), to: toIso(to) });
  const [bookings, payouts] = await Promise.all([
    read(start - reach, end + reach),
    listPayoutsInPeriod(database, practiceId, { from: toIso(start - reach), to: toIso(Math.max(end + reach, now)) }),
  ]);
  const paidOutAt = lastPayoutOf(bookings, payouts, toIso(end));
  if (paidOutAt > end + reach) bookings.push(...(await read(end + reach, paidOutAt + reach)));
  let shown = statementOf({ bookings, payouts }, days, dayOf);
  const lacksBookings = () => shown.payouts.some(({ addsUp }) => addsUp === false);
  for (let from = start - reach; from > start - longestPause && lacksBookings(); from -= reach) {
    bookings.unshift(...(await read(from - reach, from)));
    shown = statementOf({ bookings, payouts }, days, dayOf);
  }
  return { ...shown, bookings };
}

interface MonthInput {
  readonly practiceId: string;
  /** Like 2026-11. Defaults to the current month. */
  readonly month: string | undefined;
}

export async function getStatement(
  { database }: ReadingTools,
  input: MonthInput,
  now: number,
): Promise<z.input<typeof statement>> {
  const { practiceId } = input;
  const { timeZone, account, month, span } = await readMonth(database, input, now);
  const [{ days, payouts }, returnRates, found] = await Promise.all([
    readStatement({ database }, practiceId, span, now),
    readReturnRates({ database }, practiceId, now),
    account === undefined ? undefined : getReconciliation(database, account),
  ]);
  return { timeZone, month, days, payouts, returnRates, balance: found?.balance };
}

/** The operator's fee for the month, less what refunds returned. */
export async function getApplicationFee({ database }: ReadingTools, input: MonthInput, now: number): Promise<number> {
  const { span } = await readMonth(database, input, now);
  const { days } = await readStatement({ database }, input.practiceId, span, now);
  return days.reduce((sum, { applicationFeeCents }) => sum + applicationFeeCents, 0);
}

async function readMonth(database: Database, { practiceId, month: chosen }: MonthInput, now: number) {
  const { timeZone, depositAccountId: account } = await getExistingPractice(database, practiceId);
  const dayOf = daysIn(timeZone);
  const month = chosen ?? dayOf(now).slice(0, 7);
  return { timeZone, account, month, span: { days: daysOfMonth(month), dayOf } };
}

/** When the latest payout that includes a booking from before `end` was created. 0 if there is none. */
function lastPayoutOf(bookings: readonly Booking[], payouts: readonly Payout[], end: string): number {
  const ids = new Set(bookings.flatMap(({ bookedAt, payoutId }) => (bookedAt < end ? (payoutId ?? []) : [])));
  return Math.max(0, ...payouts.flatMap(({ payoutId, createdAt }) => (ids.has(payoutId) ? Date.parse(createdAt) : [])));
}

/** Like 2026-11-01, …, 2026-11-30. */
function daysOfMonth(month: string): string[] {
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0));
  return daysUntil(toIso(lastDay.getTime()).slice(0, 10), lastDay.getUTCDate());
}

/** The lines that a month's statement adds up, oldest first. */
export async function listStatementLines(
  { database }: ReadingTools,
  input: MonthInput,
  now: number,
): Promise<PayoutLine[]> {
  const { span } = await readMonth(database, input, now);
  const { days, dayOf } = span;
  const { bookings } = await readStatement({ database }, input.practiceId, span, now);
  const settled = withoutFailures(bookings).filter((each) => !isProcessing(each));
  return linesOf(
    { database },
    settled.filter((each) => days.includes(dayOf(Date.parse(timeOf(each))))),
  );
}

/** Adds the invoice and receipt number of each booking's session. Oldest first. */
export async function linesOf({ database }: ReadingTools, bookings: readonly Booking[]): Promise<PayoutLine[]> {
  const ids = bookings.flatMap(({ sessionId }) => sessionId ?? []);
  const sessions = await getSessions(database, [...new Set(ids)], { consistent: false });
  const known = new Map(sessions.map((session) => [session.sessionId, session]));
  const lines = bookings.map((booking) => {
    const { category, sessionId, sourcePayoutId, payoutId = sourcePayoutId } = booking;
    const session = known.get(sessionId ?? '');
    return {
      at: timeOf(booking),
      category,
      ...(session && { sessionId, invoiceId: session.invoiceId, receiptNumber: receiptNumberOf(session) }),
      ...pick(booking, ['amountCents', 'feeCents', 'applicationFeeCents', 'netCents']),
      payoutId,
      bookingId: booking.bookingId.slice(booking.bookingId.indexOf('#') + 1),
    };
  });
  return lines.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
