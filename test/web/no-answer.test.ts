// @module-tag browser

import { afterEach, describe, expect, test } from 'vitest';
import { usePageOnDouble, soon } from './page-on-double.ts';
import * as sessions from './sessions.ts';
import { mainAction } from './journey.ts';

const on = usePageOnDouble();
const tryAgain = () => on.page.getByRole('button', { name: 'Try again' }).click();

// Playwright's clock would restore it.
test('a browser without AbortSignal.timeout shows the session', async () => {
  await on.startDocumentsWith(() => Object.assign(AbortSignal, { timeout: undefined }));
  await on.visit(sessions.owed);
  expect(await on.page.evaluate(() => typeof AbortSignal.timeout)).toBe('undefined');
  expect(await on.heading().innerText()).toContain('$182.50');
});

test('an unknown link is reported after one call', async () => {
  const asked = on.countRequests('getSession');
  await on.visit(undefined);
  expect(await on.heading().innerText()).toBe('We cannot find this link');
  await on.expectText('Test mode: no money will move');
  expect(await asked()).toBe(1);
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

test.each([
  ['empty', {}],
  ['null', null],
  ['without a time', { ...sessions.owed, expiresAt: 'soon' }],
])('an answer that is no session (%s) is shown as no answer, and the next good one replaces it', async (_, body) => {
  await on.page.route('**/api/patient/session', (route) => route.fulfill({ json: body }));
  await on.visit(sessions.owed);
  await on.expectView('We cannot reach the payment service');
  await on.page.unroute('**/api/patient/session');
  await tryAgain();
  await on.expectView('$182.50');
});

describe('a session that the page cannot show', () => {
  const call = 'Call Lakeside Family Dental: (555) 010-0142';
  // The page logs what it cannot render, once.
  afterEach(() => expect(on.faults.splice(0)).toHaveLength(1));

  test.each([
    ['of an unknown status', { ...sessions.owed, status: 'refunded' }],
    ['without a currency', { ...sessions.owed, currency: undefined }],
  ])('(%s) leaves the practice to call, and a reload', async (_, body) => {
    await on.page.route('**/api/patient/session', (route) => route.fulfill({ json: body }));
    await on.page.goto(`${on.api.url}/s/the-token`);
    await on.page.getByRole('link', { name: call }).waitFor();
    expect(await on.text()).not.toMatch(/Loading|Check your connection/);
    await on.page.getByRole('heading').click();
    await on.page.unroute('**/api/patient/session');
    on.api.session = sessions.owed;
    await on.page.getByRole('link', { name: 'Reload this page' }).click();
    await on.expectView('$182.50');
    expect(on.callsOf('openSession')).toEqual([]);
  });

  test('(without a practice) leaves at least a reload', async () => {
    await on.page.route('**/api/patient/session', (route) =>
      route.fulfill({ json: { ...sessions.paid, practice: undefined } }),
    );
    await on.page.goto(`${on.api.url}/s/the-token`);
    await on.expectText('or call the practice that sent you this link');
    expect(await on.page.locator('.help a:visible').allInnerTexts()).toEqual(['Reload this page']);
  });

  test('after one that it could show leaves the practice to call', async () => {
    await on.visit(sessions.submitted);
    await on.page.route('**/api/patient/session', (route) =>
      route.fulfill({ json: { ...sessions.submitted, status: 'refunded', practice: undefined } }),
    );
    await on.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await on.page.getByRole('link', { name: call }).waitFor();
    expect(await on.page.getByRole('link', { name: call }).getAttribute('href')).toBe('tel:5550100142');
    expect(await on.page.locator('main').count()).toBe(1);
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
    const asked = on.countRequests('getSession');
    await on.visit(sessions.owed);
    expect(await on.heading().innerText()).toBe('The payment service is busy');
    expect(await on.text()).not.toContain('Check your connection');
    on.api.answers = {};
    await on.pass(seconds * 1_000 - 100);
    expect(await asked()).toBe(1);
    await on.pass(100);
    await on.expectView('$182.50');
  },
);

const notice = () => on.page.getByRole('alert').innerText();

async function authorize(): Promise<void> {
  await on.stopClock();
  await on.visit(sessions.connected);
  await on.pass(1_100);
  await mainAction(on.page).click();
}

test('a patient whose payment is lost is told so, cannot send it twice, and is asked for it again after 40 s', async () => {
  on.api.answers.authorizePayment = () => 'hang_up';
  await authorize();
  await expect.poll(notice, soon).toBe('We could not confirm your payment. Checking…');
  expect(await mainAction(on.page).innerText()).toBe('Checking…');
  expect(await on.text()).not.toMatch(/nothing|no money has/i);
  // Browsers resend what was lost on a reused connection.
  const sent = on.callsOf('authorizePayment').length;
  await mainAction(on.page).dispatchEvent('click');
  await on.page.clock.fastForward(40_000);
  await on.expectText("We haven't received your payment. You can authorize it again. You won't be charged twice.");
  expect(on.callsOf('authorizePayment')).toHaveLength(sent);
  on.api.answers.authorizePayment = () => sessions.submitted;
  await on.page.getByRole('button', { name: 'Authorize payment of $182.50' }).click();
  await on.expectView('Payment submitted');
});

test('a patient whose payment a busy service refused can send it again', async () => {
  on.api.answers.authorizePayment = () => 'gateway_429';
  await authorize();
  await expect.poll(notice, soon).toBe('The payment service is busy. Please try again in a few seconds.');
  on.api.answers.authorizePayment = () => sessions.submitted;
  await mainAction(on.page).click();
  await on.expectView('Payment submitted');
});

test('a patient whose bank sign-in is lost is told that, and nothing about money', async () => {
  on.api.answers.connectBank = () => 'hang_up';
  await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
  await on.signIn('user_good');
  await expect.poll(notice, soon).toBe('The connection was lost. Please try again.');
});
