import type { PayoutLine } from '../contract/payments/payouts.ts';
import { timeOf, type Booking } from '../domain/payments/booking.ts';
import { withoutFailures } from '../domain/payments/failed-debits.ts';
import { isProcessing } from '../domain/payments/statement.ts';
import { receiptNumberOf } from '../domain/sessions/session.ts';
import { daysIn } from '../domain/time.ts';
import type { Database } from '../store/database.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { getSessions } from '../store/sessions/sessions.ts';
import { daysOfMonth, readStatement } from './statement.ts';

interface LineTools {
  readonly database: Database<'practices' | 'bookings' | 'payouts' | 'sessions'>;
}

/** What the statement of a month adds up, oldest first. */
export async function listStatementLines(
  { database }: LineTools,
  { practiceId, month: chosen }: { readonly practiceId: string; readonly month: string | undefined },
  now: number,
): Promise<PayoutLine[]> {
  const { timeZone } = await getExistingPractice(database, practiceId);
  const dayOf = daysIn(timeZone);
  const days = daysOfMonth(chosen ?? dayOf(now).slice(0, 7));
  const { bookings } = await readStatement({ database }, practiceId, { days, dayOf }, now);
  const settled = withoutFailures(bookings).filter((each) => !isProcessing(each));
  return linesOf(
    { database },
    settled.filter((each) => days.includes(dayOf(Date.parse(timeOf(each))))),
  );
}

/** Adds the invoice and the receipt's number of each booking's session. Oldest first. */
export async function linesOf(
  { database }: { readonly database: Database<'sessions'> },
  bookings: readonly Booking[],
): Promise<PayoutLine[]> {
  const ids = bookings.flatMap(({ sessionId }) => sessionId ?? []);
  const sessions = await getSessions(database, [...new Set(ids)], { consistent: false });
  const known = new Map(sessions.map((session) => [session.sessionId, session]));
  const lines = bookings.map((booking) => {
    const { category, sessionId, amountCents, feeCents, netCents, sourcePayoutId, payoutId = sourcePayoutId } = booking;
    const session = known.get(sessionId ?? '');
    return {
      at: timeOf(booking),
      category,
      ...(session && { sessionId, invoiceId: session.invoiceId, receiptNumber: receiptNumberOf(session) }),
      amountCents,
      feeCents,
      netCents,
      payoutId,
      bookingId: booking.bookingId.slice(booking.bookingId.indexOf('#') + 1),
    };
  });
  return lines.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}
