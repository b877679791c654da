// @module-tag browser

import { expect, test } from 'vitest';
import { soon, useDashboardOnDouble } from './dashboard-on-double.ts';
import { harbor, harborName } from './practice-data.ts';

const on = useDashboardOnDouble();

test('the keyboard reaches every action', async () => {
  await on.open('/settings/keys');
  await on.page.locator('#content').focus();
  const reached: (string | null)[] = [];
  for (let presses = 0; presses < 12; presses++) {
    await on.page.keyboard.press('Tab');
    reached.push(
      await on.page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? null),
    );
  }
  expect(reached).toEqual(
    expect.arrayContaining([
      'Create key',
      'Rotate Billing system',
      'Revoke Billing system',
      'Revoke Front desk tablet',
    ]),
  );
});

test("a platform's member finds one of 300 practices by its name, acts for it, and switches to another, all by keyboard", async () => {
  on.api.joinHarbor({ acting: true });
  await on.visit('/api/dashboard/sign-in?return=/');
  await on.expectHeading('Practices');
  expect(new URL(on.page.url()).pathname).toBe(`/${harbor}`);
  await expect.poll(() => on.page.getByRole('row').count(), soon).toBe(51);
  await on.button('Load more').press('Enter');
  await expect.poll(() => on.page.getByRole('row').count(), soon).toBe(101);

  await on.page.getByLabel('Name').fill('LAKE');
  await on.page.keyboard.press('Enter');
  await expect.poll(() => on.page.getByRole('row').count(), soon).toBe(2);
  await on.link('Lakeside Family Dental').press('Enter');
  await on.expectHeading('Home');
  expect(await on.page.locator('.practice-name').innerText()).toBe(`Lakeside Family Dental\nfor ${harborName}`);

  await on.link('Switch practice').press('Enter');
  await on.expectHeading('Practices');
  await expect.poll(() => on.page.getByRole('row').count(), soon).toBe(51);
  await on.expectText('Missing: terms, deposits');
});

test('a dialog is left by Escape, which gives the focus back', async () => {
  await on.open('/sessions/ses_01KAGPENDING0000000000000');
  await on.button('Cancel payment').click();
  await on.page.keyboard.press('Escape');
  await on.dialog().waitFor({ state: 'detached' });
  await expect.poll(() => on.page.evaluate(() => document.activeElement?.textContent), soon).toBe('Cancel payment');
  expect(on.sent('cancelSession')).toHaveLength(0);
});

test('a new key cannot be lost: its dialog stays until the answer is there, whatever is pressed', async () => {
  const { promise: late, resolve: answer } = Promise.withResolvers<undefined>();
  on.api.overrides.createKey = () => late;
  await on.open('/settings/keys?new=1');
  await on.page.getByLabel('Name').fill('Kiosk');
  await on.dialog().getByRole('button', { name: 'Create key' }).click();
  for (const _ of ['cancels', 'closes in spite of that']) await on.page.keyboard.press('Escape');
  await on.button('Go back').click({ force: true });
  expect(await on.dialog().isVisible()).toBe(true);
  answer(undefined);
  await on.page.getByRole('region', { name: 'New key' }).waitFor();
  expect(await on.dialog().count()).toBe(0);
});

test('a filter keeps what is typed as soon as the field is there', async () => {
  await on.page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const field = document.querySelector<HTMLInputElement>('#filter-session');
      if (!field) return;
      observer.disconnect();
      field.value = 'ses_typed_early';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await on.open('/deliveries');
  await on.button('Filter').click();
  await expect.poll(() => new URL(on.page.url()).search).toBe('?sessionId=ses_typed_early');
});
