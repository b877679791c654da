import { hour, toIso } from '../../domain/time.ts';
import type { ProcessorDebit } from '../../domain/processor-debit.ts';
import type { Database } from '../../store/database.ts';
import { enterProcessorDebit } from '../../store/processor-debits.ts';
import type { DebitOrder } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { findIntent } from './intents.ts';

/** Stripe keeps an idempotency key for at least a day. Until then, creating the debit again finds it. */
const keyLifetime = 23 * hour;

/** A restored table may lack a debit that Stripe has. */
export function mayBeLost({ authorizedAt, debitId }: DebitOrder, now: number): boolean {
  return debitId !== undefined || (authorizedAt !== undefined && Date.parse(authorizedAt) < now - keyLifetime);
}

/** Looks for the debit at Stripe and enters it. Returns what stands then, or undefined if Stripe has none. */
export async function enterLost(
  database: Database<'processorDebits'>,
  call: CallStripe,
  order: DebitOrder,
  now: number,
): Promise<ProcessorDebit | undefined> {
  const lost = await findIntent(call, order);
  return lost && enterProcessorDebit(database, order.sessionId, { ...lost, submittedAt: toIso(now) });
}
