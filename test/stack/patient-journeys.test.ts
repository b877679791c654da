// @module-tag browser

import type { Browser } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { getCheckedEvidence } from '../../functions/payments/proof.ts';
import { sandboxUserNames, type SandboxUser } from '../../functions/domain/payments/sandbox-bank.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { connectBank, expectHeading, mainAction, openPage, readAuthorization, readPage } from '../web/journey.ts';

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

const paid = {
  signedIn: 'Review and authorize',
  end: /^You paid/,
  says: 'Reference number',
  webhooks: ['processing', 'succeeded'],
};
const notPaid = {
  signedIn: 'Review and authorize',
  end: 'Your payment did not go through',
  webhooks: ['processing', 'failed'],
};
const stays = {
  signedIn: 'Review and authorize',
  end: 'Payment submitted',
  says: 'usually takes about 4 business days',
  webhooks: ['processing'],
};

/** A sandbox user without a journey does not compile. */
const journeys: Record<SandboxUser, Journey> = {
  user_good: paid,
  user_bad: { signedIn: 'Sign in to Sandbox Bank', says: 'You have 4 tries left.', webhooks: [] },
  user_bank_down: { signedIn: 'Sign in to Sandbox Bank', says: "We can't reach this bank right now.", webhooks: [] },
  user_insufficient_funds: { ...notPaid, says: 'There was not enough money in the account. No money has been taken.' },
  user_account_closed: { ...notPaid, says: 'The bank account is closed. No money has been taken.' },
  user_declined: { ...notPaid, says: 'The bank declined the payment. No money has been taken.' },
  user_processor_error: { ...notPaid, says: 'The payment could not be processed. No money has been taken.' },
  user_stuck: stays,
  user_sent: stays,
  user_late_return: {
    signedIn: 'Review and authorize',
    end: 'Your bank took this payment back',
    says: 'There was not enough money in the account.',
    webhooks: ['processing', 'succeeded', 'returned'],
  },
};

async function travel(user: string, { signedIn, end, says, webhooks }: Journey) {
  const { sessionId, hostedUrl } = await service.createSession({ invoiceId: `INV-${user}` });
  const { page, faults, close } = await openPage(browser);
  await page.goto(hostedUrl);
  await expectHeading(page, 'Pay Lakeside');
  await connectBank(page, user, service.practice.password);
  await expectHeading(page, signedIn);
  if (end !== undefined) {
    await mainAction(page).click();
    await vi.waitFor(() => expect(service.receiver.stepsOf(sessionId)).toEqual(webhooks), 60_000);
    // A return comes after the page stopped polling.
    if (webhooks.includes('returned')) await page.reload();
    await expectHeading(page, end);
  }
  await vi.waitFor(async () => expect(await readPage(page)).toContain(says), 40_000);
  return { sessionId, faults, close };
}

test.concurrent.for(sandboxUserNames)(
  '%s reaches the view of the outcome, and the practice hears of each step',
  async (user, { expect }) => {
    const { sessionId, faults, close } = await travel(user, journeys[user as SandboxUser]);
    expect(service.receiver.stepsOf(sessionId)).toEqual(journeys[user as SandboxUser].webhooks);
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
  await expect.poll(() => page.locator('.receipt .authorization').getAttribute('lang'), { timeout: 40_000 }).toBe('es');
  expect(await page.locator('.receipt .authorization').textContent()).toBe(shown);
  await page.goto(`${hostedUrl}?lang=en`);
  await expectHeading(page, /^You paid/);
  const receipt = page.locator('.receipt .authorization');
  expect(await receipt.textContent(), 'the accepted text is never translated').toBe(shown);
  expect(await receipt.getAttribute('lang')).toBe('es');
  expect(faults).toEqual([]);
  await close();
});
