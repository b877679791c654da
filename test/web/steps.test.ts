import { describe, expect, test } from 'vitest';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();

describe('the journey', () => {
  test('leads from what is owed over sign-in and authorization to paid, and a reload shows the same view at every step', async () => {
    const reloaded = async (expected: string) => {
      await on.page.reload();
      await on.expectView(expected);
    };
    on.api.answers.openSession = () => sessions.opened;
    on.api.answers.connectBank = () => sessions.connected;
    on.api.answers.authorizePayment = () => sessions.submitted;

    await on.visit(sessions.owed);
    await reloaded('asks you to pay');
    await on.page.getByRole('button', { name: 'Connect your bank' }).click();
    await on.expectView('Sign in to your bank');
    await reloaded('Sign in to your bank');
    await on.signIn(' user_good ');
    await on.expectView('Review and authorize');
    await reloaded('Review and authorize');
    await on.page.getByRole('button', { name: 'Authorize payment of $182.50' }).click();
    await on.expectView('Payment submitted');
    await reloaded('Payment submitted');
    on.api.session = sessions.paid;
    await on.expectView('Paid');
    await reloaded('Paid');

    expect(on.callsOf('connectBank').map(({ body }) => body)).toEqual([
      { username: 'user_good', password: 'test-password' },
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

  test.each([
    ["the phone's back button", () => on.page.goBack()],
    ["the page's own", () => on.page.getByRole('button', { name: 'Back' }).click()],
  ])('%s leaves the sign-in and not the page', async (_, goBack) => {
    await on.visit(sessions.opened);
    await on.page.getByRole('button', { name: 'Connect your bank' }).click();
    await on.page.getByLabel('Username').waitFor();
    await goBack();
    await on.expectView('asks you to pay');
  });

  test('is not set back by an answer that comes late', async () => {
    let answerFirstTouch: (() => void) | undefined;
    on.api.answers.openSession = async () => {
      await new Promise<void>((resolve) => (answerFirstTouch = resolve));
      return sessions.opened;
    };
    on.api.answers.connectBank = () => sessions.connected;
    await on.visit(sessions.owed, '/s/the-token#bank');
    const lateAnswer = on.page.waitForResponse((response) => response.url().endsWith('/open'));
    await on.signIn('user_good');
    await on.expectView('Review and authorize');
    answerFirstTouch?.();
    await (await lateAnswer).finished();
    await on.page.waitForTimeout(100);
    expect(await on.heading().innerText()).toBe('Review and authorize');
  });

  test('another account can be connected before authorizing', async () => {
    on.api.answers.connectBank = () => ({
      ...sessions.connected,
      bankAccount: { bankName: 'Sandbox Bank', accountType: 'savings', last4: '1111' },
    });
    await on.visit(sessions.connected);
    await on.page.getByRole('button', { name: 'Use another account' }).click();
    await on.signIn('user_good');
    await on.expectText('Sandbox Bank savings •••• 1111');
    expect(new URL(on.page.url()).hash).toBe('');
  });
});

describe('a refused sign-in', () => {
  test('says how many tries are left, keeps the username, forgets the password, and ends locked', async () => {
    let attemptsRemaining = 2;
    on.api.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: --attemptsRemaining });
    await on.visit(sessions.opened, '/s/the-token#bank');
    await on.signIn('user_bad');
    await expect
      .poll(() => on.page.getByRole('alert').innerText(), soon)
      .toBe('The bank did not accept this username and password. You can try once more.');
    expect(await on.page.getByLabel('Username').inputValue()).toBe('user_bad');
    expect(await on.page.getByLabel('Password').inputValue()).toBe('');
    expect(
      await on.page
        .locator('#password:focus')
        .evaluateAll((fields) =>
          fields.map((field) => [field.getAttribute('aria-invalid'), field.getAttribute('aria-describedby')]),
        ),
    ).toEqual([['true', 'sign-in-notice']]);
    expect(await on.page.locator('#sign-in-notice').innerText()).toContain('did not accept');
    await on.signIn('user_bad');
    await on.expectView('Bank sign-in is locked');
  });

  test('that finds the sign-in locked shows that', async () => {
    on.api.answers.connectBank = () => ({ code: 'bank_connection_locked' });
    await on.visit(sessions.opened, '/s/the-token#bank');
    await on.signIn('user_good');
    await on.expectView('Bank sign-in is locked');
  });

  test('by a bank that is down takes no try and asks for patience', async () => {
    on.api.answers.connectBank = () => ({ code: 'bank_unavailable' });
    await on.visit(sessions.opened, '/s/the-token#bank');
    await on.signIn('user_bank_down');
    await on.expectText('The bank cannot be reached right now.');
    await expect.poll(() => on.page.getByLabel('Password').inputValue(), soon).toBe('');
    expect(await on.page.getByLabel('Username').inputValue()).toBe('user_bank_down');
  });

  test('of a session that has expired meanwhile shows that', async () => {
    await on.visit(sessions.opened, '/s/the-token#bank');
    on.api.answers.connectBank = () => {
      on.api.session = sessions.expired;
      return { code: 'session_expired' };
    };
    await on.signIn('user_good');
    await on.expectView('This link has expired');
  });
});

test("the sign-in's fields say what they are for", async () => {
  await on.visit(sessions.opened, '/s/the-token#bank');
  expect(
    await on.page.locator('input').evaluateAll((fields) => fields.map((field) => field.getAttribute('autocomplete'))),
  ).toEqual(['username', 'current-password']);
});

describe('a live session, where no bank can be connected yet,', () => {
  test.each([
    ['opened', ''],
    ['opened', '#bank'],
    ['connected', ''],
    ['connected', '#bank'],
    ['locked', ''],
  ] as const)("that is %s never asks for a bank's password%s, and says whom to ask", async (state, hash) => {
    await on.visit({ ...sessions[state], sandbox: false }, `/s/the-token${hash}`);
    expect(await on.heading().innerText()).toBe('This invoice cannot be paid online yet');
    expect(await on.text()).toMatch(
      /No money has been taken\. Please ask Lakeside Family Dental how to pay it\..*Call \(555\) 010-0142/,
    );
    await on.page.evaluate(() => void (location.hash = '#bank'));
    await on.page.waitForTimeout(200);
    expect(await on.page.locator('input, .primary').count()).toBe(0);
  });

  test('keeps its time, as there is nothing to do in it', async () => {
    await on.visit({ ...sessions.owed, sandbox: false });
    await on.page.keyboard.press('Tab');
    await on.page.waitForTimeout(200);
    expect(on.callsOf('openSession')).toHaveLength(0);
  });
});

describe('a text that was not read', () => {
  const authorize = () => on.page.locator('.primary');
  const otherAccount = {
    ...sessions.connected,
    bankAccount: { bankName: 'Sandbox Bank', accountType: 'checking', last4: '0001' },
    authorization: { id: 'authorization-2', text: 'I authorize a debit of my account ending in 0001.', locale: 'en' },
  } as const;

  test.each([
    [360, 640],
    [320, 568],
    [390, 844],
  ])('is not accepted by a second tap on "Sign in" (%i x %i), and is by a later one', async (width, height) => {
    await on.page.setViewportSize({ width, height });
    on.api.answers.connectBank = () => sessions.connected;
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.visit(sessions.opened, '/s/the-token#bank');
    await on.page.getByLabel('Username').fill('user_good');
    await on.page.getByLabel('Password').fill('test-password');
    const {
      x,
      y,
      width: wide,
      height: high,
    } = (await on.page.getByRole('button', { name: 'Sign in' }).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await on.page.touchscreen.tap(x + wide / 2, y + high - 8);
    await on.page.locator('.authorization').waitFor();
    await on.page.waitForTimeout(250);
    await on.page.touchscreen.tap(x + wide / 2, y + high - 8);
    // Wherever a button stands: the next taps meet the one that authorizes.
    await authorize().evaluate((button: HTMLElement) => button.click());
    await authorize().focus();
    await on.page.keyboard.press('Enter');
    await on.page.waitForTimeout(1_500);
    expect(on.callsOf('authorizePayment')).toHaveLength(0);
    expect(await on.page.locator('h1').innerText()).toBe('Review and authorize');
    const button = await authorize().boundingBox();
    await on.page.touchscreen.tap(width / 2, (button?.y ?? 0) + 10);
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });

  test('is not accepted by a tap that meant the text before it, and the change is said aloud', async () => {
    await on.visit(sessions.connected);
    await expect.poll(() => authorize().getAttribute('aria-disabled'), soon).toBe('false');
    on.api.session = otherAccount;
    await on.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await on.expectText('ending in 0001');
    await authorize().evaluate((button: HTMLElement) => button.click());
    expect(await on.page.getByRole('alert').innerText()).toBe(
      'The authorization has changed. Please read it again before you authorize the payment.',
    );
    await on.page.waitForTimeout(200);
    expect(on.callsOf('authorizePayment')).toHaveLength(0);
    on.api.answers.authorizePayment = () => sessions.submitted;
    await authorize().click();
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment').map(({ body }) => body)).toEqual([
      { authorizationAccepted: true, authorizationId: 'authorization-2' },
    ]);
  });
});

describe('authorizing', () => {
  const authorize = () => on.page.getByRole('button', { name: 'Authorize payment' });

  test('is possible again once another payment of the invoice has failed, without a word of that one', async () => {
    await on.visit(sessions.connected);
    on.api.answers.authorizePayment = () => {
      on.api.session = sessions.inProgress;
      return { code: 'payment_in_progress' };
    };
    await authorize().click();
    await on.expectView('already in progress');
    on.api.session = sessions.connected;
    await on.expectView('Review and authorize');
    expect(await on.page.getByRole('alert').innerText()).toBe('');
  });

  test('twice in a row sends one payment', async () => {
    on.api.answers.authorizePayment = async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return sessions.submitted;
    };
    await on.visit(sessions.connected);
    await authorize().dblclick();
    await on.expectView('Payment submitted');
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });

  test.each([
    ['session_closed', 'submitted', 'Payment submitted'],
    ['session_expired', 'expired', 'This link has expired'],
    ['invoice_already_paid', 'alreadyPaid', 'This invoice is already paid'],
    ['payment_in_progress', 'inProgress', 'A payment of this invoice is already in progress'],
    ['bank_not_connected', 'opened', 'asks you to pay'],
  ] as const)('that is answered %s shows how the session stands', async (code, state, expected) => {
    await on.visit(sessions.connected);
    on.api.answers.authorizePayment = () => {
      on.api.session = sessions[state];
      return { code };
    };
    await authorize().click();
    await on.expectView(expected);
  });

  test('a text that has changed shows the new one and asks to read it again', async () => {
    await on.visit(sessions.connected);
    on.api.answers.authorizePayment = () => {
      on.api.session = {
        ...sessions.connected,
        authorization: { id: 'authorization-2', text: 'I authorize something else.', locale: 'en' },
      };
      return { code: 'authorization_changed' };
    };
    await authorize().click();
    await on.expectText('I authorize something else.');
    expect(await on.page.getByRole('alert').innerText()).toContain('Please read it again');
  });
});
