import * as z from 'zod/mini';
import type { CallStripe } from './client.ts';

const charge = z.object({ source_transfer: z.nullish(z.string()) });
const transfer = z.object({
  reversals: z.object({ data: z.array(z.object({ id: z.string(), source_refund: z.nullish(z.string()) })) }),
});

interface Reversal {
  readonly account: string;
  /** The charge on the connected account that the transfer made. */
  readonly chargeId: string;
  readonly reversalId: string;
}

/** Whether a transfer was reversed because the bank returned the debit, and not by a refund to the patient. */
export async function isReturned(call: CallStripe, { account, chargeId, reversalId }: Reversal): Promise<boolean> {
  return call(async (stripe) => {
    const paid = z.parse(charge, await stripe.charges.retrieve(chargeId, {}, { stripeAccount: account }));
    if (!paid.source_transfer) return false;
    const { reversals } = z.parse(transfer, await stripe.transfers.retrieve(paid.source_transfer));
    return !reversals.data.find(({ id }) => id === reversalId)?.source_refund;
  });
}
