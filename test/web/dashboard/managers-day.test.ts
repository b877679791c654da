// @module-tag browser

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { patientOf, succeeded } from '../../support/patient.ts';
import { keepAxe } from '../axe.ts';
import { hide, phone } from '../journey.ts';
import { comeBackFor, eventually, headingOf, submitCredentials, useDashboardOnStack } from './on-stack.ts';
import { controlsOf, expectAccessible } from './page-requests.ts';

const on = useDashboardOnStack();

/** On a phone, the navigation is in a menu. */
async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', expanded: false });
  if (await menu.isVisible()) await menu.click();
}

async function goTo(page: Page, screen: string): Promise<void> {
  await openMenu(page);
  await page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();
  await headingOf(page, screen).waitFor();
}

/** Inspects the page in both color schemes. After that, it can be used again. */
async function inspect(page: Page): Promise<void> {
  await expectAccessible(page);
  await hide(page);
}

// The first one starts the functions for both.
test.each([
  { at: 'on her phone', viewport: phone, invoiceId: 'INV-88', lastName: 'Quiñones', supportPhone: '+1 555 010 0188' },
  {
    at: 'at the front desk',
    viewport: { width: 1280, height: 800 },
    invoiceId: 'INV-89',
    lastName: 'Ibáñez',
    supportPhone: '+1 555 010 0189',
  },
])('a practice manager does her day without a developer, $at', async (day) => {
  const { viewport, invoiceId, lastName, supportPhone } = day;
  const { service } = on;
  const page = await on.newPage();
  await page.setViewportSize(viewport);
  await keepAxe(page);
  const { button, link, inDialog, copied } = controlsOf(page);
  const manager = on.credentialsOf('admin');
  await on.visit(page, '');
  await submitCredentials(page, manager);
  await headingOf(page, 'Home').waitFor();
  await inspect(page);

  // She sends a link in Spanish.
  await goTo(page, 'Payments');
  // An empty list has the link too.
  await link('New payment link').first().click();
  await page.getByLabel('Invoice number').fill(invoiceId);
  await page.getByLabel('Amount').fill('64.20');
  await page.getByLabel("Patient's first name").fill('Lucía');
  await page.getByLabel('Last name').fill(lastName);
  await page.getByLabel('Language of the page').selectOption('Spanish');
  await button('Create payment link').click();
  await headingOf(page, 'Payment link created').waitFor();
  await page.getByRole('heading', { name: `Lucía ${lastName}, $64.20` }).waitFor();
  const hostedUrl = await copied('Payment link');
  const message = await page.locator('.patient-message .copy-text').innerText();
  expect(message).toContain(hostedUrl);
  expect(message).toContain('$64.20');
  expect(message).not.toMatch(new RegExp(`Lucía|${lastName}|${invoiceId}`));
  await inspect(page);
  expect(await link('Text it').getAttribute('href')).toContain(encodeURIComponent(hostedUrl));

  // The patient's bank does not pay, and she gets an email.
  const patient = patientOf(hostedUrl);
  await patient.connectBank('user_insufficient_funds', service.practice.password);
  succeeded(await patient.authorize());
  const [session] = (await service.client.sessions.listPage({ invoiceId })).data;
  const sessionId = session?.sessionId ?? expect.fail('There is no session.');
  await service.client.sandbox.advance(sessionId);
  const mailed = () =>
    service.mails.filter(({ to, text }) => to === manager.email && text.includes(sessionId)).map((mail) => mail);
  await expect.poll(mailed, eventually).toHaveLength(1);
  expect(JSON.stringify(mailed())).not.toMatch(new RegExp(`Lucía|${lastName}|${invoiceId}`));

  // The patient calls. She finds the payment by name, and reads what to do.
  await goTo(page, 'Payments');
  await page
    .getByLabel('Name, amount, invoice or reference number')
    .fill(lastName.normalize('NFD').replaceAll(/\p{M}/gu, ''));
  await button('Search').click();
  await link(invoiceId).waitFor();
  await inspect(page);
  await link(invoiceId).click();
  await comeBackFor(page.getByText('Ask the patient when the money will be there'));
  await inspect(page);
  expect(page.url()).not.toContain(lastName);

  // The accountant wants the month.
  await goTo(page, 'Payments');
  await button('Export CSV').click();
  await inDialog.button('This month').click();
  await inspect(page);
  const [download] = await Promise.all([page.waitForEvent('download'), inDialog.button('Export').click()]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.split('\r\n').find((row) => row.includes(invoiceId))).toMatch(
    new RegExp(`Failed.*${lastName}|${lastName}.*Failed`),
  );

  // She leaves a form unsaved, and is asked.
  await goTo(page, 'Practice');
  await page.getByLabel('Phone for patients').fill(supportPhone);
  page.once('dialog', (question) => void question.dismiss());
  await openMenu(page);
  await page.getByRole('navigation').getByRole('link', { name: 'Home', exact: true }).click();
  await headingOf(page, 'Practice').waitFor();
  expect(await page.getByLabel('Phone for patients').inputValue()).toBe(supportPhone);
  await inspect(page);
  await button('Save').first().click();
  await page.getByText('Saved.').waitFor();

  // She signs out, and back in.
  await openMenu(page);
  await button('Sign out').click();
  await headingOf(page, 'You are signed out').waitFor();
  await inspect(page);
  await link('Sign in again').click();
  await submitCredentials(page, manager);
  await headingOf(page, 'Home').waitFor();
});
