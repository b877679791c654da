import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import { databaseOf } from '../support/tables.ts';
import { connectBank, expectHeading, mainAction, readAuthorization, readPage } from '../web/journey.ts';
import { openPage, type OpenedPage } from '../web/open-page.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let service: TestStack;
let browser: Browser;
const opened: OpenedPage[] = [];
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestStack(), launchBrowser()]);
});
afterAll(() => Promise.all([service.stop(), browser.close()]));
afterEach(async () => {
  for (const { faults, close } of opened.splice(0)) {
    expect(faults).toEqual([]);
    await close();
  }
});

/** Opens a link in a browser of its own. */
async function visit(hostedUrl: string) {
  const visitor = await openPage(browser);
  opened.push(visitor);
  await visitor.page.goto(hostedUrl);
  return visitor.page;
}

async function visitConnected(username: string) {
  const session = await service.createSession();
  const page = await visit(session.hostedUrl);
  await connectBank(page, username, service.practice.password);
  await readAuthorization(page);
  return { ...session, page };
}

const webhooksOf = (sessionId: string) =>
  service.receiver.received.filter(({ event }) => event.data.sessionId === sessionId).map(({ event }) => event.type);

describe('one payment', () => {
  test('results from two tabs and another phone that authorize at once, and all of them show it', async () => {
    const { sessionId, hostedUrl, page } = await visitConnected('user_stuck');
    const tab = await page.context().newPage();
    await tab.goto(hostedUrl);
    const otherPhone = await visit(hostedUrl);
    const pages = [page, tab, otherPhone];
    await Promise.all(pages.map(readAuthorization));

    const answers: number[] = [];
    for (const each of pages)
      each.on('response', (response) => response.url().endsWith('/payment') && answers.push(response.status()));
    await Promise.all(pages.map((each) => mainAction(each).click()));
    for (const each of pages) await expectHeading(each, 'Payment submitted');
    expect(answers.sort()).toEqual([200, 409, 409]);
    await service.receiver.waitFor('session.payment.processing', sessionId);
    expect(webhooksOf(sessionId)).toEqual(['session.payment.processing']);
  });

  test('results from two links of one invoice that are authorized at once', async () => {
    const sessions = await Promise.all([1, 2].map(() => service.createSession({ invoiceId: 'INV-two-links' })));
    const pages = await Promise.all(sessions.map(({ hostedUrl }) => visit(hostedUrl)));
    for (const page of pages) await connectBank(page, 'user_stuck', service.practice.password);
    await Promise.all(pages.map(readAuthorization));
    await Promise.all(pages.map((page) => mainAction(page).click()));
    const headings = () => Promise.all(pages.map((page) => page.locator('h1').innerText()));
    await expect
      .poll(async () => (await headings()).sort(), { timeout: 20_000 })
      .toEqual(['A payment of this invoice is already in progress', 'Payment submitted']);
  });

  test('results from an impatient double click', async () => {
    const { sessionId, page } = await visitConnected('user_stuck');
    let calls = 0;
    page.on('request', (request) => void (request.url().endsWith('/payment') && calls++));
    // Not with the mouse: the first click may move the button away.
    await page.locator('.primary[aria-disabled="false"]').evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expectHeading(page, 'Payment submitted');
    await service.receiver.waitFor('session.payment.processing', sessionId);
    expect(calls).toBe(1);
  });

  test('is shown when the link is opened again after the page was closed before its answer', async () => {
    const { sessionId, hostedUrl, page } = await visitConnected('user_good');
    const taken = new Promise<void>((resolve) => {
      // The server gets it, the page never gets the answer.
      void page.route('**/payment', (route) => route.fetch().then(() => resolve()));
    });
    await mainAction(page).click();
    await taken;
    await page.goto('about:blank');
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await page.goto(hostedUrl);
    await expectHeading(page, /^Paid$/);
    expect(webhooksOf(sessionId)).toEqual(['session.payment.processing', 'session.payment.succeeded']);
  });
});

describe('the page that a patient left open', () => {
  test('does not pay what the practice has cancelled, and says so', async () => {
    const { sessionId, page } = await visitConnected('user_good');
    const cancelled = await fetch(`${service.apiUrl}/api/practice/sessions/${sessionId}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.practice.apiKey}` },
    });
    expect(cancelled.status).toBe(200);
    await mainAction(page).click();
    await expectHeading(page, 'Payment no longer required');
    expect(await readPage(page)).toContain('No money has been taken.');
    await page.reload();
    await expectHeading(page, 'Payment no longer required');
  });

  test('does not pay after it has expired', async () => {
    const { sessionId, page } = await visitConnected('user_good');
    await endNow(sessionId);
    await mainAction(page).click();
    await expectHeading(page, 'This link has expired');
    expect(webhooksOf(sessionId)).not.toContain('session.payment.processing');
  });
});

/** Expires a session, as if a week had passed. */
async function endNow(sessionId: string): Promise<void> {
  const { client, tables } = databaseOf(service.stack);
  await client.send(
    new UpdateCommand({
      TableName: tables.sessions,
      Key: { sessionId },
      UpdateExpression: 'SET expiresAt = :ended',
      ExpressionAttributeValues: { ':ended': new Date(Date.now() - 1000).toISOString() },
    }),
  );
}

test('a link that is opened a week later has expired, and says whom to ask for a new one', async () => {
  const { sessionId, hostedUrl } = await service.createSession();
  await endNow(sessionId);
  const page = await visit(hostedUrl);
  await expectHeading(page, 'This link has expired');
  const shown = await readPage(page);
  for (const words of ['No money has been taken.', 'Lakeside Family Practice', '+1 555 010 0100'])
    expect(shown).toContain(words);
  expect(await mainAction(page).count()).toBe(0);
  await page.goto(`${hostedUrl}#bank`);
  await page.reload();
  await expectHeading(page, 'This link has expired');
});
