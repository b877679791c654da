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

/** Without names: every write of the session's row pays for its length. */
const written = z.tuple([z.enum(chargeTypes), z.string(), z.string(), z.string(), z.string()]);

export function writeAccount({ deposit, customer, paymentMethod, statementDescriptor }: StripeAccount): string {
  return JSON.stringify([deposit.chargeType, deposit.account, customer, paymentMethod, statementDescriptor]);
}

export function readAccount(processorAccount: string): StripeAccount {
  const parsed = z.safeParse(written, jsonOf(processorAccount));
  if (!parsed.success) throw new Fault('a debit names an account that is not of Stripe');
  const [chargeType, account, customer, paymentMethod, statementDescriptor] = parsed.data;
  return { deposit: { chargeType, account }, customer, paymentMethod, statementDescriptor };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
