import * as z from 'zod';
import { SetupError } from '../../lib/local/setup-error.ts';
import type { LocalStripe } from './stripe.ts';

const account = z.object({ id: z.string(), charges_enabled: z.boolean().optional() });
type Account = z.infer<typeof account>;

/** Returns the practice's Stripe account: `kept` if this Stripe knows it, otherwise a new one. */
export async function findDepositAccount(stripe: LocalStripe, kept: string | undefined): Promise<Account> {
  const known = kept === undefined ? undefined : await call(stripe, `/v1/accounts/${kept}`);
  if (known?.id === kept && known !== undefined) return known;
  const created = await call(stripe, '/v1/accounts', {
    country: 'US',
    'controller[stripe_dashboard][type]': 'none',
    'controller[requirement_collection]': 'application',
    'controller[losses][payments]': 'application',
    'controller[fees][payer]': 'application',
    'capabilities[us_bank_account_ach_payments][requested]': 'true',
    'capabilities[transfers][requested]': 'true',
  });
  if (created === undefined)
    throw new SetupError(`${stripe.apiBase} created no account for the practice. Are its keys right?`);
  return stripe.isStandIn ? finishOnboarding(stripe, created) : created;
}

async function finishOnboarding({ apiBase }: LocalStripe, { id }: Account): Promise<Account> {
  const response = await fetch(`${apiBase}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ do: 'require', account: id, due: [] }),
  });
  return account.parse(await response.json());
}

async function call(
  { apiBase, secretKey }: LocalStripe,
  path: string,
  form?: Readonly<Record<string, string>>,
): Promise<Account | undefined> {
  const response = await fetch(`${apiBase}${path}`, {
    method: form ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secretKey}` },
    ...(form && { body: new URLSearchParams(form) }),
  });
  return response.ok ? account.parse(await response.json()) : undefined;
}
