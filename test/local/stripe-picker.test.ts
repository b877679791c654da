// @module-tag browser

import { createServer } from 'node:http';
import { Stripe } from 'stripe';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';
import { startStripe, type TestStripe } from '../support/stripe.ts';

let stripe: TestStripe;
let browser: Browser;
let account: string;
let page: Page;
let violations: string[];

beforeAll(async () => {
  stripe = await startStripe();
  browser = await launchBrowser();
  account = (await stripe.control.createAccount()).id;
});
afterAll(async () => {
  await browser.close();
  await stripe.stop();
});

beforeEach(async () => {
  const [api, script] = [stripe.apiBase, new URL(stripe.scriptUrl).origin];
  const policy = `default-src 'none'; script-src ${script}; connect-src ${api}; frame-src ${script}`;
  const port = await startServer(
    createServer((_request, response) => {
      const headers = { 'content-type': 'text/html', 'content-security-policy': policy };
      response
        .writeHead(200, headers)
        .end(`<!doctype html><title>Pay</title><script src="${stripe.scriptUrl}"></script>`);
    }),
  );
  page = await browser.newPage();
  violations = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text());
  });
  await page.goto(`http://127.0.0.1:${port}/`);
});

interface Picked {
  error?: { message: string };
  financialConnectionsSession?: { accounts: { institution_name: string }[] };
}

type StripeScript = (
  publishableKey: string,
  options: { stripeAccount: string },
) => { collectFinancialConnectionsAccounts(options: { clientSecret: string | null }): Promise<Picked> };

async function openPicker(publishableKey = stripe.publishableKey): Promise<{ picked: Promise<Picked> }> {
  const { hostname, port } = new URL(stripe.apiBase);
  const client = new Stripe(stripe.secretKey, { host: hostname, port, protocol: 'http' });
  const customer = await client.customers.create({}, { stripeAccount: account });
  const { client_secret: clientSecret } = await client.financialConnections.sessions.create(
    { account_holder: { type: 'customer', customer: customer.id }, permissions: ['payment_method'] },
    { stripeAccount: account },
  );
  const given = { publishableKey, account, clientSecret };
  const picked = page.evaluate(
    (settings) =>
      (globalThis as unknown as { Stripe: StripeScript })
        .Stripe(settings.publishableKey, { stripeAccount: settings.account })
        .collectFinancialConnectionsAccounts({ clientSecret: settings.clientSecret }),
    given,
  );
  return { picked };
}
const picker = () => page.frameLocator('iframe');

test('a patient picks a bank with the keyboard alone, and the page gets the account', async () => {
  const { picked } = await openPicker();
  await picker().getByRole('heading', { name: 'Choose a test bank' }).waitFor();
  await vi.waitFor(async () => expect(await picker().locator(':focus').getAttribute('value')).toBe('success'), 20_000);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const { financialConnectionsSession: session } = await picked;
  expect(session?.accounts).toMatchObject([{ institution_name: 'Empty Bank' }]);
  expect(await page.locator('dialog').count()).toBe(0);
  expect(violations).toEqual([]);
});

test.each(['Escape', 'the button'])('a patient who closes the picker with %s connects nothing', async (how) => {
  const { picked } = await openPicker();
  await picker().getByRole('radio').first().focus();
  if (how === 'Escape') await page.keyboard.press('Escape');
  else await picker().getByRole('button', { name: 'Close' }).click();
  expect((await picked).financialConnectionsSession?.accounts).toEqual([]);
});

test('a bank that is down says so, and another can be picked', async () => {
  const { picked } = await openPicker();
  await picker()
    .getByRole('radio', { name: /is down/ })
    .check();
  await picker().getByRole('button', { name: 'Connect' }).click();
  await picker().getByRole('alert').waitFor();
  await picker()
    .getByRole('radio', { name: /^Test Bank/ })
    .check();
  await picker().getByRole('button', { name: 'Connect' }).click();
  expect((await picked).financialConnectionsSession?.accounts).toMatchObject([{ institution_name: 'Test Bank' }]);
});

test('a wrong publishable key is refused', async () => {
  const { picked } = await openPicker('pk_live_other');
  expect((await picked).error?.message).toMatch(/do not match/);
});
