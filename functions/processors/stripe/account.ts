import * as z from 'zod/mini';
import { Fault } from '../../domain/fault.ts';
import { deposit } from '../../domain/processor-debit.ts';

/** What a session's `processorAccount` is at Stripe. Later changes of the practice or of settings do not reach it. */
const stripeAccount = z.object({
  deposit,
  customer: z.string(),
  paymentMethod: z.string(),
  statementDescriptor: z.string(),
});
export type StripeAccount = z.infer<typeof stripeAccount>;

export function writeAccount(account: StripeAccount): string {
  return JSON.stringify(account);
}

export function readAccount(processorAccount: string): StripeAccount {
  const parsed = z.safeParse(stripeAccount, jsonOf(processorAccount));
  if (!parsed.success) throw new Fault('a debit names an account that is not of Stripe');
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
