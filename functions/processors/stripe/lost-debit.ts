import type { ProcessorDebit } from '../../domain/payments/processor-debit.ts';
import { toIso } from '../../domain/time.ts';
import type { Database } from '../../store/database.ts';
import { enterProcessorDebit } from '../../store/payments/processor-debits.ts';
import type { DebitOrder } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { findIntent } from './intents.ts';

export function wasAuthorizedBefore({ authorizedAt }: DebitOrder, time: number): boolean {
  return authorizedAt !== undefined && Date.parse(authorizedAt) < time;
}

/**
 * A restored table may lack a debit that Stripe has: looks for it there and enters it. Returns what stands then, or
 * undefined if Stripe has none.
 */
export async function enterLost(
  database: Database<'processorDebits'>,
  call: CallStripe,
  order: DebitOrder,
  now: number,
): Promise<ProcessorDebit | undefined> {
  const lost = await findIntent(call, order);
  return lost && enterProcessorDebit(database, order.sessionId, { ...lost, submittedAt: toIso(now) });
}
