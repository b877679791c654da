import type * as z from 'zod/mini';
import type { statement } from '../contract/dashboard-api/get-statement.ts';
import { statementOf } from '../domain/statement.ts';
import { daysIn, daysUntil } from '../domain/time-zone.ts';
import { day, toIso } from '../domain/time.ts';
import { readReturnRates } from '../payments/return-rates.ts';
import { listBookings, listPayouts } from '../store/bookings.ts';
import type { Database } from '../store/database.ts';
import { getExistingPractice } from '../store/practices.ts';

interface StatementTools {
  readonly database: Database<'practices' | 'bookings' | 'payouts' | 'sessions'>;
}

/** The longest time between a booking and the payout that includes it. */
const reach = 35 * day;

export async function getStatement(
  { database }: StatementTools,
  { practiceId, month: chosen }: { readonly practiceId: string; readonly month: string | undefined },
  now: number,
): Promise<z.input<typeof statement>> {
  const { timeZone } = await getExistingPractice(database, practiceId);
  const dayOf = daysIn(timeZone);
  const month = chosen ?? dayOf(now).slice(0, 7);
  const days = daysOfMonth(month);
  const start = Date.parse(`${month}-01`);
  const from = toIso(start - reach);
  const to = toIso(start + 32 * day + reach);
  const [bookings, payouts, returnRates] = await Promise.all([
    listBookings(database, practiceId, { from, to }),
    listPayouts(database, practiceId, { from, to }),
    readReturnRates({ database }, practiceId, now),
  ]);
  return { timeZone, month, ...statementOf({ bookings, payouts }, days, dayOf), returnRates };
}

function daysOfMonth(month: string): string[] {
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0));
  return daysUntil(toIso(lastDay.getTime()).slice(0, 10), lastDay.getUTCDate());
}
