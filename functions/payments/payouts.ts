import type * as z from 'zod/mini';
import type { practicePayoutRoutes } from '../contract/payments/payouts.ts';
import type { OpenedPayout } from '../contract/payments/dashboard-payouts.ts';
import { Problem } from '../contract/problem.ts';
import type { Payout } from '../domain/payments/booking.ts';
import { partsOf } from '../domain/payments/statement.ts';
import { day, daysIn, hour, toIso } from '../domain/time.ts';
import { positionOfCursor, cursorAtPosition } from '../domain/cursor.ts';
import { findPayout, listBookings, readPayoutPage } from '../store/payments/bookings.ts';
import type { ReadingTools } from '../store/database.ts';
import { getExistingPractice } from '../store/practices/practices.ts';
import { getSession } from '../store/sessions/sessions.ts';
import { linesOf, readStatement } from './statement.ts';

/** Throws a Problem if the practice has no such payout. */
export async function openPayout(
  { database }: ReadingTools,
  { practiceId, payoutId }: { readonly practiceId: string; readonly payoutId: string },
  now: number,
): Promise<OpenedPayout & Pick<Payout, 'createdAt'>> {
  const { timeZone } = await getExistingPractice(database, practiceId);
  const dayOf = daysIn(timeZone);
  const known = await findPayout(database, practiceId, payoutId);
  const read = known && { days: [dayOf(Date.parse(known.createdAt))], dayOf };
  const { payouts = [], bookings = [] } = read ? await readStatement({ database }, practiceId, read, now) : {};
  const payout = payouts.find((each) => each.payoutId === payoutId);
  if (!known || !payout) throw new Problem('payout_not_found', 'Check the payout id.');
  return { createdAt: known.createdAt, payout, lines: await linesOf({ database }, partsOf(bookings, payoutId)) };
}

interface ListInput extends z.output<typeof practicePayoutRoutes.listPayouts.query> {
  readonly practiceId: string;
}

/** Newest first. Throws a Problem for a cursor from another list. */
export async function listPayouts(
  { database }: ReadingTools,
  { practiceId, since = '', limit, cursor }: ListInput,
): Promise<{ payouts: readonly Payout[]; nextCursor: string | null }> {
  const before = cursor === undefined ? undefined : positionOfCursor(cursor, [practiceId, since]);
  if (cursor !== undefined && before === undefined) throw new Problem('invalid_cursor', 'Start without a cursor.');
  const found = await readPayoutPage(database, practiceId, { since, before, limit: limit + 1 });
  const payouts = found.slice(0, limit);
  const last = found.length > limit ? payouts.at(-1) : undefined;
  return { payouts, nextCursor: last ? cursorAtPosition(last.payoutKey, [practiceId, since]) : null };
}

/** The payout that includes the payment. Undefined until one does. Throws a Problem if it is another practice's session. */
export async function findPayoutOfSession(
  { database }: ReadingTools,
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
