import * as z from 'zod/mini';
import type { EnteredDebit } from '../../domain/payments/processor-debit.ts';
import { hour } from '../../domain/time.ts';
import { logInfo } from '../../log.ts';
import type { CallStripe } from './client.ts';
import { retrieveIntent } from './intents.ts';
import { chargeOf } from './payment-intent.ts';

const transfer = z.object({ amount: z.int(), amount_reversed: z.int() });

/** Reverses the transfer of a returned destination charge: the bank took the money from our account. */
export async function reverseTransfer(
  call: CallStripe,
  sessionId: string,
  debit: EnteredDebit,
  now: number,
): Promise<void> {
  const transferId = chargeOf(await retrieveIntent(call, debit))?.transfer;
  if (!transferId) return;
  const reversed = await call(async (stripe) => {
    const { amount, amount_reversed: already } = z.parse(transfer, await stripe.transfers.retrieve(transferId));
    if (already >= amount) return false;
    // Without an amount, Stripe reverses what is left. The key changes hourly, because Stripe replays an error for a day.
    const idempotencyKey = `reverse:${sessionId}:${Math.floor(now / hour)}`;
    await stripe.transfers.createReversal(transferId, { metadata: { sessionId } }, { idempotencyKey });
    return true;
  });
  if (reversed) logInfo('transfer reversed', { sessionId, debitId: debit.debitId });
}
