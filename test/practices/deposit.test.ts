import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  followDeposit,
  getDeposit,
  startDepositOnboarding,
  followDepositAccount,
} from '../../functions/practices/deposit.ts';
import { stripeCaller, type CallStripe } from '../../functions/processors/stripe/client.ts';
import { takesPayments } from '../../functions/domain/practices/practice.ts';
import { day } from '../../functions/domain/time.ts';
import { newAuditEntry, type AuditAction, type Author } from '../../functions/domain/team/audit-entry.ts';
import type { ChargeType } from '../../functions/domain/payments/debit.ts';
import { needsOf, stripeDepositAccounts } from '../../functions/processors/stripe/deposit-accounts.ts';
import { listAuditLog } from '../../functions/store/team/audit-log.ts';
import { getExistingPractice, updatePractice } from '../../functions/store/practices/practices.ts';
import { insert, remove } from '../../functions/store/rows.ts';
import { author } from '../support/create-practice.ts';
import { problemOf } from '../support/problems.ts';
import { startStripe, type TestStripe } from '../support/stripe.ts';
import { startTestTables } from '../support/tables.ts';
import { aPractice } from './a-practice.ts';

const tables = await startTestTables();
const dashboardUrl = 'https://dashboard.example';
let stripe: TestStripe;
beforeAll(async () => {
  stripe = await startStripe();
});
afterAll(async () => {
  const { problems, requests } = await stripe.control.read();
  await stripe.stop();
  expect(problems, 'requests that Stripe would refuse').toEqual([]);
  const posts = requests.filter(({ operation }) => operation.startsWith('Post'));
  // Without our own key, the library makes one up, which no later request repeats.
  const isMadeUp = (key = 'stripe-node-retry') => key.startsWith('stripe-node-retry');
  expect(posts.filter(({ idempotencyKey }) => isMadeUp(idempotencyKey))).toEqual([]);
});

async function onboarding() {
  const { tools, practiceId } = await aPractice(tables);
  const secret = JSON.stringify(stripe);
  const accounts = stripeDepositAccounts(
    stripeCaller(async () => secret, stripe.apiBase),
    'direct',
  );
  const all = { ...tools, accounts, dashboardUrl };
  return {
    practiceId,
    start: (by: Author = author) => startDepositOnboarding(all, { practiceId, author: by }, Date.now()),
    get: () => getDeposit(all, { practiceId }, Date.now()),
    actions: async () => {
      const { entries } = await listAuditLog(tables.database, practiceId, { limit: 10 });
      return entries.map(({ action, details }) => [action, details?.['ready']]);
    },
    lastEntry: async () => (await listAuditLog(tables.database, practiceId, { limit: 1 })).entries[0],
    entries: async (wanted: AuditAction) => {
      const { entries } = await listAuditLog(tables.database, practiceId, { limit: 50 });
      return entries.filter(({ action }) => action === wanted);
    },
    followAt: async (now: number) => followDeposit(all, await getExistingPractice(tables.database, practiceId), now),
    notified: (accountId: string) => followDepositAccount(all, accountId, Date.now()),
    stored: () => getExistingPractice(tables.database, practiceId),
  };
}

/** Does what the admin does on Stripe's page. Returns where the page leads back to. */
async function fillIn(url: string, finish: 'yes' | 'partly' | 'no') {
  await fetch(url);
  const answered = await fetch(url, { method: 'POST', body: new URLSearchParams({ finish }), redirect: 'manual' });
  return answered.headers.get('location');
}

test('an admin sets up deposits on the page of Stripe, comes back, and is told when the account is ready', async () => {
  const { practiceId, start, get, actions, stored } = await onboarding();
  expect(await get()).toEqual({ status: 'none', needs: [] });

  const { url } = await start();
  const { requests } = await stripe.control.read();
  // Such an account pays its own fees.
  expect(requests.findLast(({ operation }) => operation === 'PostAccounts')?.input).toMatchObject({ type: 'custom' });
  expect(await get()).toMatchObject({ status: 'incomplete', needs: ['website', 'bank_account', 'agreement'] });
  const page = `${dashboardUrl}/${practiceId}/settings/practice`;
  expect(await fillIn(url, 'partly')).toBe(`${page}?deposit=returned`);
  expect(await get()).toMatchObject({ status: 'incomplete', needs: ['bank_account'] });
  expect((await stored()).depositReadyAt).toBeUndefined();

  const again = await start();
  await fillIn(again.url, 'yes');
  const { depositAccountId } = await stored();
  expect(await get()).toMatchObject({ status: 'ready', accountId: depositAccountId, needs: [] });
  expect((await stored()).depositReadyAt).toEqual(expect.any(String));
  await get();
  expect(await actions()).toEqual([
    ['deposit_destination.changed', 'yes'],
    ['deposit_destination.opened', undefined],
    ['deposit_destination.opened', undefined],
    ['practice.created', undefined],
  ]);
});

