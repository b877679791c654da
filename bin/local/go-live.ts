import { newAuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { termsVersion } from '../../functions/domain/practices/practice.ts';
import { toIso } from '../../functions/domain/time.ts';
import { getExistingPractice, updatePractice } from '../../functions/store/practices/practices.ts';
import { author } from '../practice/command.ts';
import type { OperatedStack } from '../practice/stack.ts';
import type { LocalStripe } from './stripe.ts';
import * as z from 'zod';
import { SetupError } from '../../lib/local/setup-error.ts';

/** Gives the demo practice what live payments need. Returns its deposit account. */
export async function goLive(
  { database, randomBytes }: OperatedStack,
  stripe: LocalStripe,
  practiceId: string,
  now: number,
): Promise<{ readonly id: string; readonly charges_enabled?: boolean | undefined }> {
  const practice = await getExistingPractice(database, practiceId);
  const account = await findDepositAccount(stripe, practice.depositAccountId);
  if (practice.depositAccountId === account.id) return account;
  await makeReady({ database, randomBytes }, practiceId, account.id, now);
  return account;
}

export async function makeReady(
  { database, randomBytes }: Pick<OperatedStack, 'database' | 'randomBytes'>,
  practiceId: string,
  depositAccountId: string,
  now: number,
): Promise<void> {
  const at = toIso(now);
  const set = {
    depositAccountId,
    depositReadyAt: at,
    termsAccepted: { version: termsVersion, at, by: author.kind },
  };
  const entry = newAuditEntry(
    { practiceId, author, action: 'practice.updated', target: practiceId, details: { depositAccountId } },
    now,
    randomBytes,
  );
  await updatePractice(database, practiceId, { set }, entry);
}

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
