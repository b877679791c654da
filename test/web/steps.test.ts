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

    expect(on.callsOf('connectBank').map(({ body }) => body)).toEqual([{ username: 'user_good', password: 'test-password' }]);
    expect(on.callsOf('authorizePayment').map(({ body }) => body)).toEqual([{ authorizationAccepted: true, authorizationId: 'authorization-1' }]);
    expect(new Set(on.api.calls.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer the-token']));
    expect(await on.page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([0, 0, '']);
  });

  test.each([
    ['the phone\'s back button', () => on.page.goBack()],
    ['the page\'s own', () => on.page.getByRole('button', { name: 'Back' }).click()],
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
    on.api.answers.connectBank = () => ({ ...sessions.connected, bankAccount: { bankName: 'Sandbox Bank', accountType: 'savings', last4: '1111' } });
    await on.visit(sessions.connected);
    await on.page.getByRole('button', { name: 'Use another account' }).click();
    await on.signIn('user_good');
    await on.expectText('Sandbox Bank savings •••• 1111');
    expect(new URL(on.page.url()).hash).toBe('');
  });
});

describe('a refused sign-in', () => {
  test('says how many tries are left, forgets what was typed, and ends locked', async () => {
    let attemptsRemaining = 2;
    on.api.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: --attemptsRemaining });
    await on.visit(sessions.opened, '/s/the-token#bank');
    await on.signIn('user_bad');
    await expect.poll(() => on.page.getByRole('alert').innerText(), soon).toBe('The bank did not accept this username and password. You can try once more.');
    expect(await on.page.getByLabel('Username').inputValue()).toBe('');
    expect(await on.page.getByLabel('Password').inputValue()).toBe('');
    expect(await on.page.locator('#username:focus').evaluateAll((fields) => fields.map((field) => [field.getAttribute('aria-invalid'), field.getAttribute('aria-describedby')]))).toEqual([['true', 'sign-in-notice']]);
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
    await on.page.getByLabel('Username').waitFor();
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

describe('authorizing', () => {
  const authorize = () => on.page.getByRole('button', { name: 'Authorize payment' });

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
      on.api.session = { ...sessions.connected, authorization: { id: 'authorization-2', text: 'I authorize something else.', locale: 'en' } };
      return { code: 'authorization_changed' };
    };
    await authorize().click();
    await on.expectText('I authorize something else.');
    expect(await on.page.getByRole('alert').innerText()).toContain('Please read it again');
  });
});
