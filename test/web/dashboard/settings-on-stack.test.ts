// @module-tag browser

import { afterAll, expect, test } from 'vitest';
import { pictures } from '../../support/pictures.ts';
import { runCommand } from '../../support/run-command.ts';
import { controlsOf } from './page-requests.ts';
import { comeBackFor, eventually, headingOf, useDashboardOnStack, startSignedReceiver } from './on-stack.ts';

const on = useDashboardOnStack();

async function openAsAdmin(screen: string) {
  const page = await on.visitAs('admin', screen);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.locator('dialog[open]');
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  return { page, button, dialog, inDialog };
}

test('an endpoint is moved, gets a new secret, is disabled, enabled with a replay, and deleted', async () => {
  const receiver = await startSignedReceiver(afterAll);
  const { page, button, dialog, inDialog } = await openAsAdmin('/settings/webhooks?new=1');
  await page.getByLabel('URL').fill(`${receiver.url}/old`);
  await inDialog('Add endpoint').click();
  await page.getByRole('link', { name: 'Send a test event' }).click();

  await button('Move').click();
  await page.getByLabel('URL', { exact: true }).fill(receiver.url);
  await inDialog('Move endpoint').click();
  await page.getByRole('heading', { name: receiver.url, exact: true }).waitFor();

  await button('Rotate').click();
  await page.getByLabel('Not at all').check();
  await inDialog('Rotate secret').click();
  receiver.secret = await page.locator('.copy-text').innerText();
  await button('Send test event').click();
  await comeBackFor(page.getByText('The endpoint answered HTTP 200'));

  await button('Disable').click();
  await inDialog('Disable endpoint').click();
  await button('Enable').waitFor();
  const { sessionId } = await on.service.createSession();
  await on.service.client.sessions.cancel(sessionId);
  await page.getByRole('link', { name: 'Deliveries to this endpoint' }).click();
  await headingOf(page, 'Webhook deliveries').waitFor();
  const skipped = page.getByRole('row', { name: /The payment link was cancelled or expired.*Skipped/ });
  await expect
    .poll(
      async () => {
        await page.reload();
        await page.getByRole('row').first().waitFor();
        return skipped.count();
      },
      { ...eventually, interval: 100 },
    )
    .toBe(1);
  await page.getByRole('link', { name: 'The payment link was cancelled or expired' }).click();
  await page.getByText('The endpoint was disabled, so nothing was sent.').waitFor();
  await page.getByRole('link', { name: 'See the endpoint' }).click();

  await button('Enable').click();
  await dialog.getByText('Replay what this endpoint missed?').waitFor();
  await inDialog('Replay').click();
  await dialog.getByText('1 delivery will be sent again').waitFor();
  await expect.poll(() => receiver.types, eventually).toContain('session.payment.cancelled');
  await inDialog('Close').click();

  await button('Delete').click();
  await inDialog('Delete endpoint').click();
  await headingOf(page, 'Webhooks').waitFor();
  await page.getByRole('link', { name: on.service.receiver.url }).waitFor();
  expect(await page.getByRole('link', { name: receiver.url }).count()).toBe(0);
});

test('patients see the settings and the logo as soon as they are saved', async () => {
  const { page, button, inDialog } = await openAsAdmin('/settings/practice');
  await page.getByLabel('Name').fill('Harbor Dental');
  await page.getByLabel('Email for patients').fill('');
  await page.getByLabel('Time zone').selectOption('Pacific/Honolulu');
  await button('Save').click();
  await page.getByText('Saved.').waitFor();
  await page
    .getByLabel('Choose a logo')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pictures.png });
  const logo = page.getByRole('img', { name: 'Logo of Harbor Dental' });
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth), eventually).toBe(40);
  await page.locator('.phone .page').getByText('Pay Harbor Dental').waitFor();

  const shown = await runCommand<Record<string, unknown>>(on.service.operated, 'show', { practice: on.practiceId });
  expect(shown).toMatchObject({ name: 'Harbor Dental', timeZone: 'Pacific/Honolulu' });
  expect(shown).not.toHaveProperty('supportEmail');
  expect(shown).toHaveProperty('logoUrl');

  await button('Remove logo').click();
  await inDialog('Remove logo').click();
  await page.getByLabel('Choose a logo').waitFor();
});

test('someone is invited, and the audit log lists every change by whom and from where', async () => {
  await runCommand(on.service.operated, 'update', { practice: on.practiceId, linkLifetimeDays: '3' });
  const { page, button, inDialog } = await openAsAdmin('/team');
  const email = 'li.wu@example.com';
  await button('Invite someone').click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await inDialog('Invite').click();
  await page.getByText(`An email is on its way to ${email}`).waitFor();
  await expect.poll(() => on.service.mails.some(({ to }) => to === email), eventually).toBe(true);
  await button(`Revoke the invitation of ${email}`).click();
  await inDialog('Revoke invitation').click();
  await page.getByRole('table', { name: 'Open invitations' }).waitFor({ state: 'detached' });
  expect(await page.getByText('An email is on its way').count()).toBe(0);

  await page.getByRole('link', { name: 'Audit log' }).click();
  const row = page.getByRole('row', { name: /Invited someone/ });
  await row.waitFor();
  expect(await row.textContent()).toContain('127.0.0.1');
  expect(await row.textContent()).toContain('admin-');
  expect(await page.getByRole('row', { name: /Revoked an invitation/ }).count()).toBe(1);
  const ofOperator = page.getByRole('row', { name: /Service operator/ }).first();
  expect(await ofOperator.textContent()).toContain('Changed the practice’s settings');
});

test('a delivery that failed is found, read and sent again', async () => {
  const { sessionId } = await on.service.createSession();
  // Not retried, unlike after a 500: a retry would deliver it while the test looks for it.
  on.service.receiver.failOnce(sessionId, 404);
  await on.service.client.sessions.cancel(sessionId);
  await on.service.receiver.waitFor('session.payment.cancelled', sessionId);

  const page = await on.visitAs('staff', '/deliveries');
  const { button, link, row } = controlsOf(page);
  await page.getByLabel('Session ID').fill(sessionId);
  await button('Filter').click();
  await page.waitForURL((url) => url.searchParams.get('sessionId') === sessionId);
  await row(sessionId.slice(-10)).first().waitFor();
  await page.getByLabel('Status').selectOption('Delivered');
  await page.getByText('No delivery matches').waitFor();
  await page.goBack();
  await row(sessionId.slice(-10)).waitFor();

  await link('The payment link was cancelled or expired').click();
  await page.getByText('Attempt 1').waitFor();
  await page.getByText('Request', { exact: true }).click();
  expect(await page.getByLabel('Body of the request').innerText()).toContain(sessionId);
  await page.getByText('HTTP 404').first().waitFor();
  await button('Resend').click();
  await comeBackFor(page.getByText('Attempt 2'));
  await comeBackFor(page.getByText('HTTP 204').first());
  await expect
    .poll(
      () => on.service.receiver.received.filter(({ event }) => event.data.sessionId === sessionId).length,
      eventually,
    )
    .toBe(2);
});
