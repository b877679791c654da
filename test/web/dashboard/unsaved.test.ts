// @module-tag browser

import { expect, test } from 'vitest';
import { useDashboardOnDouble } from './dashboard-on-double.ts';

const on = useDashboardOnDouble();
const question = 'Leave without saving? What you entered is lost.';
const name = () => on.page.getByLabel('Name', { exact: true });

async function typeName(): Promise<void> {
  await on.page.getByRole('link', { name: 'Practice', exact: true }).click();
  await name().fill('Lakeside Dental');
  await on.expectText('Unsaved changes');
}

test('leaving a form with unsaved changes asks, whether by a link, by Back, by signing out or by a reload', async () => {
  await on.open('/team');
  await typeName();
  on.stays = true;
  const address = on.page.url();
  await on.link('Payments').click();
  await on.page.goBack();
  await on.button('Sign out').click();
  await on.page.evaluate(() => location.reload());
  await expect.poll(() => on.questions).toEqual([question, question, question, 'beforeunload']);
  expect(on.page.url()).toBe(address);
  expect(await name().inputValue()).toBe('Lakeside Dental');
  expect(on.callsOf('signOut')).toEqual([]);

  on.stays = false;
  await on.page.goBack();
  await on.expectHeading('Team');
});

test('leaving asks once, and nothing if nothing has changed or all of it is saved', async () => {
  await on.open('/team');
  await typeName();
  await on.link('Docs').click();
  await on.page.waitForURL('**/docs/');
  expect(on.questions).toEqual([question]);

  await on.open('/team');
  await typeName();
  await name().fill('Lakeside Family Dental');
  expect(await on.page.getByText('Unsaved changes').count()).toBe(0);
  await name().fill('Lakeside Dental');
  await on.button('Save').click();
  await on.page.getByText('Saved.').waitFor();
  await on.link('Payments').click();
  await on.expectHeading('Payments');
  expect(on.questions).toEqual([question]);
});

test('a dialog with something typed asks before it closes, and an empty one does not', async () => {
  await on.open('/team?invite=1');
  await on.dialog().getByLabel('Email').fill('sam@lakeside.example');
  on.stays = true;
  await on.page.keyboard.press('Escape');
  expect(on.questions).toEqual([question]);
  expect(await on.dialog().getByLabel('Email').inputValue()).toBe('sam@lakeside.example');
  await on.dialog().getByLabel('Email').fill('');
  await on.page.keyboard.press('Escape');
  await on.dialog().waitFor({ state: 'detached' });
  expect(on.questions).toEqual([question]);
});

test('a user who stays after all is asked again', async () => {
  await on.open('/team');
  await typeName();
  await on.button('Sign out everywhere').click();
  await on.dialog().getByRole('button', { name: 'Go back' }).click();
  await on.link('Payments').click();
  await on.expectHeading('Payments');
  expect(on.questions).toEqual([question, question]);
});