test('two admins at once set up one account, and the audit log names both', async () => {
  const { start, stored, actions } = await onboarding();
  const [one, other] = await Promise.all([start(), start()]);
  const { depositAccountId = 'none' } = await stored();
  expect(one.url).toContain(depositAccountId);
  expect(other.url).toContain(depositAccountId);
  const opened = (await actions()).filter(([action]) => action === 'deposit_destination.opened');
  expect(opened).toHaveLength(2);
});

test('an account that Stripe restricts later is no longer ready', async () => {
  const { start, get, stored } = await onboarding();
  await fillIn((await start()).url, 'yes');
  await get();
  await stripe.control.require((await stored()).depositAccountId ?? '', ['company.tax_id']);
  expect(await get()).toMatchObject({ status: 'incomplete', needs: ['tax_id'] });
  expect((await stored()).depositReadyAt).toBeUndefined();
});

test('a notification says that the account was restricted, and that it is ready again', async () => {
  const { start, get, notified, stored, entries } = await onboarding();
  await fillIn((await start()).url, 'yes');
  await get();
  const { depositAccountId = '' } = await stored();
  await stripe.control.require(depositAccountId, ['company.tax_id']);
  expect(await notified(depositAccountId)).toBe(true);
  expect((await stored()).depositReadyAt).toBeUndefined();
  expect(await entries('deposit_destination.stopped')).toMatchObject([
    { author: { kind: 'processor' }, details: { accountId: depositAccountId, ready: 'no' } },
  ]);
  await stripe.control.require(depositAccountId, []);
  await notified(depositAccountId);
  expect((await stored()).depositReadyAt).toEqual(expect.any(String));
  expect(await notified('acct_of_somebody_else')).toBe(false);
});

test("a platform's key opens a page that does not change where a ready practice's payments go", async () => {
  const { start } = await aReadyAccount();
  const key = { kind: 'api_key', keyId: 'key_1', name: 'Vendor', address: '192.0.2.1' } as const;
  for (const [by, type] of [
    [author, 'account_update'],
    [{ ...key, platformId: 'plt_harbor' }, 'account_onboarding'],
  ] as const) {
    await start(by);
    const { requests } = await stripe.control.read();
    expect(requests.findLast(({ operation }) => operation === 'PostAccountLinks')?.input).toMatchObject({ type });
  }
});

async function aReadyAccount() {
  const deposit = await onboarding();
  await fillIn((await deposit.start()).url, 'yes');
  await deposit.get();
  const { depositAccountId = '' } = await deposit.stored();
  return { ...deposit, accountId: depositAccountId };
}

test('the account at Stripe debits the bank for a negative balance', async () => {
  const { accountId } = await aReadyAccount();
  const { settings } = await stripe.control.find(accountId);
  expect(settings).toEqual({ payouts: { debit_negative_balances: true } });
});

test('debits that Stripe stops keep patients from paying until it takes them again; stopped payouts do not', async () => {
  const { accountId, notified, stored, actions, get } = await aReadyAccount();
  const { require } = stripe.control;
  await require(accountId, ['external_account'], { stopped: ['payouts'] });
  await notified(accountId);
  expect(takesPayments(await stored())).toBe(true);
  await require(accountId, ['external_account', 'company.tax_id'], { stopped: ['debits', 'payouts'] });
  await notified(accountId);
  await notified(accountId);
  expect(takesPayments(await stored())).toBe(false);
  expect(await get()).toMatchObject({ status: 'incomplete', needs: ['bank_account', 'tax_id'] });
  await require(accountId, []);
  await notified(accountId);
  expect(takesPayments(await stored())).toBe(true);
  expect(
    (await actions())
      .map(([action]) => action)
      .slice(0, 4)
      .toSorted(),
  ).toEqual(['debits.resumed', 'debits.stopped', 'deposit_destination.changed', 'deposit_destination.stopped']);
});

test('an account that is being set up has not stopped', async () => {
  const { start, get, stored } = await onboarding();
  await fillIn((await start()).url, 'partly');
  await get();
  expect((await stored()).debitsStoppedAt).toBeUndefined();
});

test('an account that Stripe rejects is not being checked', async () => {
  const { accountId, get } = await aReadyAccount();
  await stripe.control.require(accountId, [], { stopped: ['debits', 'payouts'], disabledReason: 'rejected.other' });
  expect(await get()).toMatchObject({ status: 'rejected' });
});

