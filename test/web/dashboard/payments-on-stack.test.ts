// @module-tag browser

import { afterAll, expect, test } from 'vitest';
import { patientOf, succeeded } from '../../support/patient.ts';
import { runCommand } from '../../support/run-command.ts';
import { connectBank, expectHeading, mainAction, readAuthorization } from '../journey.ts';
import { controlsOf } from './page-requests.ts';
import {
  comeBackFor,
  eventually,
  headingOf,
  submitCredentials,
  useDashboardOnStack,
  startSignedReceiver,
} from './on-stack.ts';

const on = useDashboardOnStack();

test('a new user gets from the invitation to the first paid test invoice', async () => {
  const receiver = await startSignedReceiver(afterAll);
  const { operated, mails, dashboardUrl } = on.service;
  const { practiceId: practice } = await runCommand<{ practiceId: string }>(operated, 'create', {
    name: 'Harbor Street Clinic',
  });
  const email = 'owner@harbor.example';
  const { invitationUrl = '' } = await runCommand<{ invitationUrl?: string }>(operated, 'add-member', {
    practice,
    email,
    role: 'admin',
  });
  const password = mails.flatMap(({ to, text }) => (to === email ? (/password (\S+)\. /.exec(text) ?? []) : []))[1];

  const page = await on.newPage();
  const { button, link, inDialog, copied } = controlsOf(page);
  const home = async (done: number) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await expect.poll(() => page.locator('.checklist .done').count(), eventually).toBe(done);
  };

  await page.goto(invitationUrl);
  await link('Sign in').click();
  await submitCredentials(page, { email, password: password ?? '' });
  await button('Accept invitation').click();
  await page.getByRole('heading', { name: 'From here to your first paid test invoice' }).waitFor();
  expect(page.url()).toBe(`${dashboardUrl}/${practice}`);
  // The operator got the first key, which is not one of the four steps.
  await page.getByText('0 of 4 steps done').waitFor();
  await home(1);

  await link('API keys').click();
  await button('Create key').click();
  await page.getByLabel('Name').fill('Billing system');
  await inDialog.button('Create key').click();
  const apiKey = await copied('API key');
  expect(await on.service.clientOf(apiKey).sessions.listPage()).toMatchObject({ data: [] });

  await home(1);
  await link('Add an endpoint').click();
  await button('Add endpoint').click();
  await page.getByLabel('URL').fill(receiver.url);
  await inDialog.button('Add endpoint').click();
  receiver.secret = await copied('Signing secret');
  await link('Send a test event').click();
  await button('Send test event').click();
  await comeBackFor(page.getByText('The endpoint answered HTTP 200'));
  expect(await page.getByLabel('Answer to attempt 1').innerText()).toBe('Thank you');
  expect(receiver.types).toEqual(['webhook.test']);

  await home(3);
  await link('Choose logo and color').click();
  await page.getByLabel('Color', { exact: true }).fill('#0b6e4f');
  await page.getByLabel('Phone for patients').fill('+1 555 010 0100');
  await button('Save').click();
  await page.getByText('Saved.').waitFor();

  await home(5);
  await link('New payment link').click();
  await page.getByLabel('Invoice number').fill('INV-1');
  await page.getByLabel('Amount').fill('182.50');
  await page.getByLabel("Patient's first name").fill('Ada');
  await page.getByLabel('Last name').fill('Okafor');
  await button('Create payment link').click();
  await headingOf(page, 'Payment link created').waitFor();
  const hostedUrl = await copied('Payment link');

  await home(6);
  await link('See the password').click();
  const bankPassword = await copied('Test bank password');

  const patient = await on.newPage();
  await patient.goto(hostedUrl);
  await expectHeading(patient, 'Pay Harbor Street Clinic');
  await connectBank(patient, 'user_good', bankPassword);
  expect(await readAuthorization(patient)).toContain('$182.50');
  await expectHeading(patient, 'Review and authorize');
  await mainAction(patient).click();
  await expectHeading(patient, /^(Payment submitted|Paid)$/);

  const client = on.service.clientOf(apiKey);
  const [session] = (await client.sessions.listPage()).data;
  await client.sandbox.advance(session?.sessionId ?? '');
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await comeBackFor(page.getByRole('heading', { name: 'Last 30 days' }));
  await page.getByText('Show the numbers as a table').click();
  await page.getByRole('cell', { name: '$182.50' }).waitFor();
  await expect.poll(() => receiver.types, eventually).toContain('session.payment.succeeded');
});

test('staff follow a payment, replace its link in the middle, and get the proof of authorization', async () => {
  const { service } = on;
  const { sessionId, patient } = await service.connect('user_good', { invoiceId: 'INV-2' });
  const staff = await on.visitAs('staff', `/sessions/${sessionId}`);
  const { button, link, inDialog, copied } = controlsOf(staff);
  await headingOf(staff, 'Invoice INV-2').waitFor();
  await staff.getByText('Patient connected a bank').waitFor();

  await button('Replace link').click();
  await inDialog.button('Replace link').click();
  const newUrl = await copied('Payment link');
  expect(await patient.authorize()).toMatchObject({ status: 404, body: { code: 'link_not_found' } });
  await staff.getByText('Patient connected a bank').waitFor({ state: 'detached' });

  const next = patientOf(newUrl);
  await next.connectBank('user_good', service.practice.password);
  await comeBackFor(staff.getByText('Patient connected a bank'));
  succeeded(await next.authorize());
  await comeBackFor(staff.getByText('Patient authorized the debit'));
  await service.client.sandbox.advance(sessionId);
  await comeBackFor(staff.locator('.timeline').getByText('Paid', { exact: true }));

  await link('Proof of authorization').click();
  await staff.getByText('The text is the one that was accepted').waitFor();
  await staff.getByText('Ada Okafor').first().waitFor();
  await staff.goBack();
  await headingOf(staff, 'Invoice INV-2').waitFor();
});
