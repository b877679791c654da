// @module-tag browser

import { describe, expect, test } from 'vitest';
import { chooseBank, mainAction, typeCredentials } from './journey.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();

describe('the journey', () => {
  test('leads from the amount due to paid, and a reload shows the same view at every step', async () => {
    const expectAlsoReloaded = async (expected: string) => {
      await on.expectView(expected);
      await on.page.reload();
      await on.expectView(expected);
    };
    // A reload can cut off a touch, so that a later one is reported together with the sign-in.
    on.api.answers.openSession = () => (on.api.session?.openedAt === undefined ? sessions.opened : on.api.session);
    on.api.answers.connectBank = () => sessions.connected;
    on.api.answers.authorizePayment = () => sessions.submitted;

    await on.stopClock();
    await on.visit(sessions.owed);
    await expectAlsoReloaded('Pay Lakeside');
    await on.page.getByRole('button', { name: 'Pay from your bank account' }).click();
    await expectAlsoReloaded('Choose your bank');
    await chooseBank(on.page);
    await expectAlsoReloaded('Sign in to Sandbox Bank');
    await on.signIn(' user_good ');
    await expectAlsoReloaded('Review and authorize');
    await on.pass(1_100);
    await on.page.getByRole('button', { name: 'Authorize payment of $182.50' }).click();
    await expectAlsoReloaded('Payment submitted');
    on.api.session = sessions.paid;
    await on.pass(2_000);
    await expectAlsoReloaded('You paid $182.50');

    expect(on.callsOf('connectBank').map(({ body }) => body)).toEqual([
      { bank: 'sandbox_bank', username: 'user_good', password: 'test-password' },
    ]);
    expect(on.callsOf('authorizePayment').map(({ body }) => body)).toEqual([
      { authorizationAccepted: true, authorizationId: 'authorization-1' },
    ]);
    expect(new Set(on.api.calls.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer the-token']));
    expect(await on.page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
      0,
      0,
      '',
    ]);
  });

  test("goes back from the sign-in by the page's own buttons", async () => {
    await on.visit(sessions.opened);
    await on.page.getByRole('button', { name: 'Pay from your bank account' }).click();
    await chooseBank(on.page);
    await on.page.getByRole('button', { name: 'Choose another bank' }).click();
    await on.expectView('Choose your bank');
    await on.page.getByRole('button', { name: 'Back' }).click();
    await on.expectView('Pay Lakeside');
  });

  test('can connect another account before authorizing', async () => {
    on.api.answers.connectBank = () => ({
      ...sessions.connected,
      bankAccount: { bankName: 'Sandbox Bank', accountType: 'savings', last4: '1111' },
    });
    await on.visit(sessions.connected);
    await on.page.getByRole('button', { name: 'Use another account' }).click();
    await chooseBank(on.page);
    await on.signIn('user_good');
    await on.expectText('Sandbox Bank savings account ending in 1111');
    expect(new URL(on.page.url()).hash).toBe('');
  });
});

describe('a refused sign-in', () => {
  test('says how many tries are left, keeps the username, forgets the password, and ends locked', async () => {
    let attemptsRemaining = 2;
    on.api.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: --attemptsRemaining });
    await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
    await on.signIn('user_bad');
    await expect
      .poll(() => on.page.getByRole('alert').innerText(), soon)
      .toBe('The bank did not accept this test user and test password. You have 1 try left.');
    expect(await on.page.getByLabel('Test user').inputValue()).toBe('user_bad');
    expect(await on.page.getByLabel('Test password').inputValue()).toBe('');
    expect(
      await on.page
        .locator('#test-word:focus')
        .evaluateAll((fields) =>
          fields.map((field) => [field.getAttribute('aria-invalid'), field.getAttribute('aria-describedby')]),
        ),
    ).toEqual([['true', 'sign-in-notice']]);
    expect(await on.page.locator('#sign-in-notice').innerText()).toContain('did not accept');
    await on.signIn('user_bad');
    await on.expectView('Too many sign-in attempts');
  });

  test('by a bank that is down asks to try later, keeps the username, and leads to another bank', async () => {
    on.api.answers.connectBank = () => ({ code: 'bank_unavailable' });
    await on.visit(sessions.opened, '/s/the-token#banks');
    await chooseBank(on.page, 'Unavailable Bank');
    await on.expectView('Sign in to Unavailable Bank');
    await on.signIn('user_good');
    await on.expectText("We can't reach this bank right now.");
    await expect.poll(() => on.page.getByLabel('Test password').inputValue(), soon).toBe('');
    expect(await on.page.getByLabel('Test user').inputValue()).toBe('user_good');
    expect(on.callsOf('connectBank').map(({ body }) => body)).toMatchObject([{ bank: 'unavailable_bank' }]);
    await on.page.getByRole('button', { name: 'Choose another bank' }).click();
    await on.expectView('Choose your bank');
    expect(await on.page.getByRole('alert').innerText()).toBe('');
  });
});

