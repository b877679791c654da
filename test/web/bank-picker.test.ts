// @module-tag browser

import { describe, expect, test } from 'vitest';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import { mainAction, phone } from './journey.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';
import { languages } from './views-table.ts';

const on = usePageOnDouble('live');
const live = (session: SessionView): SessionView => ({ ...session, sandbox: false });
const opened = live(sessions.opened);
const connected = live(sessions.connected);
const alert = () => on.page.getByRole('alert').innerText();
const loads = () => on.api.stripe?.loads ?? expect.fail('no script');

async function pay(): Promise<void> {
  await on.page.getByRole('button', { name: 'Pay from your bank account' }).click();
}

describe('"Pay from your bank account"', () => {
  test("opens Stripe's picker for the practice's account, and leads to the review", async () => {
    on.api.answers.openSession = () => opened;
    on.api.answers.connectBank = () => connected;
    on.api.answers.authorizePayment = () => live(sessions.submitted);
    await on.stopClock();
    await on.visit(live(sessions.owed));
    await pay();
    await on.expectView('Review and authorize');
    expect(await on.page.evaluate('opened')).toEqual([{ key: 'pk_live_1', stripeAccount: 'acct_1', locale: 'en' }]);
    expect(on.callsOf('startBankConnection')).toHaveLength(1);
    expect(on.callsOf('connectBank').map(({ body }) => body)).toEqual([{}]);
    await on.pass(1_100);
    await mainAction(on.page).click();
    await on.expectView('Payment submitted');
  });

  test("loads Stripe's script only then, once, without its fraud signals", async () => {
    on.api.picker = 'closed';
    await on.visit(opened);
    await on.page.mouse.wheel(0, 200);
    expect(loads()).toEqual([]);
    for (const _ of ['first', 'second']) {
      await pay();
      await on.expectText('No bank account was connected.');
      await expect.poll(() => mainAction(on.page).getAttribute('aria-disabled'), soon).toBe('false');
    }
    expect(loads()).toEqual(['/v3/?advancedFraudSignals=false']);
    expect(on.callsOf('startBankConnection')).toHaveLength(2);
    expect(on.callsOf('connectBank')).toHaveLength(0);
  });

  test('says what it does while the picker is open, and ignores a second press', async () => {
    on.api.picker = 'waits';
    await on.visit(opened);
    await mainAction(on.page).dblclick();
    await expect.poll(alert, soon).toBe('Connecting your bank…');
    expect(await mainAction(on.page).getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => on.page.evaluate('window.opened?.length'), soon).toBe(1);
    expect(on.callsOf('startBankConnection')).toHaveLength(1);
  });

  test.each([
    ['en', 'Did nothing open?', 'Try again', 'Copy link', 'Link copied'],
    ['es', '¿No se abrió nada?', 'Intentar de nuevo', 'Copiar enlace', 'Enlace copiado'],
  ])('can be pressed again after a minute without an answer, or the link copied (%s)', async (lang, ...words) => {
    const [asks, again, copy, copied] = words;
    on.api.picker = 'waits';
    await on.stopClock();
    await on.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: on.api.url });
    await on.visit(opened, `/s/the-token?lang=${lang}`);
    await mainAction(on.page).click();
    await expect.poll(() => on.page.evaluate('window.opened?.length'), soon).toBe(1);
    expect(await on.page.getByRole('button', { name: copy }).count()).toBe(0);
    await on.pass(60_000);
    await on.expectText(asks);
    await on.page.getByRole('button', { name: copy }).click();
    await on.expectText(copied);
    expect(await on.page.evaluate(() => navigator.clipboard.readText())).toBe(on.page.url());
    await on.page.getByRole('button', { name: again }).click();
    await expect.poll(() => on.page.evaluate('window.opened?.length'), soon).toBe(2);
    expect(on.callsOf('startBankConnection')).toHaveLength(1);
  });

  test('shows the link where it cannot be copied', async () => {
    on.api.picker = 'waits';
    await on.stopClock();
    await on.visit(opened);
    await on.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await pay();
    await expect.poll(() => on.page.evaluate('window.opened?.length'), soon).toBe(1);
    await on.pass(60_000);
    await on.page.getByRole('button', { name: 'Copy link' }).click();
    await on.expectText(on.page.url());
  });

  test.each([
    ['fails', 'Your bank could not be connected. Try again, or choose another bank.'],
    ['breaks', 'Your bank could not be connected. Try again, or choose another bank.'],
  ] as const)('can be pressed again after a picker that %s', async (picker, words) => {
    on.api.picker = picker;
    await on.visit(opened);
    await pay();
    await expect.poll(alert, soon).toBe(words);
    on.api.picker = 'connects';
    on.api.answers.connectBank = () => connected;
    await pay();
    await on.expectView('Review and authorize');
  });

  test("can be pressed again once Stripe's script is no longer blocked", async () => {
    on.api.answers.connectBank = () => connected;
    await on.visit(opened);
    await on.page.route('**/v3/**', (route) => route.abort());
    await pay();
    await on.expectText('We could not open Stripe, which connects your bank.');
    expect(await on.text()).toContain('Call (555) 010-0142');
    await on.page.unrouteAll();
    await pay();
    await on.expectView('Review and authorize');
  });

  test('does not wait forever for a script that does not come', async () => {
    await on.stopClock();
    await on.page.route('**/v3/**', () => {});
    await on.visit(opened);
    await pay();
    await expect.poll(alert, soon).toBe('Connecting your bank…');
    await on.pass(20_000);
    await on.expectText('We could not open Stripe');
  });

  test('says how many tries are left after an account that was refused, and ends locked', async () => {
    let attemptsRemaining = 2;
    on.api.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: --attemptsRemaining });
    await on.visit(opened);
    await pay();
    await expect.poll(alert, soon).toBe('This account could not be connected. Try another one. You have 1 try left.');
    await pay();
    await on.expectView('Too many sign-in attempts');
  });

  test('connects another account before authorizing', async () => {
    on.api.answers.connectBank = () => ({
      ...connected,
      bankAccount: { bankName: 'Other Bank', accountType: 'savings', last4: '1111' },
    });
    await on.visit(connected);
    await on.page.getByRole('button', { name: 'Use another account' }).click();
    await on.expectText('Other Bank savings account ending in 1111');
  });
});

