// @module-tag browser

import type { Browser, Page } from 'playwright-core';
import { test, vi } from 'vitest';
import { onLiveStack, type LivePractice } from '../support/live-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { expectHeading, mainAction, openPage, readAuthorization, readPage } from '../web/journey.ts';

let service: LivePractice;
let browser: Browser;
onLiveStack.beforeAll(({ ownLive }) => {
  service = ownLive;
});
onStack.beforeAll(({ browser: shared }) => {
  browser = shared;
});

async function openPicker(page: Page) {
  await mainAction(page).click();
  const picker = page.frameLocator('iframe');
  await picker.getByRole('heading', { name: 'Choose a test bank' }).waitFor();
  return picker;
}

async function pick(page: Page, bank: string): Promise<void> {
  const picker = await openPicker(page);
  await picker.getByRole('radio', { name: bank }).check();
  await picker.getByRole('button', { name: 'Connect' }).click();
}

/** A patient pays at a bank of the picker. Requests to anywhere but this machine are faults. */
async function pay(bank: string) {
  const link = await service.createSession();
  const opened = await openPage(browser);
  await opened.page.goto(link.hostedUrl);
  await expectHeading(opened.page, 'Pay Lakeside');
  await pick(opened.page, bank);
  await expectHeading(opened.page, 'Review and authorize');
  const authorization = await readAuthorization(opened.page);
  await mainAction(opened.page).click();
  return { ...link, ...opened, authorization };
}

test.concurrent('a patient pays with a bank account that Stripe connects, and gets a receipt', async ({ expect }) => {
  const { sessionId, page, faults, authorization, close } = await pay('Slow Bank');
  expect(authorization).toMatch(/authorize Lakeside Family Practice[^]*account at Slow Bank[^]*\$182\.50/);
  await expectHeading(page, 'Payment submitted');
  await service.receiver.waitFor('session.payment.processing', sessionId);
  const { data } = await service.debitOf(sessionId);
  await service.stripe.control.settle(data.object.id, 'success');
  await service.receiver.waitFor('session.payment.succeeded', sessionId);
  await expectHeading(page, /^You paid/);
  expect(await readPage(page)).toContain('Reference number');
  expect(faults).toEqual([]);
  await close();
});

test.concurrent('Stripe is loaded only when the patient connects a bank, and named before', async ({ expect }) => {
  const { hostedUrl } = await service.createSession({ invoiceId: 'INV-only-then' });
  const { page, faults, close } = await openPage(browser);
  const asked: string[] = [];
  const referrers: string[] = [];
  page.on('request', (request) => {
    asked.push(new URL(request.url()).origin);
    const { referer } = request.headers();
    if (referer !== undefined) referrers.push(referer);
  });
  await page.goto(hostedUrl);
  await expectHeading(page, 'Pay Lakeside');
  expect(await readPage(page)).toContain('Stripe');
  expect([...new Set(asked)]).toEqual([new URL(hostedUrl).origin]);
  const picker = await openPicker(page);
  expect(asked).toContain(new URL(service.stripe.scriptUrl).origin);
  expect(referrers, 'banks want one, but not the token').toContain(`${new URL(hostedUrl).origin}/`);
  expect(referrers.join(' ')).not.toContain('/s/');
  await picker.getByRole('button', { name: 'Close' }).click();
  await vi.waitFor(async () => expect(await readPage(page)).toContain('No bank account was connected.'), 40_000);
  await pick(page, 'Test Bank');
  await expectHeading(page, 'Review and authorize');
  expect(faults).toEqual([]);
  await close();
});

test.concurrent('a picker that stays silent can be opened again, which counts as no other start', async ({
  expect,
}) => {
  const { hostedUrl } = await service.createSession({ invoiceId: 'INV-silent' });
  const { page, faults, close } = await openPage(browser);
  let starts = 0;
  page.on('request', (request) => void (request.url().endsWith('/bank-connection/start') && starts++));
  await page.clock.install();
  await page.goto(hostedUrl);
  await expectHeading(page, 'Pay Lakeside');
  await pick(page, 'Silent Bank');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await readPage(page)).toContain('Connecting your bank…');
  await page.clock.fastForward(60_000);
  await page.getByText('Did nothing open?').waitFor();
  await pick(page, 'Test Bank');
  await expectHeading(page, 'Review and authorize');
  expect(starts).toBe(1);
  expect(faults).toEqual([]);
  await close();
});

test.concurrent('a payment that the bank refuses says why', async ({ expect }) => {
  const { sessionId, page, faults, close } = await pay('Empty Bank');
  await service.receiver.waitFor('session.payment.failed', sessionId);
  await expectHeading(page, 'Your payment did not go through');
  expect(await readPage(page)).toContain('There was not enough money in the account. No money has been taken.');
  expect(faults).toEqual([]);
  await close();
});

test.concurrent('a payment that the bank takes back is shown as returned', async ({ expect }) => {
  const { sessionId, page, faults, close } = await pay('Second-Thoughts Bank');
  await service.receiver.waitFor('session.payment.returned', sessionId);
  await expect.poll(() => service.receiver.stepsOf(sessionId)).toEqual(['processing', 'succeeded', 'returned']);
  await page.reload();
  await expectHeading(page, 'Your bank took this payment back');
  expect(faults).toEqual([]);
  await close();
});

test.concurrent('a practice cancels a payment that the bank has not sent, and no other', async ({ expect }) => {
  const { cancel } = service.client.sessions;
  const [slow, sent] = await Promise.all([pay('Slow Bank'), pay('Stubborn Bank')]);
  for (const { page } of [slow, sent]) await expectHeading(page, 'Payment submitted');
  await Promise.all([slow, sent].map(({ sessionId }) => service.debitOf(sessionId)));
  expect(await cancel(slow.sessionId)).toMatchObject({ status: 'cancelled' });
  await service.receiver.waitFor('session.payment.cancelled', slow.sessionId);
  await expectHeading(slow.page, 'Payment no longer required');
  await expect(cancel(sent.sessionId)).rejects.toMatchObject({ status: 409, code: 'payment_not_voidable' });
  await sent.page.reload();
  await expectHeading(sent.page, 'Payment submitted');
  expect([...slow.faults, ...sent.faults]).toEqual([]);
  await Promise.all([slow.close(), sent.close()]);
});
