import { booking, payout, type Booking, type Payout } from '../../domain/payments/booking.ts';
import type { Database } from '../database.ts';
import { expression } from '../expressions.ts';
import { insert, queryAll, queryPages, replace, scanAll, update } from '../rows.ts';
import { reconciliation, type Reconciliation } from '../../domain/payments/reconciliation.ts';

interface Period {
  readonly from: string;
  readonly to: string;
}

/** Leaves an existing row as it is: it may already name its payout. */
export async function insertBooking(database: Database<'bookings'>, row: Booking): Promise<void> {
  await insert(database, 'bookings', row, 'bookingId');
}

/** Writes the booking with its payout, whether or not it exists. */
export async function putBookingOfPayout(database: Database<'bookings'>, row: Booking & { readonly payoutId: string }) {
  await replace(database, 'bookings', row);
}

export async function putPayout(database: Database<'payouts'>, row: Payout): Promise<void> {
  await replace(database, 'payouts', row);
}

export async function listBookings(database: Database<'bookings'>, practiceId: string, { from, to }: Period) {
  const key = expression`practiceId = ${practiceId} AND bookingId BETWEEN ${from} AND ${to}`;
  return queryAll(database, 'bookings', { key }, booking);
}

export async function listPayouts(database: Database<'payouts'>, practiceId: string, { from, to }: Period) {
  const key = expression`practiceId = ${practiceId} AND payoutKey BETWEEN ${from} AND ${to}`;
  return queryAll(database, 'payouts', { key }, payout);
}

/** Oldest first. */
export function bookingPages(database: Database<'bookings'>, practiceId: string): AsyncGenerator<Booking[]> {
  return queryPages(database, 'bookings', { key: expression`practiceId = ${practiceId}` }, booking);
}

/** Oldest first. */
export function payoutPages(database: Database<'payouts'>, practiceId: string): AsyncGenerator<Payout[]> {
  return queryPages(database, 'payouts', { key: expression`practiceId = ${practiceId}` }, payout);
}

type Reconciliations = Database<'reconciliations'>;

export async function readReconciliations(database: Reconciliations): Promise<Reconciliation[]> {
  return scanAll(database, 'reconciliations', reconciliation);
}

export async function saveReconciliation(database: Reconciliations, { account, ...set }: Reconciliation) {
  await update(database, 'reconciliations', { account }, { set }, reconciliation);
}
