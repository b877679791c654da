import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { getCheckedEvidence } from '../../functions/sessions/evidence.ts';
import { sandboxUserNames, type SandboxUser } from '../../functions/domain/sandbox-bank.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { connectBank, expectHeading, mainAction, readAuthorization, readPage } from '../web/journey.ts';
import { openPage } from '../web/open-page.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let service: TestStack;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestStack(), launchBrowser()]);
});
afterAll(() => Promise.all([service.stop(), browser.close()]));

interface Journey {
  /** The view after the bank sign-in. */
  readonly signedIn: string;
  /** The last view, if a payment can be authorized. */
  readonly end?: string | RegExp;
  /** What the last view also says. */
  readonly says: string;
  readonly webhooks: readonly string[];
}

const paid = {
  signedIn: 'Review and authorize',
  end: /^Paid$/,
  says: 'Receipt number',
  webhooks: ['processing', 'succeeded'],
};
const notPaid = { signedIn: 'Review and authorize', end: 'Payment not completed', webhooks: ['processing', 'failed'] };
const stays = {
  signedIn: 'Review and authorize',
  end: 'Payment submitted',
  says: 'usually takes about 4 business days',
  webhooks: ['processing'],
};

/** What a patient sees with each of the sandbox bank's users; a user without a journey does not compile. */
const journeys: Record<SandboxUser, Journey> = {
  user_good: paid,
  user_bad: { signedIn: 'Sign in to your bank', says: 'You can try 4 more times.', webhooks: [] },
  user_bank_down: { signedIn: 'Sign in to your bank', says: 'The bank cannot be reached right now.', webhooks: [] },
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

/** The types of a session's webhooks, in sequence. */
function webhooksOf(sessionId: string): string[] {
  return service.receiver.received
    .filter(({ event }) => event.data.sessionId === sessionId)
    .sort((left, right) => left.event.data.sequence - right.event.data.sequence)
    .map(({ event }) => event.type.replace('session.payment.', ''));
}

async function travel(user: string, { signedIn, end, says, webhooks }: Journey) {
  const { sessionId, hostedUrl } = await service.createSession({ invoiceId: `INV-${user}` });
  const { page, faults, close } = await openPage(browser);
  await page.goto(hostedUrl);
  await expectHeading(page, 'asks you to pay');
  await connectBank(page, user, service.practice.password);
  await expectHeading(page, signedIn);
  if (end !== undefined) {
    await mainAction(page).click();
    await expect.poll(() => webhooksOf(sessionId), { timeout: 60_000 }).toEqual(webhooks);
    // A return comes weeks later, when the page is opened again.
    if (webhooks.includes('returned')) await page.reload();
    await expectHeading(page, end);
  }
  await expect.poll(() => readPage(page), { timeout: 20_000 }).toContain(says);
  return { user, sessionId, faults, close };
}

describe('a patient of the test bank', () => {
  // All at once: most of the time is spent waiting for the bank.
  const travelled = new Map<string, Promise<Awaited<ReturnType<typeof travel>>>>();
  beforeAll(() => {
    for (const user of sandboxUserNames) {
      const journey = travel(user, journeys[user as SandboxUser]);
      journey.catch(() => {});
      travelled.set(user, journey);
    }
  });

  test.each(sandboxUserNames)(
    '%s gets from the link to the outcome, and the practice gets a webhook for each step',
    async (user) => {
      const { sessionId, faults, close } = (await travelled.get(user)) ?? expect.fail('no such journey');
      expect(webhooksOf(sessionId)).toEqual(journeys[user as SandboxUser].webhooks);
      expect(faults).toEqual([]);
      await close();
    },
  );
});

test('a patient who reads Spanish authorizes the Spanish text, and the evidence has that text and its language', async () => {
  const { sessionId, hostedUrl } = await service.createSession({ invoiceId: 'INV-es' });
  const { page, faults, close } = await openPage(browser);
  await page.goto(`${hostedUrl}?lang=es`);
  await mainAction(page).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('es');
  await connectBank(page, service.practice.username, service.practice.password);
  const shown = await readAuthorization(page);
  expect(shown).toMatch(/autorizo a Lakeside Family Practice[^]*\$182\.50[^]*INV-es/i);
  expect(await mainAction(page).innerText()).toMatch(/autorizar[^]*\$182\.50/i);
  await mainAction(page).click();
  await service.receiver.waitFor('session.payment.succeeded', sessionId);

  const evidence = await getCheckedEvidence(service.operated, { sessionId });
  expect(evidence).toMatchObject({ locale: 'es', text: shown, textMatchesAuthorizationId: true });
  await page.reload();
  await expect.poll(() => page.locator('.receipt .authorization').getAttribute('lang'), { timeout: 20_000 }).toBe('es');
  expect(await page.locator('.receipt .authorization').textContent()).toBe(shown);
  await page.goto(`${hostedUrl}?lang=en`);
  await expectHeading(page, /^Paid$/);
  const receipt = page.locator('.receipt .authorization');
  expect(await receipt.textContent(), 'what was accepted is never translated').toBe(shown);
  expect(await receipt.getAttribute('lang')).toBe('es');
  expect(faults).toEqual([]);
  await close();
});
