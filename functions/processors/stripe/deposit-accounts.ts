import Stripe from 'stripe';
import { hour, second, toIso } from '../../domain/time.ts';
import { logError } from '../../log.ts';
import type { ChargeType } from '../../domain/payments/debit.ts';
import type { DepositAccount, DepositAccounts } from '../processor.ts';
import type { CallStripe } from './client.ts';
import { loggedOf } from './failures.ts';
import type { DepositNeed } from '../../domain/practices/deposit-needs.ts';

/** The first match wins. */
const patterns: readonly (readonly [RegExp, DepositNeed])[] = [
  [/^external_account/, 'bank_account'],
  [/^(settings\..*)?tos_acceptance|_acceptance\./, 'agreement'],
  [/document/, 'document'],
  [/^business_profile\.(url|product_description)/, 'website'],
  [/(^|\.)(tax_id|vat_id|id_number|ssn_last_4)/, 'tax_id'],
  [/^(owners|directors|executives)|_provided$/, 'owners'],
  [/^(representative|individual|person_\w+)\b/, 'representative'],
  [/^(business_|company)/, 'business'],
];

/** Summarizes Stripe's requirements, which name fields such as `company.tax_id`, for a reader. */
export function needsOf(requirements: readonly string[]): DepositNeed[] {
  const needs = requirements.map((name) => patterns.find(([pattern]) => pattern.test(name))?.[1] ?? 'other');
  return [...new Set(needs)];
}

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
              // By default, Stripe leaves a balance negative after a return, and the platform pays.
              settings: { payouts: { debit_negative_balances: true } },
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
          const takesDebits = charges && needed[chargeType].every((name) => capabilities?.[name] === 'active');
          const deadline = requirements?.current_deadline;
          const destination = destinationOf(account.external_accounts?.data ?? []);
          return {
            accountId,
            isReady: takesDebits && payouts,
            takesDebits,
            isRejected: requirements?.disabled_reason?.startsWith('rejected.') ?? false,
            deadline: typeof deadline === 'number' ? toIso(deadline * second) : undefined,
            needs: needsOf([...(requirements?.past_due ?? []), ...(requirements?.currently_due ?? [])]),
            ...(destination && { bankAccount: describe(destination) }),
          };
        }),
      ),

    startOnboarding: ({ accountId, mayChange, returnUrl, refreshUrl }, now) =>
      answered(() =>
        call(async (stripe) => {
          const link = await stripe.accountLinks.create(
            {
              account: accountId,
              type: mayChange ? 'account_update' : 'account_onboarding',
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

/** Where Stripe pays out dollars. Undefined if there are several accounts and none is the default. */
function destinationOf(accounts: readonly Stripe.ExternalAccount[]): Stripe.ExternalAccount | undefined {
  // Stripe leaves out the currency of some cards.
  const inDollars = accounts.filter(({ currency }) => (currency ?? 'usd') === 'usd');
  const [only, ...others] = inDollars;
  return inDollars.find((each) => each.default_for_currency) ?? (others.length === 0 ? only : undefined);
}

function describe(destination: Stripe.ExternalAccount): NonNullable<DepositAccount['bankAccount']> {
  const { id, last4, fingerprint } = destination;
  const bankName = destination.object === 'card' ? `${destination.brand} card` : (destination.bank_name ?? 'Bank');
  return { bankName, last4, fingerprint: fingerprint ?? id };
}

/** Undefined if Stripe refused or did not answer. */
async function answered<Value>(request: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    logError('processor call failed', loggedOf(error));
    return undefined;
  }
}
