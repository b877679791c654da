import { beforeEach, describe, expect, test } from 'vitest';
import { depositNeeds } from '../../../functions/domain/practices/deposit-needs.ts';
import { auditMail } from '../../../functions/team/mails.ts';
import { aPractice } from '../../support/examples.ts';
import { termsVersion } from '../../../functions/domain/practices/practice.ts';
import { terms } from '../../../web/dashboard/terms.ts';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';
import { lakeside, maple } from './practice-data.ts';

const on = useDashboardInDom();

beforeEach(() => {
  on.api.mode = 'live';
});

describe('deposits', () => {
  test('are set up on the page of Stripe, after a recent sign-in', async () => {
    on.api.recentSignIn = false;
    await on.open('/settings/practice', maple);
    await on.button('Set up deposits').click();
    await on.expectText('This change needs a fresh sign-in.');
    await on.signInWith(on.link('Sign in again'));
    await on.button('Set up deposits').click();
    await expect.poll(() => on.page.url(), soon).toBe('https://connect.example/setup/acct_1');
  });

  test('name in words what Stripe still needs', async () => {
    on.api.practices[maple]!.deposit = { status: 'incomplete', accountId: 'acct_1', needs: [...depositNeeds] };
    await on.open('/settings/practice?deposit=expired', maple);
    await on.expectText('Stripe needs more before it deposits money');
    await on.expectText('The bank account that receives the money');
    await on.expectText('Stripe’s page had expired.');
    expect(await on.button('Continue at Stripe').isVisible()).toBe(true);
    // Pages import only types, so the email about a deadline has these words a second time.
    const details = { deadline: '2026-12-31T17:00:00.000Z', needs: depositNeeds.join(' ') };
    const due = { action: 'deposit_requirements.due', author: { kind: 'processor' }, at: details.deadline } as const;
    const { text } = auditMail({ practice: aPractice(), dashboardUrl: on.api.url }, { ...due, details });
    const mailed = [...text.matchAll(/^- (.+)$/gm)].map(([, words = '']) =>
      words.replace('the payment processor’s', 'Stripe’s'),
    );
    const items = on.page.getByRole('main').getByRole('list').filter({ hasText: 'A tax ID' }).getByRole('listitem');
    expect(await items.allTextContents()).toEqual(mailed);
  });

  test('wait while Stripe checks them', async () => {
    on.api.practices[maple]!.deposit = { status: 'in_review', accountId: 'acct_1', needs: [] };
    await on.open('/settings/practice', maple);
    await on.expectText('Stripe is checking what you entered');
  });

  test('show the bank account once they are ready', async () => {
    await on.open('/settings/practice');
    await on.expectText('To First Lakeside Bank, ending in 6789.');
    expect(await on.button('Change at Stripe').isVisible()).toBe(true);
  });

  test('send the admin to Stripe if it does not say which account gets the money', async () => {
    on.api.practices[lakeside]!.deposit = { status: 'ready', accountId: 'acct_1', needs: [] };
    await on.open('/settings/practice');
    await on.expectText('Stripe does not say to which of its accounts. Check it at Stripe.');
  });

  test('name what Stripe needs by a deadline, on every screen and in full', async () => {
    const at = '2026-12-31T17:00:00.000Z';
    const { settings } = on.api.practices[lakeside]!;
    on.api.practices[lakeside]!.settings = { ...settings, depositDeadline: { at, remindedDays: 7 } };
    on.api.practices[lakeside]!.deposit = { status: 'ready', accountId: 'acct_1', needs: ['tax_id'], deadline: at };
    await on.open('/settings/practice');
    await on.expectText('If it does not get it by');
    await on.expectText('A tax ID: the practice’s EIN, or the number of a person');
    expect(await on.button('Continue at Stripe').isVisible()).toBe(true);
  });

  test('say on every screen that patients cannot pay while Stripe takes no payments', async () => {
    const { settings } = on.api.practices[lakeside]!;
    on.api.practices[lakeside]!.settings = { ...settings, debitsStoppedAt: '2026-11-20T15:00:00.000Z' };
    await on.open('/sessions/new');
    await on.expectText('Patients cannot pay right now');
    await on.expectText('Stripe takes no payments for this practice.');
  });

  test('are refused for good if Stripe rejects the practice', async () => {
    on.api.practices[maple]!.deposit = { status: 'rejected', accountId: 'acct_1', needs: [] };
    await on.open('/settings/practice', maple);
    await on.expectText('Stripe does not accept the practice');
  });

  test('are only for admins', async () => {
    on.api.role = 'staff';
    await on.open('/settings/practice', maple);
    await on.expectText('Deposits are not set up yet. An admin does this.');
    expect(on.sent('getDeposit')).toEqual([]);
  });

  test('say so when Stripe does not answer', async () => {
    on.api.overrides.startDepositOnboarding = () => ({ code: 'processor_unavailable' });
    await on.open('/settings/practice', maple);
    await on.button('Set up deposits').click();
    await on.expectText('The payment processor did not answer.');
  });
});