test('admins are reminded 30, 7 and 1 days before Stripe stops an account, once each, and again of a new deadline', async () => {
  const { accountId, followAt, stored, entries, get } = await aReadyAccount();
  const deadline = Date.parse('2027-03-31T12:00:00.000Z');
  const needBy = (at: number) =>
    stripe.control.require(accountId, ['company.tax_id'], { stopped: [], deadline: at / 1000 });
  await needBy(deadline);
  const daysBefore = (days: number) => deadline - days * day;
  for (const days of [31, 30, 29, 8, 7, 2, 1, 0.5]) await followAt(daysBefore(days));
  const at = '2027-03-31T12:00:00.000Z';
  const [last, ...others] = await entries('deposit_requirements.due');
  expect(last).toMatchObject({ at: '2027-03-30T12:00:00.000Z', details: { deadline: at, needs: 'tax_id' } });
  expect(others.map((entry) => entry.at)).toEqual(['2027-03-24T12:00:00.000Z', '2027-03-01T12:00:00.000Z']);
  expect(await get()).toMatchObject({ status: 'ready', deadline: at, needs: ['tax_id'] });
  expect((await stored()).depositDeadline?.at).toBe(at);

  await needBy(deadline + 20 * day);
  await followAt(deadline);
  expect(await entries('deposit_requirements.due')).toHaveLength(4);
  await stripe.control.require(accountId, []);
  await followAt(deadline);
  expect((await stored()).depositDeadline).toBeUndefined();
  expect(await entries('deposit_requirements.due')).toHaveLength(4);
});

test('an account is followed even if the row of another practice is invalid; an unknown one may belong to that practice', async () => {
  const { start, notified, stored } = await onboarding();
  await start();
  const practiceId = 'prc_invalid';
  await insert(tables.database, 'practices', { practiceId, name: 'Lakeside' }, 'practiceId');
  expect(await notified((await stored()).depositAccountId ?? '')).toBe(true);
  await expect(notified('acct_unknown')).rejects.toThrow('could not be read');
  await remove(tables.database, 'practices', { practiceId });
  expect(await notified('acct_unknown')).toBe(false);
});

test('a changed bank account is recorded once, although the account stays ready', async () => {
  const { start, get, notified, stored, actions, lastEntry } = await onboarding();
  await fillIn((await start()).url, 'yes');
  await get();
  const { depositAccountId = '' } = await stored();
  await stripe.control.changeBank(depositAccountId, '4321');
  const before = (await actions()).length;
  await Promise.all([notified(depositAccountId), notified(depositAccountId)]);
  await notified(depositAccountId);
  expect(await actions()).toHaveLength(before + 1);
  expect(await lastEntry()).toMatchObject({
    action: 'deposit_destination.changed',
    details: { bankAccount: 'Test Bank, ending in 4321', from: 'Test Bank, ending in 6789', ready: 'yes' },
  });
  expect(await get()).toMatchObject({ bankAccount: { bankName: 'Test Bank', last4: '4321' } });
});

/** A practice whose ready account has these external accounts at Stripe. `pay` replaces them, and tells us. */
async function payingTo(first: readonly object[]) {
  const { tools, practiceId } = await aPractice(tables);
  const accountId = `acct_of_${practiceId}`;
  const opened = newAuditEntry(
    { randomBytes },
    { practiceId, author, action: 'deposit_destination.opened' },
    Date.now(),
  );
  await updatePractice(tables.database, practiceId, { set: { depositAccountId: accountId } }, opened);
  let data = first;
  const retrieve = async () => ({
    charges_enabled: true,
    payouts_enabled: true,
    capabilities: { us_bank_account_ach_payments: 'active' },
    external_accounts: { data },
    settings: { payouts: { debit_negative_balances: true } },
  });
  const call: CallStripe = (work) => work({ accounts: { retrieve } } as never, {} as never);
  const following = { ...tools, accounts: stripeDepositAccounts(call, 'direct') };
  await followDepositAccount(following, accountId, Date.now());
  return {
    get: () => getDeposit(following, { practiceId }, Date.now()),
    pay: async (accounts: readonly object[]) => {
      data = accounts;
      await followDepositAccount(following, accountId, Date.now());
      await followDepositAccount(following, accountId, Date.now());
    },
    changes: async () => {
      const { entries } = await listAuditLog(tables.database, practiceId, { limit: 10 });
      const changed = entries.filter(({ action }) => action === 'deposit_destination.changed');
      return changed.map(({ details }) => details?.['bankAccount']);
    },
  };
}

