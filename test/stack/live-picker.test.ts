// @module-tag browser

import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { onLiveStack } from '../support/live-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { expectHeading, openPage, openPicker, pickTestBank, readPage } from '../web/journey.ts';

let browser: Browser;
onStack.beforeAll(({ browser: shared }) => {
  browser = shared;
});

onLiveStack('Stripe is loaded only when the patient connects a bank, and named before', async ({ ownLive }) => {
  const { hostedUrl } = await ownLive.createSession({ invoiceId: 'INV-only-then' });
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
  expect(asked).toContain(new URL(ownLive.stripe.scriptUrl).origin);
  expect(referrers, 'banks want one, but not the token').toContain(`${new URL(hostedUrl).origin}/`);
  expect(referrers.join(' ')).not.toContain('/s/');
  await picker.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => readPage(page)).toContain('No bank account was connected.');
  await pickTestBank(page, 'Test Bank');
  await expectHeading(page, 'Review and authorize');
  expect(faults).toEqual([]);
  await close();
});
