import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { openPage, phone, type OpenedPage } from './open-page.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let stack: TestStack;
let browser: Browser;
let opened: OpenedPage;
let page: Page;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startTestStack(), launchBrowser()]);
});
afterAll(() => Promise.all([stack.stop(), browser.close()]));

beforeEach(async () => {
  opened = await openPage(browser);
  page = opened.page;
});
afterEach(async () => {
  await opened.close();
  expect(opened.faults).toEqual([]);
});

async function expectView(heading: string): Promise<void> {
  await expect.poll(() => page.locator('h1:focus').allInnerTexts(), { timeout: 20_000 }).toEqual([expect.stringContaining(heading)]);
}

async function signIn(username: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(stack.practice.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function isInSight(name: string): Promise<boolean> {
  const box = await page.getByRole('button', { name }).boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= phone.height;
}

describe('a patient on a phone', () => {
  test('pays from the link to the receipt, and sees the right view after a reload at every step', async () => {
    const session = await stack.createSession({ invoiceId: 'INV-1043' });
    await page.goto(session.hostedUrl);
    await expectView('$182.50');
    expect(await page.locator('body').innerText()).toMatch(/Sandbox: no money moves[^]*Lakeside Family Practice[^]*INV-1043[^]*Not expecting this\? Call \+1 555 010 0100/);
    expect(await isInSight('Connect your bank')).toBe(true);
    await page.reload();
    await expectView('$182.50');

    await page.getByRole('button', { name: 'Connect your bank' }).click();
    await expectView('Sign in to your bank');
    expect(await isInSight('Sign in')).toBe(true);
    await signIn(stack.practice.username);

    await expectView('Review and authorize');
    expect(await isInSight('Authorize payment of $182.50')).toBe(true);
    await page.reload();
    await expectView('Review and authorize');
    expect(await page.locator('.authorization').innerText()).toContain('once, for $182.50, for invoice INV-1043');

    await page.getByRole('button', { name: 'Authorize payment of $182.50' }).dblclick();
    await expectView('Payment submitted');
    await page.reload();
    await expectView('Paid');
    expect(await page.getByRole('region', { name: 'Payment receipt' }).innerText()).toMatch(/Paid[^]*\$182\.50[^]*Ada Okafor[^]*Authorized[^]*Receipt number/);
    await page.reload();
    await expectView('Paid');
    await stack.receiver.waitFor('session.payment.succeeded', session.sessionId);
  });

  test('who signs in wrongly is told how many tries are left', async () => {
    const session = await stack.createSession();
    await page.goto(session.hostedUrl);
    await page.getByRole('button', { name: 'Connect your bank' }).click();
    await signIn('user_bad');
    await expect.poll(() => page.getByRole('alert').innerText(), { timeout: 20_000 }).toContain('You can try 4 more times.');
  });

  test('whose account holds too little reads the reason and that no money was taken', async () => {
    const session = await stack.createSession();
    await page.goto(session.hostedUrl);
    await page.getByRole('button', { name: 'Connect your bank' }).click();
    await signIn('user_insufficient_funds');
    await page.getByRole('button', { name: 'Authorize payment' }).click();
    await expectView('Payment not completed');
    expect(await page.locator('main').innerText()).toContain('There was not enough money in the account. No money has been taken.');
  });

  test('with a link that nobody issued is told so', async () => {
    const { hostedUrl } = await stack.createSession();
    await page.goto(hostedUrl.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A')));
    await expectView('We cannot find this link');
    await page.goto(`${stack.hostedUrl}/s/x`);
    await expectView('We cannot find this link');
  });

  test('who pays an invoice that another link has paid already is told so', async () => {
    const invoiceId = 'INV-twice';
    const [first, second] = [await stack.createSession({ invoiceId }), await stack.createSession({ invoiceId })];
    await page.goto(first.hostedUrl);
    await page.getByRole('button', { name: 'Connect your bank' }).click();
    await signIn(stack.practice.username);
    await page.getByRole('button', { name: 'Authorize payment' }).click();
    await expectView('Paid');
    await page.goto(second.hostedUrl);
    await expectView('This invoice is already paid');
  });
});

test('looking at the page opens no session; touching it does', async () => {
  const { hostedUrl } = await stack.createSession();
  const ask = stack.patient(hostedUrl);
  await page.goto(hostedUrl);
  await expectView('$182.50');
  expect((await ask('GET', '')).body['openedAt']).toBeUndefined();
  await page.touchscreen.tap(10, 500);
  await page.getByText('left to finish').waitFor();
  expect((await ask('GET', '')).body['openedAt']).toBeTypeOf('string');
});
