import { describe, expect, test } from 'vitest';
import { soon } from './dashboard-on-double.ts';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { paidSessionId } from './payment-data.ts';
import { fillName, fillPaymentLink } from './payment-link-form.ts';

const on = useDashboardInDom();
const focused = () => on.page.evaluate(() => document.activeElement?.textContent);

describe('signing in', () => {
  test('starts on a page that says what went wrong the last time', async () => {
    on.api.signedIn = false;
    await on.visit('/?problem=sign_in_refused');
    await on.page.getByRole('alert').getByText('You were not signed in.').waitFor();
    await on.link('Sign in').click();
    await on.expectHeading('Choose a practice');
  });

  test('a change that needs a fresh sign-in says so and keeps what was typed', async () => {
    on.api.overrides.createSession = () => (on.api.recentSignIn ? undefined : { code: 'sign_in_too_old' });
    on.api.recentSignIn = false;
    await on.open('/sessions/new');
    await fillPaymentLink(on.page);
    await on.button('Create payment link').click();
    await on.page.getByRole('dialog', { name: 'Confirm it is you' }).waitFor();
    await on.signInWith(on.link('Sign in again'));
    await expect.poll(() => on.page.getByLabel('Invoice number').inputValue(), soon).toBe('INV-9');
    await expect.poll(() => on.page.evaluate(() => Object.keys(sessionStorage)), soon).toEqual([]);
  });

  test('shows nothing of what somebody else had typed before their sign-in ended', async () => {
    const url = `${on.api.url}/api/dashboard/me`;
    const me: { readonly user: object } = await (await fetch(url)).json();
    await on.open('/sessions/new');
    await on.page.getByLabel('Invoice number').fill('INV-9');
    on.api.signedIn = false;
    on.api.overrides.getMe = () => ({ ...me, user: { ...me.user, userId: 'usr_other' } });
    await on.page.getByLabel('Amount').fill('20');
    await fillName(on.page);
    await on.signInWith(on.button('Create payment link'));
    await on.expectHeading('New payment link');
    await on.loaded();
    expect(await on.page.getByLabel('Invoice number').inputValue()).toBe('');
    expect(await on.page.getByText('Not saved yet').count()).toBe(0);
  });

  test.each([
    ['https://harbor.example/webhooks', 'https://harbor.example/webhooks'],
    ['https://harbor.example/webhooks?token=secret', ''],
  ])('the URL of an endpoint is kept unless it may hold a secret: %s', async (url, kept) => {
    on.api.recentSignIn = false;
    await on.open('/settings/webhooks?new=1');
    await on.page.getByLabel('URL').fill(url);
    await on.dialog().getByRole('button', { name: 'Add endpoint' }).click();
    await on.signInWith(on.link('Sign in again'));
    await on.page.getByText('Not saved yet. Press “Add endpoint”.').waitFor();
    expect(await on.page.getByLabel('URL').inputValue()).toBe(kept);
  });

  test('to accept an invitation is remembered without accepting it', async () => {
    on.api.signedIn = false;
    await on.visit('/join#fresh-token');
    await on.link('Sign in').click();
    await on.button('Accept invitation').waitFor();
    await on.visit('/');
    await on.expectHeading('Choose a practice');
  });

  test('an invitation outlives the sign-in', async () => {
    on.api.signedIn = false;
    await on.visit('/join#fresh-token');
    await on.link('Sign in').click();
    await on.button('Accept invitation').click();
    await on.expectHeading('Home');
  });

  test('an action that waited for a sign-in is asked again where it was, and is then done', async () => {
    on.api.mode = 'live';
    on.api.recentSignIn = false;
    await on.open(`/sessions/${paidSessionId}`);
    await on.button('Erase patient').click();
    await on.dialog().getByRole('button', { name: 'Erase patient' }).click();
    await on.signInWith(on.link('Sign in again'));
    await expect.poll(focused, soon).toBe('Not done yet. Press “Erase patient”.');
    await on.dialog().getByRole('button', { name: 'Erase patient' }).click();
    await on.page.getByText('Erased.').waitFor();
  });

  test('an action that was given up before the sign-in is not asked again', async () => {
    on.api.recentSignIn = false;
    await on.open('/team?remove=usr_sam');
    await on.dialog().getByRole('button', { name: 'Remove member' }).click();
    await on.page.getByRole('dialog', { name: 'Confirm it is you' }).getByRole('button', { name: 'Go back' }).click();
    await on.page.reload();
    await on.dialog().waitFor();
    expect(await on.page.getByText('Not done yet').count()).toBe(0);
  });

  test('signing out everywhere asks first', async () => {
    await on.open('');
    await on.button('Sign out everywhere').click();
    await on.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await on.link('Sign in again').waitFor();
    expect(on.sent('signOut')).toEqual([{ everywhere: true }]);
  });
});
