// @module-tag browser

import { expect, test } from 'vitest';
import { mainAction } from './journey.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();
const notice = () => on.page.getByRole('alert').innerText();

async function authorize(): Promise<void> {
  await on.stopClock();
  await on.visit(sessions.connected);
  await on.pass(1_100);
  await mainAction(on.page).click();
}

test('a patient whose payment is lost is told so, cannot send it twice, and is asked for it again after 40 s', async () => {
  on.api.answers.authorizePayment = () => 'hang_up';
  await authorize();
  await expect.poll(notice, soon).toBe('We could not confirm your payment. Checking…');
  expect(await mainAction(on.page).innerText()).toBe('Checking…');
  expect(await on.text()).not.toMatch(/nothing|no money has/i);
  // Browsers resend what was lost on a reused connection.
  const sent = on.callsOf('authorizePayment').length;
  await mainAction(on.page).dispatchEvent('click');
  await on.page.clock.fastForward(40_000);
  await on.expectText("We haven't received your payment. You can authorize it again. You won't be charged twice.");
  expect(on.callsOf('authorizePayment')).toHaveLength(sent);
  on.api.answers.authorizePayment = () => sessions.submitted;
  await on.page.getByRole('button', { name: 'Authorize payment of $182.50' }).click();
  await on.expectView('Payment submitted');
});

test('a patient whose payment a busy service refused can send it again', async () => {
  on.api.answers.authorizePayment = () => 'gateway_429';
  await authorize();
  await expect.poll(notice, soon).toBe('The payment service is busy. Please try again in a few seconds.');
  on.api.answers.authorizePayment = () => sessions.submitted;
  await mainAction(on.page).click();
  await on.expectView('Payment submitted');
});

test('a patient whose bank sign-in is lost is told that, and nothing about money', async () => {
  on.api.answers.connectBank = () => 'hang_up';
  await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
  await on.signIn('user_good');
  await expect.poll(notice, soon).toBe('The connection was lost. Please try again.');
});
