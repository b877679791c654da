import * as z from 'zod/mini';
import { Fault } from '../../domain/fault.ts';
import { chargeTypes, type Deposit } from '../../domain/processor-debit.ts';

/** What a session's `processorAccount` is at Stripe. Later changes of the practice or of settings do not reach it. */
export interface StripeAccount {
  readonly deposit: Deposit;
  readonly customer: string;
  readonly paymentMethod: string;
  readonly statementDescriptor: string;
}

/** Of words, as every write of the session's row pays for its length. The last is the rest, which can have spaces. */
const written = z.tuple([z.enum(chargeTypes), z.string(), z.string(), z.string(), z.string()]);

export function writeAccount({ deposit, customer, paymentMethod, statementDescriptor }: StripeAccount): string {
  return [deposit.chargeType, deposit.account, customer, paymentMethod, statementDescriptor].join(' ');
}

export function readAccount(processorAccount: string): StripeAccount {
  const parsed = z.safeParse(written, partsOf(processorAccount));
  if (!parsed.success) throw new Fault('a debit names an account that is not of Stripe');
  const [chargeType, account, customer, paymentMethod, statementDescriptor] = parsed.data;
  return { deposit: { chargeType, account }, customer, paymentMethod, statementDescriptor };
}

/** Payments that began before accounts were of words have JSON. */
function partsOf(account: string): unknown {
  return account.startsWith('[') ? JSON.parse(account) : /^(\S+) (\S+) (\S+) (\S+) (.*)$/.exec(account)?.slice(1);
}
