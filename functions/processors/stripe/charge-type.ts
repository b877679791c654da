import type Stripe from 'stripe';
import type { Deposit } from '../../domain/payments/processor-debit.ts';

interface Charging {
  readonly request: Stripe.RequestOptions;
  readonly payment: Pick<Stripe.PaymentIntentCreateParams, 'on_behalf_of' | 'transfer_data'>;
  /** The account that the browser's bank picker works on. Undefined for ours. */
  readonly pickerAccount: string | undefined;
}

/** A direct charge is made on the practice's account. A destination charge is made on ours and transferred to theirs. */
export function chargingOf({ chargeType, account }: Deposit): Charging {
  return chargeType === 'direct'
    ? { request: { stripeAccount: account }, payment: {}, pickerAccount: account }
    : {
        request: {},
        payment: { on_behalf_of: account, transfer_data: { destination: account } },
        pickerAccount: undefined,
      };
}
