import * as z from 'zod/mini';
import type { CallStripe } from './client.ts';

const charge = z.object({ source_transfer: z.nullish(z.string()) });
const transfer = z.object({
  reversals: z.object({ data: z.array(z.object({ id: z.string(), source_refund: z.nullish(z.string()) })) }),
});

interface Reversal {
  readonly account: string;
  /** The payment of the transfer, on the account. */
  readonly chargeId: string;
  readonly reversalId: string;
}

/** A transfer is taken back because the bank took the debit back, unless a refund to the patient did it. */
export async function isTakenBack(call: CallStripe, { account, chargeId, reversalId }: Reversal): Promise<boolean> {
  return call(async (stripe) => {
    const paid = z.parse(charge, await stripe.charges.retrieve(chargeId, {}, { stripeAccount: account }));
    if (!paid.source_transfer) return false;
    const { reversals } = z.parse(transfer, await stripe.transfers.retrieve(paid.source_transfer));
    return !reversals.data.find(({ id }) => id === reversalId)?.source_refund;
  });
}
