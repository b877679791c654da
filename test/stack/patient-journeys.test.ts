// @module-tag browser

import type { Browser } from 'playwright-core';
import { expect, test, type TestContext } from 'vitest';
import { getCheckedEvidence } from '../../functions/payments/proof.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { databaseOf } from '../support/tables.ts';
import { connectBank, expectHeading, mainAction, openPage, readAuthorization, readPage } from '../web/journey.ts';
import { endNow } from './stranded.ts';

let service: TestPractice;
let browser: Browser;
onStack.beforeAll(({ own, browser: shared }) => {
  [service, browser] = [own, shared];
});

interface Journey {
  readonly signedIn: string;
  readonly end?: string | RegExp;
  readonly says: string;
  readonly webhooks: readonly string[];
}

const review = 'Review and authorize';
/** One journey for each end. The other test users differ only in data: see `bank-users.test.ts`, and `test/web` for the views. */
const journeys: Record<string, Journey> = {
  user_good: { signedIn: review, end: /^You paid/, says: 'Reference number', webhooks: ['processing', 'succeeded'] },
  user_bad: { signedIn: 'Sign in to Sandbox Bank', says: 'You have 4 tries left.', webhooks: [] },
  user_insufficient_funds: {
    signedIn: review,
    end: 'Your payment did not go through',
    says: 'There was not enough money in the account. No money has been taken.',
    webhooks: ['processing', 'failed'],
  },
  user_late_return: {
    signedIn: review,
    end: 'Your bank took this payment back',
    says: 'There was not enough money in the account.',
    webhooks: ['processing', 'succeeded', 'returned'],
  },
};

test.concurrent.for(Object.entries(journeys))(
  '%s reaches the view of the outcome, and the practice hears of each step',
  async ([user, { signedIn, end, says, webhooks }], { expect }) => {
    const { sessionId, hostedUrl } = await service.createSession({ invoiceId: `INV-${user}` });
    const { page, faults, close } = await openPage(browser);
    await page.goto(hostedUrl);
    await expectHeading(page, 'Pay Lakeside');
    await connectBank(page, user, service.practice.password);
    await expectHeading(page, signedIn);
    if (end !== undefined) {
      await mainAction(page).click();
      await expect.poll(() => service.receiver.stepsOf(sessionId)).toEqual(webhooks);
      // A return comes after the page stopped polling.
      if (webhooks.includes('returned')) await page.reload();
      await expectHeading(page, end);
    }
    await expect.poll(() => readPage(page)).toContain(says);
    expect(service.receiver.stepsOf(sessionId)).toEqual(webhooks);
    expect(faults).toEqual([]);
    await close();
  },
);

test.concurrent('a patient who reads Spanish authorizes the Spanish text, which the evidence keeps', async ({
  expect,
}) => {
  const { sessionId, hostedUrl } = await service.createSession({ invoiceId: 'INV-es' });
  const { page, faults, close } = await openPage(browser);
  await page.goto(`${hostedUrl}?lang=es`);
  await mainAction(page).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('es');
  await connectBank(page, 'user_good', service.practice.password);
  const shown = await readAuthorization(page);
  expect(shown).toMatch(/autorizo a Lakeside Family Practice[^]*\$182\.50[^]*INV-es/i);
  expect(await mainAction(page).innerText()).toMatch(/autorizar[^]*\$182\.50/i);
  await mainAction(page).click();
  await service.receiver.waitFor('session.payment.succeeded', sessionId);

  const evidence = await getCheckedEvidence(service.operated, { sessionId });
  expect(evidence).toMatchObject({ locale: 'es', text: shown, textMatchesAuthorizationId: true });
  await page.reload();
  await expect.poll(() => page.locator('.receipt .authorization').getAttribute('lang')).toBe('es');
  expect(await page.locator('.receipt .authorization').textContent()).toBe(shown);
  await page.goto(`${hostedUrl}?lang=en`);
  await expectHeading(page, /^You paid/);
  const receipt = page.locator('.receipt .authorization');
  expect(await receipt.textContent(), 'the accepted text is never translated').toBe(shown);
  expect(await receipt.getAttribute('lang')).toBe('es');
  expect(faults).toEqual([]);
  await close();
});

/** The page must show no fault until the test ends. */
async function visit({ onTestFinished }: TestContext, hostedUrl: string) {
  const { page, faults, close } = await openPage(browser);
  onTestFinished(async () => {
    await close();
    expect(faults).toEqual([]);
  });
  await page.goto(hostedUrl);
  return page;
}

test('two tabs and another phone authorize at the same time: one payment is made, and all of them show it', async (context) => {
  const { sessionId, hostedUrl } = await service.createSession();
  const page = await visit(context, hostedUrl);
  await connectBank(page, 'user_stuck', service.practice.password);
  await readAuthorization(page);
  const tab = await page.context().newPage();
  await tab.goto(hostedUrl);
  const pages = [page, tab, await visit(context, hostedUrl)];
  await Promise.all(pages.map(readAuthorization));

  const answers: number[] = [];
  for (const each of pages)
    each.on('response', (response) => response.url().endsWith('/payment') && answers.push(response.status()));
  await Promise.all(pages.map((each) => mainAction(each).click()));
  for (const each of pages) await expectHeading(each, 'Payment submitted');
  expect(answers.sort()).toEqual([200, 409, 409]);
  await service.receiver.waitFor('session.payment.processing', sessionId);
  expect(service.receiver.stepsOf(sessionId)).toEqual(['processing']);
});

test('a link that is opened a week later has expired, and names the practice to ask for a new one', async (context) => {
  const { sessionId, hostedUrl } = await service.createSession();
  await endNow(databaseOf(service.stack), sessionId);
  const page = await visit(context, hostedUrl);
  await expectHeading(page, 'This link has expired');
  const shown = await readPage(page);
  for (const words of ['No money has been taken.', 'Lakeside Family Practice', '+1 555 010 0100'])
    expect(shown).toContain(words);
  expect(await mainAction(page).innerText()).toBe('Ask for a new link');
  await page.goto(`${hostedUrl}#sandbox_bank`);
  await page.reload();
  await expectHeading(page, 'This link has expired');
});
