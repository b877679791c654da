import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { openPage, phone, type OpenedPage } from './open-page.ts';
import { startPatientApiDouble, type PatientApiDouble } from './patient-api-double.ts';
import * as sessions from './sessions.ts';

vi.setConfig({ testTimeout: 20_000, hookTimeout: 60_000 });

let browser: Browser;
let api: PatientApiDouble;
let opened: OpenedPage;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  api = await startPatientApiDouble();
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

beforeEach(async () => {
  api.reset();
  opened = await openPage(browser);
  page = opened.page;
});
afterEach(async () => {
  await opened.close();
  expect(opened.faults).toEqual([]);
});

async function visit(session: typeof api.session, path = '/s/the-token'): Promise<void> {
  api.session = session;
  await page.goto(api.url + path);
  await heading().waitFor();
}

/** The heading of a view, which the page has focused; the loading page's is not. */
function heading() {
  return page.locator('h1:focus');
}

async function text(): Promise<string> {
  return (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
}

async function signIn(username: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill('test-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

function callsOf(route: string) {
  return api.calls.filter((call) => call.route === route);
}

describe('each state has its view', () => {
  const views: { readonly state: keyof typeof sessions; readonly heading: RegExp; readonly says: readonly string[]; readonly never?: RegExp }[] = [
    { state: 'owed', heading: /^Amount due to Lakeside Family Dental \$182\.50$/, says: ['INV-1043', 'Maria L.', 'This link works until Nov 27, 2099'], never: /Lopez/ },
    { state: 'opened', heading: /^Amount due/, says: ['Please finish by Nov 27, 2099, 10:04 AM EST'] },
    { state: 'connected', heading: /^Review and authorize$/, says: ['Sandbox Bank checking •••• 6789', 'Maria Lopez', sessions.connected.authorization?.text ?? '', 'Use another account'] },
    { state: 'submitted', heading: /^Payment submitted$/, says: ['usually takes about 4 business days', 'RCP-4F7K2M9Q', 'Nov 20, 2026, 10:06 AM EST'], never: /\bpaid\b/i },
    { state: 'paid', heading: /^Paid$/, says: ['RCP-4F7K2M9Q', 'Paid Nov 26, 2026, 9:00 AM EST'] },
    { state: 'returned', heading: /^Your bank took this payment back$/, says: ['There was not enough money in the account.', 'Returned Dec 2, 2026'] },
    { state: 'failed', heading: /^Payment not completed$/, says: ['There was not enough money in the account.', 'No money has been taken.', 'ask Lakeside Family Dental for a new link'] },
    { state: 'cancelled', heading: /^Payment no longer required$/, says: ['nothing for you to do', 'No money has been taken.'] },
    { state: 'expired', heading: /^This link has expired$/, says: ['No money has been taken.', 'Ask Lakeside Family Dental for a new link'] },
    { state: 'alreadyPaid', heading: /^This invoice is already paid$/, says: ['Nothing will be taken'] },
    { state: 'inProgress', heading: /^A payment of this invoice is already in progress$/, says: ['Nothing will be taken'] },
    { state: 'locked', heading: /^Bank sign-in is locked$/, says: ['Contact Lakeside Family Dental', 'No money has been taken.'] },
  ];

  test('and the list below leaves none out', () => {
    expect(views.map(({ state }) => state).sort()).toEqual(Object.keys(sessions).sort());
  });

  test.each(views)('$state', async ({ state, heading: expectedHeading, says, never }) => {
    await visit(sessions[state]);
    expect((await heading().innerText()).replaceAll(/\s+/g, ' ')).toMatch(expectedHeading);
    expect(await page.title()).toContain('Lakeside Family Dental');
    const shown = await text();
    for (const words of ['Sandbox: no money moves', 'Lakeside Family Dental', '(555) 010-0142', ...says]) expect(shown).toContain(words);
    if (never) expect(shown).not.toMatch(never);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  });

  test('and a live session carries no sandbox banner', async () => {
    await visit({ ...sessions.owed, sandbox: false });
    expect(await text()).not.toMatch(/sandbox/i);
  });

  test('and an unknown link says so without calling anything twice', async () => {
    await visit(undefined);
    expect(await heading().innerText()).toBe('We cannot find this link');
    expect(api.calls).toHaveLength(1);
  });

  test('and an address without a token asks for nothing of another patient', async () => {
    await visit(undefined, '/s/');
    expect(await heading().innerText()).toBe('We cannot find this link');
  });

  test('and a lost connection offers another try', async () => {
    api.answers.getSession = () => 'hang_up';
    await visit(sessions.owed);
    expect(await heading().innerText()).toBe('We cannot reach the payment service');
    delete api.answers.getSession;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Connect your bank' }).waitFor();
  });

  test('and without JavaScript the page says what to do', async () => {
    const plain = await openPage(browser, { javaScriptEnabled: false });
    await plain.page.goto(`${api.url}/s/the-token`);
    expect(await plain.page.locator('body').innerText()).toContain('This page needs JavaScript');
    await plain.close();
  });
});

describe('on a phone', () => {
  test.each([
    ['owed', 'Connect your bank'],
    ['connected', 'Authorize payment of $182.50'],
  ] as const)('the button of the %s view is in sight without scrolling', async (state, name) => {
    await visit(sessions[state]);
    const box = await page.getByRole('button', { name }).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height);
  });

  test('the sign-in button is in sight, also below the message of a refused sign-in', async () => {
    api.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: 4 });
    await visit(sessions.opened, '/s/the-token#bank');
    await signIn('user_bad');
    await page.getByText('You can try 4 more times.').waitFor();
    const box = await page.getByRole('button', { name: 'Sign in' }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height);
  });

  test('the longest names and numbers stay inside a screen 320 pixels wide', async () => {
    await page.setViewportSize({ width: 320, height: 568 });
    await visit({
      ...sessions.connected,
      amountCents: 99_999_999,
      invoiceId: 'I'.repeat(128),
      patient: { firstName: 'W'.repeat(100), lastName: 'M'.repeat(100) },
      practice: { ...sessions.owed.practice, name: 'W'.repeat(100) },
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  test('the practice\'s colour is on the button, with text that can be read on it', async () => {
    await visit({ ...sessions.owed, practice: { ...sessions.owed.practice, primaryColor: '#fde047' } });
    const style = await page.getByRole('button', { name: 'Connect your bank' }).evaluate((button) => {
      const { backgroundColor, color } = getComputedStyle(button);
      return { backgroundColor, color };
    });
    expect(style).toEqual({ backgroundColor: 'rgb(253, 224, 71)', color: 'rgb(0, 0, 0)' });
  });
});

describe('the journey', () => {
  test('leads from what is owed over sign-in and authorization to paid, and a reload shows the same view at every step', async () => {
    const reloaded = async (expected: string) => {
      await page.reload();
      await heading().filter({ hasText: expected }).waitFor();
    };
    api.answers.openSession = () => sessions.opened;
    api.answers.connectBank = () => sessions.connected;
    api.answers.authorizePayment = () => sessions.submitted;

    await visit(sessions.owed);
    await reloaded('Amount due');
    await page.getByRole('button', { name: 'Connect your bank' }).click();
    await heading().filter({ hasText: 'Sign in to your bank' }).waitFor();
    await reloaded('Sign in to your bank');
    await signIn(' user_good ');
    await heading().filter({ hasText: 'Review and authorize' }).waitFor();
    await reloaded('Review and authorize');
    await page.getByRole('button', { name: 'Authorize payment of $182.50' }).click();
    await heading().filter({ hasText: 'Payment submitted' }).waitFor();
    await reloaded('Payment submitted');
    api.session = sessions.paid;
    await heading().filter({ hasText: 'Paid' }).waitFor();
    await reloaded('Paid');

    expect(callsOf('connectBank').map(({ body }) => body)).toEqual([{ username: 'user_good', password: 'test-password' }]);
    expect(callsOf('authorizePayment').map(({ body }) => body)).toEqual([{ authorizationAccepted: true, authorizationId: 'authorization-1' }]);
    expect(new Set(api.calls.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer the-token']));
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([0, 0, '']);
  });

  test('the back button leaves the sign-in and not the page', async () => {
    await visit(sessions.opened);
    await page.getByRole('button', { name: 'Connect your bank' }).click();
    await page.getByLabel('Username').waitFor();
    await page.goBack();
    await heading().filter({ hasText: 'Amount due' }).waitFor();
  });

  test('another account can be connected before authorizing', async () => {
    api.answers.connectBank = () => ({ ...sessions.connected, bankAccount: { bankName: 'Sandbox Bank', accountType: 'savings', last4: '1111' } });
    await visit(sessions.connected);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await signIn('user_good');
    await page.getByText('Sandbox Bank savings •••• 1111').waitFor();
    expect(new URL(page.url()).hash).toBe('');
  });
});

describe('the first touch', () => {
  test('opens the session once, and looking at the page does not', async () => {
    api.answers.openSession = () => sessions.opened;
    await visit(sessions.owed);
    await page.waitForTimeout(300);
    expect(callsOf('openSession')).toHaveLength(0);
    await page.touchscreen.tap(10, 400);
    await page.getByText('Please finish by').waitFor();
    await page.touchscreen.tap(10, 400);
    await page.keyboard.press('Tab');
    await page.waitForTimeout(300);
    expect(callsOf('openSession')).toHaveLength(1);
  });

  test('of a page that still loads counts once the session is there', async () => {
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resolveAsked) => {
      api.answers.getSession = async () => {
        resolveAsked();
        await new Promise<void>((resolve) => (answer = resolve));
        return sessions.owed;
      };
    });
    await page.goto(`${api.url}/s/the-token`, { waitUntil: 'commit' });
    await asked;
    await page.keyboard.press('Tab');
    answer?.();
    await expect.poll(() => callsOf('openSession').length).toBe(1);
  });

  test('of a session that has ended meanwhile shows that', async () => {
    await visit(sessions.owed);
    api.answers.openSession = () => {
      api.session = sessions.cancelled;
      return { code: 'session_closed' };
    };
    await page.keyboard.press('Tab');
    await heading().filter({ hasText: 'Payment no longer required' }).waitFor();
  });

  test('of a session that is open or over tells the server nothing', async () => {
    for (const session of [sessions.opened, sessions.paid, sessions.expired]) {
      await visit(session);
      await page.keyboard.press('Tab');
    }
    await page.waitForTimeout(200);
    expect(callsOf('openSession')).toHaveLength(0);
  });

  test('is told again with the next touch when the server did not hear it', async () => {
    api.answers.openSession = () => ({ code: 'internal_error' });
    await visit(sessions.owed);
    await page.keyboard.press('Tab');
    await expect.poll(() => callsOf('openSession').length).toBe(1);
    await page.waitForTimeout(200);
    expect(callsOf('openSession')).toHaveLength(1);
    await page.keyboard.press('Tab');
    await expect.poll(() => callsOf('openSession').length).toBe(2);
  });
});

describe('a refused sign-in', () => {
  test('says how many tries are left, forgets what was typed, and ends locked', async () => {
    let attemptsRemaining = 2;
    api.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: --attemptsRemaining });
    await visit(sessions.opened, '/s/the-token#bank');
    await signIn('user_bad');
    await page.getByRole('alert').filter({ hasText: 'The bank did not accept this username and password. You can try once more.' }).waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe('');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await signIn('user_bad');
    await heading().filter({ hasText: 'Bank sign-in is locked' }).waitFor();
  });

  test('that finds the sign-in locked shows that', async () => {
    api.answers.connectBank = () => ({ code: 'bank_connection_locked' });
    await visit(sessions.opened, '/s/the-token#bank');
    await signIn('user_good');
    await heading().filter({ hasText: 'Bank sign-in is locked' }).waitFor();
  });

  test('by a bank that is down takes no try and asks for patience', async () => {
    api.answers.connectBank = () => ({ code: 'bank_unavailable' });
    await visit(sessions.opened, '/s/the-token#bank');
    await signIn('user_bank_down');
    await page.getByText('The bank cannot be reached right now.').waitFor();
    await page.getByLabel('Username').waitFor();
  });

  test('of a session that has expired meanwhile shows that', async () => {
    await visit(sessions.opened, '/s/the-token#bank');
    api.answers.connectBank = () => {
      api.session = sessions.expired;
      return { code: 'session_expired' };
    };
    await signIn('user_good');
    await heading().filter({ hasText: 'This link has expired' }).waitFor();
  });
});

describe('authorizing', () => {
  const authorize = () => page.getByRole('button', { name: 'Authorize payment' });

  test('twice in a row sends one payment', async () => {
    api.answers.authorizePayment = async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return sessions.submitted;
    };
    await visit(sessions.connected);
    await authorize().dblclick();
    await heading().filter({ hasText: 'Payment submitted' }).waitFor();
    expect(callsOf('authorizePayment')).toHaveLength(1);
  });

  test.each([
    ['session_closed', 'submitted', 'Payment submitted'],
    ['session_expired', 'expired', 'This link has expired'],
    ['invoice_already_paid', 'alreadyPaid', 'This invoice is already paid'],
    ['payment_in_progress', 'inProgress', 'A payment of this invoice is already in progress'],
    ['bank_not_connected', 'opened', 'Amount due'],
  ] as const)('that is answered %s shows how the session stands', async (code, state, expected) => {
    await visit(sessions.connected);
    api.answers.authorizePayment = () => {
      api.session = sessions[state];
      return { code };
    };
    await authorize().click();
    await heading().filter({ hasText: expected }).waitFor();
  });

  test('a text that has changed shows the new one and asks to read it again', async () => {
    await visit(sessions.connected);
    api.answers.authorizePayment = () => {
      api.session = { ...sessions.connected, authorization: { id: 'authorization-2', text: 'I authorize something else.' } };
      return { code: 'authorization_changed' };
    };
    await authorize().click();
    await page.getByText('I authorize something else.').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Please read it again');
  });

  test('whose answer is lost shows what the server made of it', async () => {
    await visit(sessions.connected);
    api.answers.authorizePayment = () => {
      api.session = sessions.submitted;
      return 'hang_up';
    };
    await authorize().click();
    await heading().filter({ hasText: 'Payment submitted' }).waitFor();
  });

  test('that never reached the server says so and can be repeated', async () => {
    await visit(sessions.connected);
    api.answers.authorizePayment = () => 'hang_up';
    await authorize().click();
    await page.getByText('The connection was lost. Nothing has been paid.').waitFor();
    api.answers.authorizePayment = () => sessions.submitted;
    await authorize().click();
    await heading().filter({ hasText: 'Payment submitted' }).waitFor();
  });
});

describe('as time passes', () => {
  const minutes = 60_000;

  test('a payment in flight is asked about every two seconds, then ever less often', async () => {
    await page.clock.install();
    await visit(sessions.submitted);
    const asked = async (milliseconds: number) => {
      const before = callsOf('getSession').length;
      for (let passed = 0; passed < milliseconds; passed += 2_000) {
        const seen = callsOf('getSession').length;
        await page.clock.runFor(2_000);
        await page.evaluate(() => new Promise((resolve) => queueMicrotask(() => resolve(undefined))));
        await page.waitForTimeout(callsOf('getSession').length > seen ? 0 : 5);
      }
      return callsOf('getSession').length - before;
    };
    const firstMinute = await asked(0.5 * minutes);
    await asked(1.5 * minutes);
    const later = await asked(0.5 * minutes);
    expect(firstMinute).toBeGreaterThanOrEqual(8);
    expect(later).toBeLessThan(firstMinute / 2);
  });

  test('a page that nobody looks at asks nothing, and asks at once when somebody does again', async () => {
    const look = (state: 'hidden' | 'visible') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await page.clock.install();
    await visit(sessions.submitted);
    await look('hidden');
    const before = callsOf('getSession').length;
    await page.clock.runFor(1 * minutes);
    await page.waitForTimeout(100);
    expect(callsOf('getSession')).toHaveLength(before);
    api.session = sessions.paid;
    await look('visible');
    await heading().filter({ hasText: 'Paid' }).waitFor();
  });

  test('a page left open shows that its session has expired', async () => {
    await page.clock.install({ time: new Date('2026-11-20T15:00:00Z') });
    await visit({ ...sessions.opened, expiresAt: '2026-11-20T15:30:00.000Z' });
    api.session = sessions.expired;
    await page.clock.fastForward(29 * minutes);
    expect(callsOf('getSession')).toHaveLength(1);
    await page.clock.fastForward(2 * minutes);
    await heading().filter({ hasText: 'This link has expired' }).waitFor();
  });
});
