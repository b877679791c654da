import type { ReferenceFinder } from '../processor.ts';
import { readAccount } from './account.ts';
import type { CallStripe } from './client.ts';
import { retrieveIntent } from './intents.ts';
import { chargeOf } from './intents.ts';

/** The account of the evidence, because a session that has ended no longer has one. */
export function stripeReferences(call: CallStripe): ReferenceFinder {
  return {
    async findReferences({ debitId, processorAccount }) {
      const { deposit } = readAccount(processorAccount);
      const charge = chargeOf(await retrieveIntent(call, { debitId, ...deposit }));
      const {
        mandate,
        payment_reference: payment,
        routing_number,
      } = charge?.payment_method_details?.us_bank_account ?? {};
      return {
        ...(mandate && { mandate }),
        ...(payment && { payment }),
        ...(routing_number && { routingNumberLast4: routing_number.slice(-4) }),
      };
    },
  };
}