test("no browser or password manager mistakes the test sign-in for a bank's", async () => {
  await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
  const fields = await on.page.locator('input').evaluateAll((inputs: HTMLInputElement[]) =>
    inputs.map(({ id, name, type, attributes }) => ({
      type,
      names: `${id} ${name}`,
      says: [...attributes].map((attribute) => `${attribute.name}=${attribute.value}`),
    })),
  );
  expect(fields).toHaveLength(2);
  for (const { type, names, says } of fields) {
    expect(type).toBe('text');
    expect(names).not.toMatch(/user-?name|pass|login/i);
    expect(says).toEqual(
      expect.arrayContaining(['autocomplete=off', 'data-1p-ignore=true', 'data-bwignore=true', 'data-lpignore=true']),
    );
  }
});

describe('the name on the bank account', () => {
  const named = {
    ...sessions.connected,
    payerName: 'Rosa Lopez',
    authorization: { id: 'authorization-2', text: 'I, Rosa Lopez, authorize one debit.', locale: 'en' },
  } as const;
  const field = () => on.page.getByLabel('Name on the bank account');

  test("is the patient's until it is changed; then the text has the new one, and is accepted after it was read", async () => {
    on.api.answers.namePayer = () => named;
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.stopClock();
    await on.visit(sessions.connected);
    await on.pass(1_100);
    expect(await field().inputValue()).toBe('Maria Lopez');
    await field().fill(' Rosa Lopez ');
    await expect.poll(() => mainAction(on.page).getAttribute('aria-disabled'), soon).toBe('true');
    await mainAction(on.page).click({ force: true });
    await on.expectText('I, Rosa Lopez, authorize one debit.');
    await expect.poll(() => field().inputValue(), soon).toBe('Rosa Lopez');
    expect(await on.page.getByRole('alert').innerText()).toContain('The authorization has changed.');
    expect(on.callsOf('namePayer').map(({ body }) => body)).toEqual([{ payerName: 'Rosa Lopez' }]);
    expect(on.callsOf('authorizePayment')).toHaveLength(0);
    await on.pass(1_100);
    await mainAction(on.page).click();
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment').map(({ body }) => body)).toEqual([
      { authorizationAccepted: true, authorizationId: 'authorization-2' },
    ]);
  });

  test('stays as it was typed if it is refused, and nothing can be authorized', async () => {
    on.api.answers.namePayer = () => ({ code: 'invalid_request' });
    await on.stopClock();
    await on.visit(sessions.connected);
    await on.pass(1_100);
    await field().fill('Rosa 4242');
    await field().press('Enter');
    await on.expectText('Please check the name on the bank account.');
    expect(await field().inputValue()).toBe('Rosa 4242');
    expect(await mainAction(on.page).getAttribute('aria-disabled')).toBe('true');
    await field().fill('Maria Lopez');
    await expect.poll(() => mainAction(on.page).getAttribute('aria-disabled'), soon).toBe('false');
    expect(on.callsOf('authorizePayment')).toHaveLength(0);
  });
});

