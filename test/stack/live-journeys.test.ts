// @module-tag browser

import type { Browser, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { minute } from '../../functions/domain/time.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import { onLiveStack, type LivePractice } from '../support/live-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { controlsOf } from '../web/dashboard/page-requests.ts';
import { expectHeading, mainAction, openPage, pickTestBank, readAuthorization, readPage } from '../web/journey.ts';

let service: LivePractice;
let browser: Browser;
onStack.beforeAll(({ browser: shared }) => {
  browser = shared;
});
// Nothing younger than ten minutes is compared.
const stripesDelay = 30 * minute;
onLiveStack.beforeAll(async ({ ownLive }) => {
  service = ownLive;
  await service.stripe.control.advance(-stripesDelay);
});
afterAll(async () => {
  await service.stripe.control.release();
  await service.stripe.control.advance(stripesDelay);
});

/** An admin who has just signed in. */
async function openDashboard(screen: string) {
  const { practiceId } = service.practice;
  const admin = await dashboardUser(service, { practiceId, role: 'admin' });
  const [name = '', value = ''] = admin.cookie.split('=');
  const { page, faults, close } = await openPage(browser);
  await page.context().addCookies([{ name, value, url: service.dashboardUrl, httpOnly: true, sameSite: 'Lax' }]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${service.dashboardUrl}/${practiceId}${screen}`);
  return { page, faults, close };
}

async function refund(page: Page, dollars: string): Promise<string> {
  const { button, inDialog } = controlsOf(page);
  await button('Refund').click();
  await page.getByLabel('Amount').fill(dollars);
  await page.getByLabel('Reason').fill('Insurance paid');
  await inDialog.button('Refund').click();
  await page.getByText('Refund pending').first().waitFor();
  const { events } = await service.stripe.control.read();
  return events.findLast(({ type }) => type === 'refund.created')?.data.object.id ?? expect.fail('no refund');
}

/** The page follows an open payment only for a while. */
async function expectBadge(page: Page, sessionId: string, status: object, words: string): Promise<void> {
  await expect.poll(() => service.client.sessions.get(sessionId)).toMatchObject(status);
  await page.reload();
  await expect.poll(() => page.locator('.session-sum .tag').innerText()).toBe(words);
}

test('a parent pays, one refund fails, the bank returns the payment after another, and its payout lists it', async () => {
  const { control } = service.stripe;
  const { sessionId, hostedUrl } = await service.createSession({ invoiceId: 'INV-CHILD' });
  const parent = await openPage(browser);
  await parent.page.goto(hostedUrl);
  await pickTestBank(parent.page, 'Slow Bank');
  const authorization = await readAuthorization(parent.page);
  expect(authorization).toMatch(/authorize Lakeside Family Practice[^]*account at Slow Bank[^]*\$182\.50/);
  expect(authorization).not.toContain('Grace Okafor');
  await parent.page.getByLabel('Name on the bank account').fill('Grace Okafor');
  await parent.page.keyboard.press('Tab');
  await expect.poll(() => readAuthorization(parent.page)).toContain('I, Grace Okafor,');
  await mainAction(parent.page).click();
  await expectHeading(parent.page, 'Payment submitted');
  const { data } = await service.debitOf(sessionId);
  await control.settle(data.object.id, 'success');
  await expectHeading(parent.page, /^You paid/);
  for (const words of ['Grace Okafor', 'Reference number']) expect(await readPage(parent.page)).toContain(words);
  const { id: payoutId } = await control.payOut(service.depositAccountId);

  await control.hold();
  const { page, faults, close } = await openDashboard(`/sessions/${sessionId}`);
  await control.finishRefund(await refund(page, '50.00'), 'failed');
  await expectBadge(page, sessionId, { refund: { status: 'failed' } }, 'Refund failed');
  await control.finishRefund(await refund(page, '182.50'), 'succeeded');
  await expectBadge(page, sessionId, { refund: { status: 'succeeded' } }, 'Refunded');
  await parent.page.reload();
  await expect.poll(() => readPage(parent.page)).toContain('refunded');
  await control.return(data.object.id);
  await expectBadge(page, sessionId, { return: {} }, 'Returned');
  expect(await page.locator('.timeline').innerText()).toMatch(
    /A refund failed[^]*Refunded[^]*The bank took the money back/,
  );

  await service.stack.fireSchedules();
  const link = page.getByRole('link', { name: payoutId });
  const isListed = async () => {
    await page.goto(`${service.dashboardUrl}/${service.practice.practiceId}/payouts`);
    await page.getByRole('heading', { name: 'Payouts to your bank' }).waitFor();
    return link.count();
  };
  await expect.poll(isListed).toBe(1);
  await link.click();
  const line = page.getByRole('row').filter({ hasText: 'INV-CHILD' });
  await line.waitFor();
  expect(await line.innerText()).toMatch(/Paid[^]*\$182\.50/);
  expect([...parent.faults, ...faults]).toEqual([]);
  await Promise.all([close(), parent.close()]);
});