test('the focus comes back to the button after a picker that took it', async () => {
  on.api.picker = 'closed';
  await on.visit(opened);
  await mainAction(on.page).focus();
  await on.page.keyboard.press('Enter');
  await on.expectText('No bank account was connected.');
  await expect.poll(() => mainAction(on.page).evaluate((button) => button === document.activeElement), soon).toBe(true);
});

describe('by keyboard, "Use another account"', () => {
  const otherAccount = () => on.page.getByRole('button', { name: 'Use another account' });
  const focused = () => on.page.evaluate(() => document.querySelector(':focus')?.textContent);

  test('gets the focus back after a picker that was closed', async () => {
    on.api.picker = 'closed';
    await on.visit(connected);
    await otherAccount().press('Enter');
    await on.expectText('No bank account was connected.');
    await expect.poll(focused, soon).toBe('Use another account');
  });

  test('leads to the heading of the review, which has the other account now', async () => {
    on.api.answers.connectBank = () => ({
      ...connected,
      bankAccount: { bankName: 'Other Bank', accountType: 'savings', last4: '1111' },
      authorization: { id: 'authorization-2', text: 'I authorize one debit.', locale: 'en' },
    });
    await on.visit(connected);
    await otherAccount().press('Enter');
    await on.expectText('Other Bank savings account ending in 1111');
    await expect.poll(focused, soon).toBe('Review and authorize');
    expect(await alert()).toBe('');
  });
});

test("a live page never asks for a bank's password, whatever its address", async () => {
  for (const hash of ['#banks', '#sandbox_bank']) {
    await on.visit(opened, `/s/the-token${hash}`);
    expect(await on.page.locator('input').count()).toBe(0);
    await expect.poll(() => new URL(on.page.url()).hash, soon).toBe('');
  }
});

test.each(languages)(
  'how to check that the page is real is in sight on a phone without scrolling (%s)',
  async (lang) => {
    await on.visit(live(sessions.owed), `/s/the-token?lang=${lang}`);
    const check = await on.page.locator('.check').boundingBox();
    expect((check?.y ?? Infinity) + (check?.height ?? 0)).toBeLessThanOrEqual(phone.height);
  },
);
