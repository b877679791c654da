import type { OpenedPayout } from '../contract/payments/dashboard-payouts.ts';
import type { Payout } from '../domain/payments/booking.ts';
import { partsOf } from '../domain/payments/statement.ts';
import { Problem } from '../contract/problem.ts';
import { daysIn } from '../domain/time-zone.ts';
import { day, hour, toIso } from '../domain/time.ts';
import { findPayout, listBookings } from '../store/payments/bookings.ts';
import type { Database } from '../store/database.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { getSession } from '../store/sessions/sessions.ts';
import { linesOf } from './statement-lines.ts';
import { readStatement } from './statement.ts';

interface PayoutTools {
  readonly database: Database<'practices' | 'bookings' | 'payouts' | 'sessions'>;
}

/** Throws a Problem if the practice has no such payout. */
export async function openPayout(
  { database }: PayoutTools,
  { practiceId, payoutId }: { readonly practiceId: string; readonly payoutId: string },
  now: number,
): Promise<OpenedPayout> {
  const { timeZone } = await getExistingPractice(database, practiceId);
  const dayOf = daysIn(timeZone);
  const known = await findPayout(database, practiceId, payoutId);
  const read = known && { days: [dayOf(Date.parse(known.createdAt))], dayOf };
  const { payouts = [], bookings = [] } = read ? await readStatement({ database }, practiceId, read, now) : {};
  const payout = payouts.find((each) => each.payoutId === payoutId);
  if (!payout) throw new Problem('payout_not_found', 'Check the payout id.');
  return { payout, lines: await linesOf({ database }, partsOf(bookings, payoutId)) };
}

/** The payout that includes the payment. Undefined until one does. Throws a Problem if it is another practice's session. */
export async function findPayoutOfSession(
  { database }: PayoutTools,
  { practiceId, sessionId }: { readonly practiceId: string; readonly sessionId: string },
): Promise<Payout | undefined> {
  const session = await getSession(database, sessionId);
  if (session?.practiceId !== practiceId) throw new Problem('session_not_found', 'Check the session id.');
  const { debit, settledAt } = session;
  if (!debit || settledAt === undefined) return undefined;
  // It is booked when the debit is made or, for a destination charge, when the bank has paid.
  const from = toIso(Date.parse(debit.submittedAt) - hour);
  const to = toIso(Date.parse(settledAt) + day);
  const bookings = await listBookings(database, practiceId, { from, to });
  const { payoutId } = bookings.find((each) => each.category === 'payment' && each.sessionId === sessionId) ?? {};
  return payoutId === undefined ? undefined : findPayout(database, practiceId, payoutId);
}
