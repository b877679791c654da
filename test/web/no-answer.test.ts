import { afterEach, describe, expect, test } from 'vitest';
import { usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();
const tryAgain = () => on.page.getByRole('button', { name: 'Try again' }).click();

// Playwright's clock would put it back.
test('a browser without AbortSignal.timeout shows the session', async () => {
  await on.page.addInitScript(() => Object.assign(AbortSignal, { timeout: undefined }));
  await on.visit(sessions.owed);
  expect(await on.page.evaluate(() => typeof AbortSignal.timeout)).toBe('undefined');
  expect(await on.heading().innerText()).toContain('$182.50');
});

test('the page gives up on an answer after 10 s', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  on.api.answers.getSession = () => {
    ask();
    return new Promise(() => {});
  };
  await on.stopClock();
  await on.page.goto(`${on.api.url}/s/the-token`);
  await asked;
  await on.pass(9_900);
  expect(await on.heading().count()).toBe(0);
  await on.pass(100);
  await on.expectView('We cannot reach the payment service');
});

describe('an answer that is no session', () => {
  // The page logs what it cannot render.
  afterEach(() => void on.faults.splice(0));

  test.each([
    ['empty', {}],
    ['null', null],
    ['of an unknown status', { ...sessions.owed, status: 'refunded' }],
    ['without a currency', { ...sessions.owed, currency: undefined }],
    ['without a practice', { ...sessions.paid, practice: undefined }],
    ['without a time', { ...sessions.owed, expiresAt: 'soon' }],
  ])('(%s) is shown as no answer, and the next good one replaces it', async (_, body) => {
    await on.page.route('**/api/patient/session', (route) => route.fulfill({ json: body }));
    await on.visit(sessions.owed);
    await on.expectView('We cannot reach the payment service');
    expect(await on.page.locator('main').count()).toBe(1);
    await on.page.unroute('**/api/patient/session');
    await tryAgain();
    await on.expectView('$182.50');
  });

  test('after a good one leaves the practice to call on the page', async () => {
    await on.visit(sessions.submitted);
    await on.page.route('**/api/patient/session', (route) =>
      route.fulfill({ json: { ...sessions.submitted, status: 'refunded' } }),
    );
    await on.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await on.expectView('We cannot reach the payment service');
    expect(await on.page.locator('footer').innerText()).toContain('(555) 010-0142');
    await on.page.unroute('**/api/patient/session');
    await tryAgain();
    await on.page.locator('.receipt').waitFor();
  });
});

test.each([
  ['gateway_429', 7],
  ['gateway_503', 5],
  [{ code: 'internal_error' }, 5],
] as const)(
  'a service that answers %o is called busy, and asked again by itself after %i s',
  async (answer, seconds) => {
    on.api.answers.getSession = () => answer;
    await on.stopClock();
    await on.visit(sessions.owed);
    expect(await on.heading().innerText()).toBe('The payment service is busy');
    expect(await on.text()).not.toContain('Check your connection');
    on.api.answers = {};
    await on.pass(seconds * 1_000 - 100);
    // Earlier calls reach the server before this one.
    await on.page.evaluate(() => fetch('/favicon.ico').then(({ status }) => status));
    expect(on.callsOf('getSession')).toHaveLength(1);
    await on.pass(100);
    await on.expectView('$182.50');
  },
);
