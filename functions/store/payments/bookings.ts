import {
  booking,
  payout,
  type Booking,
  type Payout,
  reconciliation,
  type Reconciliation,
} from '../../domain/payments/booking.ts';
import { justBefore } from '../../domain/cursor.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { get, insert, queryAll, queryPage, queryPages, replace, scanAll, update } from '../rows.ts';

interface Period {
  readonly from: string;
  readonly to: string;
}

/** Replaces only the row of a debit that was processing: any other may name its payout. */
export async function insertBooking(database: Database, row: Booking): Promise<void> {
  const processing: Booking['category'] = 'processing';
  const outdated = expression`category = ${processing} AND attribute_not_exists(payoutId)`;
  await insert(database, 'bookings', row, 'bookingId', outdated);
}

/** Writes the booking with its payout, whether or not it exists. */
export async function putBookingOfPayout(database: Database, row: Booking & { readonly payoutId: string }) {
  await replace(database, 'bookings', row);
}

export async function putPayout(database: Database, row: Payout): Promise<void> {
  await replace(database, 'payouts', row);
}

export async function listBookings(database: Database, practiceId: string, { from, to }: Period) {
  const key = expression`practiceId = ${practiceId} AND bookingId BETWEEN ${from} AND ${to}`;
  return queryAll(database, 'bookings', { key }, booking);
}

export async function listPayoutsInPeriod(database: Database, practiceId: string, { from, to }: Period) {
  const key = expression`practiceId = ${practiceId} AND payoutKey BETWEEN ${from} AND ${to}`;
  return queryAll(database, 'payouts', { key }, payout);
}

/** Newest first. `before` is the key of the payout after which the page begins. */
export async function readPayoutPage(
  database: Database,
  practiceId: string,
  { since, before, limit }: { readonly since: string; readonly before: string | undefined; readonly limit: number },
): Promise<Payout[]> {
  const last = before === undefined ? '~' : justBefore(before);
  // Happens only with a cursor that we did not make. DynamoDB refuses such a range.
  if (since > last) return [];
  const key = expression`practiceId = ${practiceId} AND payoutKey BETWEEN ${since || '0'} AND ${last}`;
  return (await queryPage(database, 'payouts', { key, newestFirst: true, limit }, payout)).rows;
}

export async function findPayout(
  database: Database,
  practiceId: string,
  payoutId: string,
): Promise<Payout | undefined> {
  const query = { key: expression`practiceId = ${practiceId}`, newestFirst: true };
  for await (const page of queryPages(database, 'payouts', query, payout)) {
    const found = page.find((each) => each.payoutId === payoutId);
    if (found) return found;
  }
  return undefined;
}

/** Oldest first. */
export function bookingPages(database: Database, practiceId: string): AsyncGenerator<Booking[]> {
  return queryPages(database, 'bookings', { key: expression`practiceId = ${practiceId}` }, booking);
}

/** Oldest first. */
export function payoutPages(database: Database, practiceId: string): AsyncGenerator<Payout[]> {
  return queryPages(database, 'payouts', { key: expression`practiceId = ${practiceId}` }, payout);
}

export async function readReconciliations(database: Database): Promise<Reconciliation[]> {
  return scanAll(database, 'reconciliations', reconciliation);
}

export async function getReconciliation(database: Database, account: string): Promise<Reconciliation | undefined> {
  return get(database, 'reconciliations', { account }, reconciliation);
}

export async function saveReconciliation(database: Database, { account, ...set }: Reconciliation) {
  await update(database, 'reconciliations', { account }, { set }, reconciliation);
}
