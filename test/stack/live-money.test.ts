// @module-tag browser

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minute } from '../../functions/domain/time.ts';
import { dashboardUser } from '../support/dashboard-user.ts';
import { startLiveStack } from '../support/live-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { controlsOf } from '../web/dashboard/page-requests.ts';
import { eventually } from '../web/dashboard/on-stack.ts';
import { expectHeading, mainAction, openPage, readAuthorization, readPage } from '../web/journey.ts';

// Its own stack: Stripe's clock is behind, because what is younger than ten minutes is not compared.
let service: Awaited<ReturnType<typeof startLiveStack>>;
let browser: Browser;
onStack.beforeAll(({ browser: shared }) => {
  browser = shared;
});
beforeAll(async () => {
  service = await startLiveStack();
  await service.stripe.control.advance(-30 * minute);
}, 140_000);
afterAll(() => service.stop());

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
async function expectBadge(page: Page, words: string): Promise<void> {
  const badge = async () => {
    await page.reload();
    return page.locator('.session-sum .tag').innerText();
  };
  await expect.poll(badge, eventually).toBe(words);
}

test('a parent pays, one refund fails, the bank returns the payment after another, and its payout lists it', async () => {
  const { control } = service.stripe;
  const { sessionId, hostedUrl } = await service.createSession({ invoiceId: 'INV-CHILD' });
  const parent = await openPage(browser);
  await parent.page.goto(hostedUrl);
  await mainAction(parent.page).click();
  const picker = parent.page.frameLocator('iframe');
  await picker.getByRole('radio', { name: 'Slow Bank' }).check();
  await picker.getByRole('button', { name: 'Connect' }).click();
  expect(await readAuthorization(parent.page)).not.toContain('Grace Okafor');
  await parent.page.getByLabel('Name on the bank account').fill('Grace Okafor');
  await parent.page.keyboard.press('Tab');
  await expect.poll(() => readAuthorization(parent.page), eventually).toContain('I, Grace Okafor,');
  await mainAction(parent.page).click();
  await expectHeading(parent.page, 'Payment submitted');
  const { data } = await service.debitOf(sessionId);
  await control.settle(data.object.id, 'success');
  await expectHeading(parent.page, /^You paid/);
  expect(await readPage(parent.page)).toContain('Grace Okafor');
  const { id: payoutId } = await control.payOut(service.depositAccountId);

  await control.hold();
  const { page, faults, close } = await openDashboard(`/sessions/${sessionId}`);
  await control.finishRefund(await refund(page, '50.00'), 'failed');
  await expectBadge(page, 'Refund failed');
  await control.finishRefund(await refund(page, '182.50'), 'succeeded');
  await expectBadge(page, 'Refunded');
  await parent.page.reload();
  await expect.poll(() => readPage(parent.page), eventually).toContain('refunded');
  await control.return(data.object.id);
  await expectBadge(page, 'Returned');
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
  await expect.poll(isListed, eventually).toBe(1);
  await link.click();
  const line = page.getByRole('row').filter({ hasText: 'INV-CHILD' });
  await line.waitFor();
  expect(await line.innerText()).toMatch(/Paid[^]*\$182\.50/);
  expect([...parent.faults, ...faults]).toEqual([]);
  await Promise.all([close(), parent.close()]);
});
