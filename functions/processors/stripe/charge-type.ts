import type Stripe from 'stripe';
import type { Deposit } from '../../domain/processor-debit.ts';

interface Charging {
  readonly request: Stripe.RequestOptions;
  readonly payment: Pick<Stripe.PaymentIntentCreateParams, 'on_behalf_of' | 'transfer_data'>;
  /** Whose objects the browser's bank picker uses. */
  readonly pickerAccount: string | undefined;
}

/** Direct charges are made on the practice's account; destination charges on ours, and transferred to theirs. */
export function chargingOf({ chargeType, account }: Deposit): Charging {
  return chargeType === 'direct'
    ? { request: { stripeAccount: account }, payment: {}, pickerAccount: account }
    : {
        request: {},
        payment: { on_behalf_of: account, transfer_data: { destination: account } },
        pickerAccount: undefined,
      };
}
