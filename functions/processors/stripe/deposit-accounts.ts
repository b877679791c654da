import Stripe from 'stripe';
import { hour } from '../../domain/time.ts';
import { logError } from '../../log.ts';
import type { ChargeType } from '../../domain/processor-debit.ts';
import type { DepositAccount, DepositAccounts } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { needsOf } from './requirements.ts';

/** The capabilities that each charge type needs. Without `transfers`, a destination charge cannot reach the account. */
const needed = {
  direct: ['us_bank_account_ach_payments'],
  destination: ['us_bank_account_ach_payments', 'transfers'],
} as const satisfies Record<ChargeType, readonly string[]>;

export function stripeDepositAccounts(call: CallStripe, chargeType: ChargeType): DepositAccounts {
  return {
    createAccount: (practiceId, now) =>
      answered(() =>
        call(async (stripe) => {
          const created = await stripe.accounts.create(
            {
              country: 'US',
              // The account has no Stripe dashboard and pays the fees of its direct charges. With the newer `controller`, the
              // party that bears the losses pays them: https://docs.stripe.com/connect/direct-charges-fee-payer-behavior
              type: 'custom',
              capabilities: { us_bank_account_ach_payments: { requested: true }, transfers: { requested: true } },
              metadata: { practiceId },
            },
            // Stripe replays its response, even an error, for a day.
            { idempotencyKey: `account:${practiceId}:${Math.floor(now / hour)}` },
          );
          return created.id;
        }),
      ),

    findAccount: (accountId) =>
      answered(() =>
        call(async (stripe) => {
          const account = await stripe.accounts.retrieve(accountId);
          const { charges_enabled: charges, payouts_enabled: payouts, capabilities, requirements } = account;
          const banks = account.external_accounts?.data.filter((each) => each.object === 'bank_account');
          const bank = banks?.find((each) => each.default_for_currency) ?? banks?.[0];
          return {
            accountId,
            isReady: charges && payouts && needed[chargeType].every((name) => capabilities?.[name] === 'active'),
            needs: needsOf([...(requirements?.past_due ?? []), ...(requirements?.currently_due ?? [])]),
            ...(bank && { bankAccount: bankOf(bank) }),
          };
        }),
      ),

    startOnboarding: ({ accountId, isReady, returnUrl, refreshUrl }, now) =>
      answered(() =>
        call(async (stripe) => {
          const link = await stripe.accountLinks.create(
            {
              account: accountId,
              type: isReady ? 'account_update' : 'account_onboarding',
              return_url: returnUrl,
              refresh_url: refreshUrl,
              collection_options: { fields: 'eventually_due' },
            },
            { idempotencyKey: `link:${accountId}:${now}` },
          );
          return link.url;
        }),
      ),
  };
}

function bankOf({
  id,
  bank_name: name,
  last4,
  fingerprint,
}: Stripe.BankAccount): NonNullable<DepositAccount['bankAccount']> {
  return { bankName: name ?? 'Bank', last4, fingerprint: fingerprint ?? id };
}

/** Undefined if Stripe refused or did not answer. */
async function answered<Value>(request: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, code, statusCode, requestId } = error;
    logError('processor call failed', { errorType: type, code, status: statusCode, stripeRequestId: requestId });
    return undefined;
  }
}