describe('a copy by mail', () => {
  const field = () => on.page.getByLabel('Email me a copy');

  async function authorizeWith(email: string): Promise<void> {
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.stopClock();
    await on.visit(sessions.connected);
    await field().fill(email);
    await on.pass(1_100);
    await mainAction(on.page).click();
  }

  test('is emailed once the payment is authorized, and the page says so', async () => {
    await authorizeWith('rosa@example.com');
    await on.expectText('We emailed you a copy of your authorization.');
    const routes = on.api.calls.map(({ route }) => route);
    expect(routes.indexOf('mailCopy')).toBeGreaterThan(routes.indexOf('authorizePayment'));
    expect(on.callsOf('mailCopy').map(({ body }) => body)).toEqual([{ email: 'rosa@example.com' }]);
    expect(JSON.stringify(on.callsOf('authorizePayment'))).not.toContain('rosa');
  });

  test('that was not emailed is reported, and the receipt is there to print', async () => {
    on.api.answers.mailCopy = () => ({ code: 'copy_not_mailed' });
    await authorizeWith('rosa@example.com');
    await on.expectText('We could not email your copy. Please print or save this page instead.');
    await on.expectView('Payment submitted');
  });

  test('is emailed even if the answer to the payment was lost', async () => {
    on.api.answers.authorizePayment = () => {
      on.api.session = sessions.submitted;
      return 'hang_up';
    };
    await on.stopClock();
    await on.visit(sessions.connected);
    await on.pass(1_100);
    await field().fill('rosa@example.com');
    await mainAction(on.page).click();
    await on.expectText('We emailed you a copy of your authorization.');
    expect(on.callsOf('mailCopy')).toHaveLength(1);
  });

  test('without an address is not asked for, and with a wrong one nothing is authorized', async () => {
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.stopClock();
    await on.visit(sessions.connected);
    await on.pass(1_100);
    await field().fill('rosa@example');
    await mainAction(on.page).click();
    await expect.poll(() => on.page.evaluate(() => document.activeElement?.id), soon).toBe('copy-to');
    expect(on.callsOf('authorizePayment')).toHaveLength(0);
    await field().fill('');
    await mainAction(on.page).click();
    await on.expectView('Payment submitted');
    expect(on.callsOf('mailCopy')).toHaveLength(0);
  });
});

describe('an authorization that was not read', () => {
  async function press(): Promise<void> {
    await mainAction(on.page).evaluate((button: HTMLElement) => button.click());
    await mainAction(on.page).focus();
    await on.page.keyboard.press('Enter');
  }

  test.each([
    [360, 640],
    [320, 568],
    [390, 844],
  ])('is not accepted by a second tap on "Sign in" (%i x %i), and is by a later one', async (width, height) => {
    on.api.answers.connectBank = () => sessions.connected;
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.stopClock();
    await on.page.setViewportSize({ width, height });
    await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
    await typeCredentials(on.page, 'user_good');
    const signIn = (await on.page.getByRole('button', { name: 'Sign in' }).boundingBox()) ?? expect.fail('no button');
    const tap = () => on.page.touchscreen.tap(signIn.x + signIn.width / 2, signIn.y + signIn.height - 8);
    await tap();
    await on.page.locator('.authorization').waitFor();
    await on.pass(250);
    await tap();
    await press();
    await on.pass(700);
    await press();
    await on.pass(100);
    expect(await mainAction(on.page).getAttribute('aria-disabled')).toBe('false');
    expect(on.callsOf('authorizePayment')).toHaveLength(0);
    const button = await mainAction(on.page).boundingBox();
    await on.page.touchscreen.tap(width / 2, (button?.y ?? 0) + 10);
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });

  test('is not accepted by a tap meant for the previous text, and the change is announced', async () => {
    await on.stopClock();
    await on.visit(sessions.connected);
    await on.pass(1_100);
    await expect.poll(() => mainAction(on.page).getAttribute('aria-disabled'), soon).toBe('false');
    on.api.session = {
      ...sessions.connected,
      bankAccount: { bankName: 'Sandbox Bank', accountType: 'checking', last4: '0001' },
      authorization: { id: 'authorization-2', text: 'I authorize a debit of my account ending in 0001.', locale: 'en' },
    };
    await on.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await on.expectText('ending in 0001');
    await press();
    expect(await on.page.getByRole('alert').innerText()).toBe(
      'The authorization has changed. Please read it again before you authorize the payment.',
    );
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.pass(1_100);
    await mainAction(on.page).click();
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment').map(({ body }) => body)).toEqual([
      { authorizationAccepted: true, authorizationId: 'authorization-2' },
    ]);
  });
});
