import { expect, test } from 'vitest';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();
const setOffline = (offline: boolean) => on.page.context().setOffline(offline);
const banner = () => on.page.locator('[role=status].offline').innerText();

test('a device that goes offline is told so and keeps what is on the screen; back online the page goes on by itself', async () => {
  await on.visit(sessions.opened, '/s/the-token#bank');
  await on.page.getByLabel('Username').fill('user_good');
  expect(await banner()).toBe('');
  await setOffline(true);
  await expect.poll(banner, soon).toContain('You are offline.');
  expect(await on.page.getByLabel('Username').inputValue()).toBe('user_good');
  on.api.session = sessions.cancelled;
  await setOffline(false);
  await on.expectView('Payment no longer required');
  expect(await banner()).toBe('');
});

test('a page that loses its session offline shows that, with the practice to call, and the session again once it is online', async () => {
  await on.visit(sessions.opened, '/s/the-token#bank');
  await setOffline(true);
  await on.signIn('user_good');
  await on.expectView('You are offline');
  expect(await on.text()).toMatch(/Lakeside Family Dental.*Call \(555\) 010-0142/);
  await setOffline(false);
  await on.expectView('Sign in to your bank');
});

test('a device that only believes to be offline shows the session without a word of it', async () => {
  await on.page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }));
  await on.visit(sessions.owed);
  await on.page.evaluate(() => dispatchEvent(new Event('offline')));
  await expect.poll(() => on.callsOf('getSession').length, soon).toBe(2);
  expect(await banner()).toBe('');
});

test('a server that does not answer is not called being offline', async () => {
  on.api.answers.getSession = () => 'hang_up';
  await on.visit(sessions.owed);
  expect(await on.heading().innerText()).toBe('We cannot reach the payment service');
});
