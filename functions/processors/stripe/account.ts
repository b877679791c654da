import * as z from 'zod/mini';
import type Stripe from 'stripe';
import { Fault } from '../../domain/fault.ts';
import { chargeTypes, type Deposit } from '../../domain/payments/debit.ts';

/** The content of a session's `processorAccount`. Later changes to the practice or its settings do not affect it. */
interface StripeAccount {
  readonly deposit: Deposit;
  readonly customer: string;
  /** The account that was connected. */
  readonly bankAccount: string;
  readonly statementDescriptor: string;
}

/** Stored as words separated by spaces, to keep the session's row small. The last one can contain spaces itself. */
const written = z.tuple([z.enum(chargeTypes), z.string(), z.string(), z.string(), z.string()]);

export function writeAccount({ deposit, customer, bankAccount, statementDescriptor }: StripeAccount): string {
  return [deposit.chargeType, deposit.account, customer, bankAccount, statementDescriptor].join(' ');
}

export function readAccount(processorAccount: string): StripeAccount {
  const parsed = z.safeParse(written, /^(\S+) (\S+) (\S+) (\S+) (.*)$/.exec(processorAccount)?.slice(1));
  if (!parsed.success) throw new Fault('a debit names an account that is not a Stripe account');
  const [chargeType, account, customer, bankAccount, statementDescriptor] = parsed.data;
  return { deposit: { chargeType, account }, customer, bankAccount, statementDescriptor };
}

/** What Stripe needs to know about the payer's account, and nothing else about the payer. */
export function bankOf(account: string, payerName: string) {
  return {
    type: 'us_bank_account',
    us_bank_account: { financial_connections_account: account, account_holder_type: 'individual' },
    billing_details: { name: payerName },
  } as const;
}

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
