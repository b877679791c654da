import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SetupError } from '../../lib/local/setup-error.ts';
import { startStripeProcess } from '../../lib/local/stripe/process.ts';
import { stripeOrigins } from '../../lib/settings/stripe.ts';
import { newAuditEntry } from '../../functions/domain/team/audit-entry.ts';
import { termsVersion } from '../../functions/domain/practices/practice.ts';
import { toIso } from '../../functions/domain/time.ts';
import { getExistingPractice, updatePractice } from '../../functions/store/practices/practices.ts';
import { author } from '../practice/command.ts';
import type { OperatedStack } from '../practice/stack.ts';

/** The Stripe that the local production stage talks to. */
export interface LocalStripe {
  readonly apiBase: string;
  readonly scriptUrl: string;
  readonly secretKey: string;
  /** The keys as JSON for Secrets Manager. */
  readonly secret: string;
  readonly isStandIn: boolean;
  stop(): Promise<void>;
}

interface Options {
  readonly dataDir: string;
  readonly fresh: boolean;
  /** The port of its API. Its pages are on the next port. */
  readonly port: number;
  /** Where it sends notifications. */
  readonly notifyUrl: string;
}

/** Signs the stand-in's notifications about connected accounts. */
export const standInWebhookSecret = 'whsec_stand_in_connect';
/** Milliseconds, as in the sandbox. */
const outcomeDelay = 3000;
const payoutDelay = 60_000;

/** Starts the stand-in, unless environment variables name another Stripe. Its keys are not stored. */
export async function startLocalStripe(options: Options, environment: NodeJS.ProcessEnv): Promise<LocalStripe> {
  const other = otherStripe(environment);
  if (other) return { ...other, isStandIn: false, stop: async () => {} };
  const { dataDir, fresh, port, notifyUrl } = options;
  const file = join(dataDir, 'stripe.json');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (fresh) rmSync(file, { force: true });
  const keys = {
    secretKey: 'sk_live_stand_in',
    publishableKey: 'pk_live_stand_in',
    webhookSecret: 'whsec_stand_in_platform',
    connectWebhookSecret: standInWebhookSecret,
  };
  const started = await startStripeProcess({ port, file, ...keys, notifyUrl, outcomeDelay, payoutDelay });
  void started.ended.then(() => console.error('The stand-in for Stripe ended unexpectedly. Restart `npm start`.'));
  return { ...started, secretKey: keys.secretKey, secret: JSON.stringify(keys), isStandIn: true };
}

function otherStripe(environment: NodeJS.ProcessEnv) {
  const secretKey = environment['STRIPE_SECRET_KEY'] ?? '';
  const publishableKey = environment['STRIPE_PUBLISHABLE_KEY'] ?? '';
  const webhookSecret = environment['STRIPE_WEBHOOK_SECRET'] ?? '';
  const apiBase = environment['STRIPE_API_BASE'] ?? '';
  if ([apiBase, secretKey, publishableKey, webhookSecret].every((value) => value === '')) return undefined;
  if (secretKey === '' || publishableKey === '' || webhookSecret === '')
    throw new SetupError(
      'To use another Stripe, set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET. To use the stand-in, unset them and STRIPE_API_BASE.',
    );
  const base = URL.parse(apiBase || stripeOrigins.apiBase);
  if (base === null) throw new SetupError('STRIPE_API_BASE is not a URL.');
  if (/stripe\.com\.?$/.test(base.hostname) && !secretKey.startsWith('sk_test_'))
    throw new SetupError('Use a Stripe test key (sk_test_…) on this machine: a live key moves money.');
  return {
    apiBase: base.origin,
    scriptUrl: environment['STRIPE_SCRIPT_URL'] ?? stripeOrigins.scriptUrl,
    secretKey,
    secret: JSON.stringify({ secretKey, publishableKey, webhookSecret, connectWebhookSecret: webhookSecret }),
  };
}

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
    { randomBytes },
    { practiceId, author, action: 'practice.updated', target: practiceId, details: { depositAccountId } },
    now,
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
    'settings[payouts][debit_negative_balances]': 'true',
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