const bank = (last4: string, isDefault: boolean, currency = 'usd') =>
  ({
    id: `ba_${last4}`,
    object: 'bank_account',
    bank_name: 'Test Bank',
    last4,
    fingerprint: `bank_${last4}`,
    currency,
    default_for_currency: isDefault,
  }) as const;
const card = (isDefault: boolean) =>
  ({
    id: 'card_1',
    object: 'card',
    brand: 'Visa',
    last4: '4242',
    fingerprint: 'card_4242',
    default_for_currency: isDefault,
  }) as const;

test('a debit card that becomes the default is recorded once as where payments go', async () => {
  const { pay, get, changes } = await payingTo([bank('6789', true)]);
  await pay([bank('6789', true), card(false)]);
  expect(await changes()).toEqual(['Test Bank, ending in 6789']);
  await pay([bank('6789', false), card(true)]);
  expect(await changes()).toEqual(['Visa card, ending in 4242', 'Test Bank, ending in 6789']);
  expect(await get()).toMatchObject({ status: 'ready', bankAccount: { bankName: 'Visa card', last4: '4242' } });
});

test('if none of several accounts is the default, where payments go has changed and is unknown, until one is', async () => {
  const { pay, get, changes } = await payingTo([bank('6789', true)]);
  await pay([bank('6789', false), bank('4321', false)]);
  expect(await changes()).toEqual(['unknown', 'Test Bank, ending in 6789']);
  expect(await get()).not.toHaveProperty('bankAccount.last4');
  await pay([bank('6789', false), bank('4321', true)]);
  expect((await changes())[0]).toBe('Test Bank, ending in 4321');
});

test('the only account for dollars gets the payments, although it is not marked as the default', async () => {
  const { get } = await payingTo([bank('1111', true, 'eur'), bank('6789', false)]);
  expect(await get()).toMatchObject({ bankAccount: { last4: '6789' } });
});

test('an account that gets no transfers is not ready for destination charges', async () => {
  const created = await fetch(`${stripe.apiBase}/v1/accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripe.secretKey}`, 'idempotency-key': 'account_without_transfers' },
    body: new URLSearchParams({ 'capabilities[us_bank_account_ach_payments][requested]': 'true' }),
  });
  const { id } = (await created.json()) as { id: string };
  await stripe.control.require(id, []);
  const secret = JSON.stringify(stripe);
  const readyFor = async (chargeType: ChargeType) =>
    (
      await stripeDepositAccounts(
        stripeCaller(async () => secret, stripe.apiBase),
        chargeType,
      ).findAccount(id)
    )?.isReady;
  expect([await readyFor('direct'), await readyFor('destination')]).toEqual([true, false]);
});

test('while Stripe does not answer, a notification is refused, so that Stripe repeats it', async () => {
  const { start, notified, stored } = await onboarding();
  await start();
  await stripe.control.fault('server_error', { operation: 'GetAccountsAccount' });
  await expect(notified((await stored()).depositAccountId ?? '')).rejects.toThrow('did not answer');
  await stripe.control.clearFaults();
});

test('nothing is created while Stripe does not answer', async () => {
  const { start, stored } = await onboarding();
  await stripe.control.fault('server_error', { operation: 'PostAccounts' });
  expect(await problemOf(start())).toMatchObject({ code: 'processor_unavailable' });
  expect((await stored()).depositAccountId).toBeUndefined();
  await stripe.control.clearFaults();
});

test('when Stripe gives no page, the account and the audit entry stay, and the problem does not deny it', async () => {
  const { start, stored, actions } = await onboarding();
  await stripe.control.fault('server_error', { operation: 'PostAccountLinks' });
  expect(await problemOf(start())).toMatchObject({
    code: 'processor_unavailable',
    message: 'Try again in a few minutes.',
  });
  await stripe.control.clearFaults();
  const { depositAccountId } = await stored();
  expect(depositAccountId).toEqual(expect.any(String));
  expect(await actions()).toContainEqual(['deposit_destination.opened', undefined]);
  expect((await start()).url).toContain(depositAccountId);
});

test.each([
  ['external_account', 'bank_account'],
  ['company.tax_id', 'tax_id'],
  ['individual.id_number', 'tax_id'],
  ['company.address.line1', 'business'],
  ['business_profile.mcc', 'business'],
  ['business_type', 'business'],
  ['business_profile.url', 'website'],
  ['person_1Abc.dob.day', 'representative'],
  ['representative.first_name', 'representative'],
  ['company.owners_provided', 'owners'],
  ['owners.email', 'owners'],
  ['person_1Abc.verification.document', 'document'],
  ['tos_acceptance.ip', 'agreement'],
  ['something.new', 'other'],
])('the requirement %s is shown as %s', (name, need) => {
  expect(needsOf([name, name])).toEqual([need]);
});
