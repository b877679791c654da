import * as z from 'zod/mini';
import { type Failure, processorDebit, type EnteredDebit, type ProcessorDebit } from '../../domain/payments/debit.ts';
import { Fault } from '../../domain/fault.ts';
import { toIso } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { allOf, expression } from '../expressions.ts';
import { get, queryPage, update } from '../rows.ts';
import type { Change } from '../writes.ts';

export async function getProcessorDebit(database: Database, sessionId: string): Promise<ProcessorDebit | undefined> {
  return get(database, 'processorDebits', { sessionId }, processorDebit);
}

/** Finds the session of an event that names only the debit. Eventually consistent. */
export async function findSessionOfDebit(database: Database, debitId: string): Promise<string | undefined> {
  const query = { index: 'byDebit', key: expression`debitId = ${debitId}`, limit: 1 };
  const { rows } = await queryPage(database, 'processorDebits', query, z.object({ sessionId: z.string() }));
  return rows[0]?.sessionId;
}

/** The first write wins. Returns the winner: this debit, an earlier one, or a void. */
export async function enterProcessorDebit(database: Database, sessionId: string, debit: EnteredDebit) {
  return writeFirst(database, sessionId, { set: { debit, debitId: debit.debitId } });
}

/** The first write wins. Returns the winner: this void, or an earlier debit. */
export async function voidProcessorDebit(database: Database, sessionId: string, now: number): Promise<ProcessorDebit> {
  return writeFirst(database, sessionId, { set: { voidedAt: toIso(now) } });
}

/** The first write wins. Returns the winner: this refusal, or an earlier debit or void. */
export async function refuseProcessorDebit(database: Database, sessionId: string, refusal: Failure, now: number) {
  return writeFirst(database, sessionId, { set: { voidedAt: toIso(now), refusal } });
}

/** Counts a call whose error Stripe replays for its idempotency key, so that the next request gets another key. */
export async function countFailedCall(database: Database, sessionId: string): Promise<void> {
  await update(database, 'processorDebits', { sessionId }, { add: { failedCalls: 1 } }, processorDebit);
}

const undecided = allOf(expression`attribute_not_exists(debit)`, expression`attribute_not_exists(voidedAt)`);

async function writeFirst(database: Database, sessionId: string, change: Change<ProcessorDebit>) {
  const key = { sessionId };
  const { row } = await update(database, 'processorDebits', key, { ...change, condition: undecided }, processorDebit);
  if (!row) throw new Fault(`the debit of ${sessionId} vanished`);
  return row;
}
