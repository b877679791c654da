// @module-tag browser

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser } from 'playwright-core';
import { describe, expect, test, type TestContext } from 'vitest';
import { second, toIso } from '../../functions/domain/time.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { databaseOf } from '../support/tables.ts';
import { connectBank, expectHeading, mainAction, openPage, readAuthorization, readPage } from '../web/journey.ts';

let service: TestPractice;
let browser: Browser;
onStack.beforeAll(({ own, browser: shared }) => {
  [service, browser] = [own, shared];
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

async function visitConnected(context: TestContext, username: string) {
  const session = await service.createSession();
  const page = await visit(context, session.hostedUrl);
  await connectBank(page, username, service.practice.password);
  await readAuthorization(page);
  return { ...session, page };
}

async function endNow(sessionId: string): Promise<void> {
  const { documents, tables } = databaseOf(service.stack);
  await documents.send(
    new UpdateCommand({
      TableName: tables.sessions,
      Key: { sessionId },
      UpdateExpression: 'SET expiresAt = :ended',
      ExpressionAttributeValues: { ':ended': toIso(Date.now() - second) },
    }),
  );
  documents.destroy();
}

describe.concurrent('one payment is made', () => {
  test('when two tabs and another phone authorize at the same time, and all of them show it', async (context) => {
    const { sessionId, hostedUrl, page } = await visitConnected(context, 'user_stuck');
    const tab = await page.context().newPage();
    await tab.goto(hostedUrl);
    const otherPhone = await visit(context, hostedUrl);
    const pages = [page, tab, otherPhone];
    await Promise.all(pages.map(readAuthorization));

    const answers: number[] = [];
    for (const each of pages)
      each.on('response', (response) => response.url().endsWith('/payment') && answers.push(response.status()));
    await Promise.all(pages.map((each) => mainAction(each).click()));
    for (const each of pages) await expectHeading(each, 'Payment submitted');
    context.expect(answers.sort()).toEqual([200, 409, 409]);
    await service.receiver.waitFor('session.payment.processing', sessionId);
    context.expect(service.receiver.stepsOf(sessionId)).toEqual(['processing']);
  });

  test('when two links of one invoice are authorized at the same time', async (context) => {
    const sessions = await Promise.all([1, 2].map(() => service.createSession({ invoiceId: 'INV-two-links' })));
    const pages = await Promise.all(sessions.map(({ hostedUrl }) => visit(context, hostedUrl)));
    for (const page of pages) await connectBank(page, 'user_stuck', service.practice.password);
    await Promise.all(pages.map(readAuthorization));
    await Promise.all(pages.map((page) => mainAction(page).click()));
    const headings = () => Promise.all(pages.map((page) => page.locator('h1').innerText()));
    await context.expect
      .poll(async () => (await headings()).sort(), { timeout: 40_000 })
      .toEqual(['A payment for this invoice is already in progress', 'Payment submitted']);
  });

  test('when an impatient patient clicks twice', async (context) => {
    const { sessionId, page } = await visitConnected(context, 'user_stuck');
    let calls = 0;
    page.on('request', (request) => void (request.url().endsWith('/payment') && calls++));
    // The first mouse click could move the button before the second.
    await page.locator('.primary[aria-disabled="false"]').evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expectHeading(page, 'Payment submitted');
    await service.receiver.waitFor('session.payment.processing', sessionId);
    context.expect(calls).toBe(1);
  });

  test('when the page is closed before its answer arrives, and the link shows it later', async (context) => {
    const { sessionId, hostedUrl, page } = await visitConnected(context, 'user_good');
    const answered = new Promise<void>((resolve) => {
      // The server answers, but the page never gets the answer.
      void page.route('**/payment', (route) => route.fetch().then(() => resolve()));
    });
    await mainAction(page).click();
    await answered;
    await page.goto('about:blank');
    await service.receiver.waitFor('session.payment.succeeded', sessionId);
    await page.goto(hostedUrl);
    await expectHeading(page, /^You paid/);
    await context.expect.poll(() => service.receiver.stepsOf(sessionId)).toEqual(['processing', 'succeeded']);
  });
});

describe.concurrent('a page that was left open', () => {
  test('does not pay a session that the practice has cancelled', async (context) => {
    const { sessionId, page } = await visitConnected(context, 'user_good');
    await service.client.sessions.cancel(sessionId);
    await mainAction(page).click();
    await expectHeading(page, 'Payment no longer required');
    context.expect(await readPage(page)).toContain('No money has been taken.');
    await page.reload();
    await expectHeading(page, 'Payment no longer required');
  });

  test('does not pay after its time has ended', async (context) => {
    const { sessionId, page } = await visitConnected(context, 'user_good');
    await endNow(sessionId);
    await mainAction(page).click();
    await expectHeading(page, 'This link has expired');
    context.expect(service.receiver.stepsOf(sessionId)).not.toContain('processing');
  });
});

test('a link that is opened a week later has expired, and names the practice to ask for a new one', async (context) => {
  const { sessionId, hostedUrl } = await service.createSession();
  await endNow(sessionId);
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