describe('the terms', () => {
  test('are accepted in the version that is shown, which is the one that the API knows', async () => {
    await on.open('/settings/practice', maple);
    await on.button('Accept the terms').click();
    await on.expectText('By ana.ruiz@lakeside.example');
    expect(on.sent('acceptTerms')).toEqual([{ version: termsVersion }]);
    await expect.poll(() => on.button('Accept the terms').count(), soon).toBe(0);
    expect(terms.version).toBe(termsVersion);
  });

  test('of an older version ask to be accepted again', async () => {
    const practice = on.api.practices[maple]!;
    practice.settings = {
      ...practice.settings,
      termsAccepted: { version: '2020-01-01', at: '2026-01-05T15:00:00.000Z', by: 'ana@maple.example' },
    };
    await on.open('/settings/practice', maple);
    await on.expectText('Version 2020-01-01 was accepted, but not this one');
    expect(await on.button('Accept the terms').isVisible()).toBe(true);
  });
});

test('the first live payment link names what is left to do, before there is a form', async () => {
  on.api.mode = 'live';
  on.api.practices[maple]!.missingForLinks = ['terms', 'contact'];
  await on.open('/sessions/new', maple);
  await on.expectText('Before the first payment link');
  expect(await on.button('Create payment link').count()).toBe(0);
  const links = await on.page.locator('.notice li a').allTextContents();
  expect(links).toEqual(['Accept the terms', 'Tell patients how to reach you']);
  await on.link('Accept the terms').click();
  await on.page.getByRole('heading', { name: 'Deposits' }).waitFor();
  // The panel that the step leads to comes first.
  const panels = () => on.page.getByRole('heading', { level: 2 }).allTextContents();
  expect((await panels())[0]).toMatch(/terms/i);

  on.api.practices[maple]!.missingForLinks = [];
  await on.page.goBack();
  await on.button('Create payment link').waitFor();
});

test('staff are told that an admin has steps left before the first live payment link', async () => {
  on.api.mode = 'live';
  on.api.role = 'staff';
  on.api.practices[maple]!.missingForLinks = ['deposit'];
  await on.open('/sessions/new', maple);
  await on.expectText('An admin of your practice has these steps left to do:');
  expect(await on.page.locator('.notice li').allTextContents()).toEqual(['Set up where payments are deposited']);
});

test('the first live key names all that is missing', async () => {
  const detail = 'Before its first live key, the practice needs the terms accepted by an admin, in the dashboard.';
  on.api.overrides.createKey = () => ({ code: 'not_ready_for_live', detail });
  await on.open('/settings/keys?new=1', maple);
  await on.page.getByLabel('Name').fill('Billing system');
  await on.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await on.expectText(detail);
});
