import * as z from 'zod';
import { schedulePayout, type Ledger } from './ledger.ts';
import type { Account } from './records.ts';
import { newId } from './state.ts';

const accountInput = z.object({
  type: z.enum(['custom', 'express', 'none', 'standard']).default('none'),
  country: z.string().default('US'),
  email: z.string().optional(),
  business_type: z.string().optional(),
  business_profile: z.record(z.string(), z.unknown()).default({}),
  controller: z.record(z.string(), z.unknown()).default({}),
  capabilities: z.record(z.string(), z.object({ requested: z.boolean() })).default({}),
  settings: z.record(z.string(), z.unknown()).default({}),
  metadata: z.record(z.string(), z.string()).default({}),
});

const dueAtFirst = ['business_profile.url', 'external_account', 'tos_acceptance.date', 'tos_acceptance.ip'];

export function createAccount({ state, record }: Ledger, input: unknown): Account {
  const { capabilities, email = null, business_type = null, ...given } = accountInput.parse(input);
  const id = newId('acct');
  const account = state.accounts.put('', {
    id,
    object: 'account',
    created: state.seconds(),
    default_currency: 'usd',
    email,
    business_type,
    ...given,
    capabilities: Object.fromEntries(Object.keys(capabilities).map((name) => [name, 'inactive' as const])),
    charges_enabled: false,
    payouts_enabled: false,
    details_submitted: false,
    external_accounts: { object: 'list', data: [], has_more: false, url: `/v1/accounts/${id}/external_accounts` },
    requirements: {
      currently_due: dueAtFirst,
      eventually_due: dueAtFirst,
      past_due: dueAtFirst,
      pending_verification: [],
      errors: [],
      disabled_reason: 'requirements.past_due',
      current_deadline: null,
    },
  });
  record(account.id, 'account.updated', account);
  return account;
}

interface Requirements {
  readonly due?: readonly string[] | undefined;
  /** What the account cannot do: by default, everything while something is due. */
  readonly stopped?: readonly ('debits' | 'payouts')[] | undefined;
  /** In seconds since 1970. */
  readonly deadline?: number | undefined;
  readonly disabledReason?: string | undefined;
}

/** By default, the account lacks nothing and can take debits. */
export function updateRequirements(ledger: Ledger, accountId: string, changes: Requirements = {}): Account {
  const { state } = ledger;
  const { due = [], deadline = null } = changes;
  const { stopped = due.length > 0 ? ['debits', 'payouts'] : [] } = changes;
  const account = state.accounts.get('', accountId);
  const takesDebits = !stopped.includes('debits');
  const ready = stopped.length === 0;
  if (ready && account.external_accounts.data.length === 0) setBankAccount(ledger, accountId, '6789');
  const capability = takesDebits ? ('active' as const) : ('inactive' as const);
  const changed = state.accounts.change('', accountId, {
    capabilities: Object.fromEntries(Object.keys(account.capabilities).map((name) => [name, capability])),
    charges_enabled: takesDebits,
    payouts_enabled: !stopped.includes('payouts'),
    details_submitted: true,
    requirements: {
      ...account.requirements,
      currently_due: [...due],
      eventually_due: [...due],
      past_due: ready ? [] : [...due],
      disabled_reason: changes.disabledReason ?? (ready ? null : 'requirements.past_due'),
      current_deadline: deadline,
    },
  });
  if (ready) schedulePayout(ledger, accountId);
  ledger.record(accountId, 'account.updated', changed);
  return changed;
}

/** Stops them until the practice names another bank account. */
export function stopPayouts(ledger: Ledger, accountId: string): Account {
  const { requirements } = ledger.state.accounts.get('', accountId);
  const due = ['external_account'];
  const stopped = ledger.state.accounts.change('', accountId, {
    payouts_enabled: false,
    requirements: { ...requirements, currently_due: due, past_due: due, disabled_reason: 'requirements.past_due' },
  });
  ledger.record(accountId, 'account.updated', stopped);
  return stopped;
}

/** Payouts to an account that ends in 0000 fail. */
export const closedBankAccount = '0000';

/** The bank account that gets the payouts. */
export function setBankAccount(ledger: Ledger, accountId: string, last4: string): Account {
  const { state } = ledger;
  const { external_accounts: before } = state.accounts.get('', accountId);
  const bank = {
    id: newId('ba'),
    object: 'bank_account' as const,
    account: accountId,
    bank_name: 'Test Bank',
    country: 'US',
    currency: 'usd',
    default_for_currency: true,
    fingerprint: `fingerprint_${last4}`,
    last4,
    status: 'new',
  };
  const changed = state.accounts.change('', accountId, { external_accounts: { ...before, data: [bank] } });
  ledger.record(accountId, 'account.external_account.created', bank);
  return changed;
}

const linkInput = z.object({ account: z.string(), refresh_url: z.url(), return_url: z.url() });
const linkSeconds = 300;

/** `origin` serves the onboarding page. */
export function createAccountLink({ state }: Ledger, origin: string, input: unknown): object {
  const { account, refresh_url, return_url } = linkInput.parse(input);
  state.accounts.get('', account);
  const created = state.seconds();
  const link = state.accountLinks.put('', {
    id: newId('link'),
    account,
    expires_at: created + linkSeconds,
    refresh_url,
    return_url,
    used: false,
  });
  return {
    object: 'account_link',
    created,
    expires_at: link.expires_at,
    url: `${origin}/setup/${account}/${link.id}`,
  };
}
