import { describe, expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();
const becomesVisible = () => on.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

// Without a clock of the test's own, which would bring it back.
test('a browser without AbortSignal.timeout shows the session', async () => {
  await on.page.addInitScript(() => Object.assign(AbortSignal, { timeout: undefined }));
  await on.visit(sessions.owed);
  expect(await on.page.evaluate(() => typeof AbortSignal.timeout)).toBe('undefined');
  expect(await on.heading().innerText()).toContain('$182.50');
});

test('an answer that does not come is given up', async () => {
  await on.page.clock.install();
  await on.visit(sessions.owed);
  on.api.answers.getSession = () => new Promise(() => {});
  await on.page.reload({ waitUntil: 'commit' });
  await expect.poll(() => on.callsOf('getSession').length, soon).toBe(2);
  await on.page.clock.runFor(10_000);
  await on.expectView('We cannot reach the payment service');
});

describe('an answer that is no session', () => {
  const status = 'refunded';
  test.each([
    ['empty', {}],
    ['null', null],
    ['of an unknown status', { ...sessions.owed, status }],
    ['without a currency', { ...sessions.owed, currency: undefined }],
    ['without a practice', { ...sessions.paid, practice: undefined }],
    ['without a time', { ...sessions.owed, expiresAt: 'soon' }],
  ])('(%s) is said to be none, and a good one after it is shown', async (_, body) => {
    const { page, close } = await openPage(on.browser);
    on.api.session = sessions.owed;
    let asked = 0;
    await page.route('**/api/patient/session', (route) => {
      asked++;
      return route.fulfill({ json: body });
    });
    await page.goto(`${on.api.url}/s/the-token`);
    await page.locator('h1:focus', { hasText: 'We cannot reach the payment service' }).waitFor();
    expect(await page.locator('main').count()).toBe(1);
    await page.waitForTimeout(300);
    expect(asked).toBe(1);
    await page.unroute('**/api/patient/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('h1:focus', { hasText: '$182.50' }).waitFor();
    await close();
  });

  test('comes after a good one, and the page does not stay empty', async () => {
    const { page, close } = await openPage(on.browser);
    on.api.session = sessions.submitted;
    await page.goto(`${on.api.url}/s/the-token`);
    await page.locator('.receipt').waitFor();
    await page.route('**/api/patient/session', (route) => route.fulfill({ json: { ...sessions.submitted, status } }));
    await page.locator('h1:focus', { hasText: 'We cannot reach the payment service' }).waitFor();
    expect(await page.locator('footer').innerText()).toContain('(555) 010-0142');
    await page.unroute('**/api/patient/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.receipt').waitFor();
    await close();
  });
});

describe('a page that was left without an answer', () => {
  test.each(['hang_up', 'gateway_503'] as const)(
    '(%s) asks at once by itself when it is looked at again',
    async (answer) => {
      await on.page.clock.install();
      on.api.answers.getSession = () => answer;
      await on.visit(sessions.owed);
      on.api.answers = {};
      await on.page.clock.pauseAt(new Date(Date.now() + 1_000));
      await becomesVisible();
      await on.expectView('$182.50');
    },
  );

  test("asks at once when it comes back from the browser's memory", async () => {
    await on.visit(sessions.paid);
    on.api.session = sessions.returned;
    await on.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await on.expectView('Your bank took this payment back');
  });
});

describe('a service that has too much to do', () => {
  test.each([
    ['gateway_429', 7],
    ['gateway_503', 5],
    [{ code: 'internal_error' }, 5],
  ] as const)('(%o) is called busy, and asked again by itself after %i seconds', async (answer, seconds) => {
    await on.page.clock.install();
    on.api.answers.getSession = () => answer;
    await on.visit(sessions.owed);
    expect(await on.heading().innerText()).toBe('The payment service is busy');
    expect(await on.text()).not.toContain('Check your connection');
    await on.page.clock.pauseAt(new Date(Date.now() + 1_000));
    await on.page.clock.runFor((seconds - 2.5) * 1_000);
    await on.page.waitForTimeout(100);
    expect(on.callsOf('getSession')).toHaveLength(1);
    await on.page.clock.runFor(2_500);
    await expect.poll(() => on.callsOf('getSession').length, soon).toBe(2);
    await on.expectView('The payment service is busy');
    on.api.answers = {};
    await on.page.clock.runFor(10_000);
    await on.expectView('$182.50');
  });

  test('and refuses a payment for that has not taken it: it can be sent again', async () => {
    on.api.answers.authorizePayment = () => 'gateway_429';
    await on.visit(sessions.connected);
    await on.page.locator('.primary').click();
    await expect
      .poll(() => on.page.getByRole('alert').innerText(), soon)
      .toBe('The payment service is busy. Please try again in a few seconds.');
    on.api.answers.authorizePayment = () => sessions.submitted;
    await on.page.locator('.primary').click();
    await on.expectView('Payment submitted');
  });
});
