// @module-tag browser

import { describe, expect, test } from 'vitest';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

// page-*.test.ts fake these events; here the browser sends them.
const on = usePageOnDouble();
const look = (state: 'hidden' | 'visible') =>
  on.page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

const pay = () => on.page.locator('.primary');

test.each([
  ['tap', '', () => on.page.touchscreen.tap(10, 400)],
  ['click', '', () => on.page.mouse.click(10, 400)],
  ['press of Enter on a button', '', () => pay().press('Enter')],
  ['press of Space on a button', '', () => pay().press('Space')],
  ['tap on a field', '#sandbox_bank', () => on.page.getByLabel('Test user').tap()],
] as const)('the first %s opens the session', async (_, hash, act) => {
  on.api.answers.openSession = () => sessions.opened;
  await on.visit(sessions.owed, `/s/the-token${hash}`);
  await act();
  await expect.poll(() => on.callsOf('openSession').length, soon).toBe(1);
});

const link = (start: string) => on.page.locator(`a[href^="${start}"]`).first();
/** Phone and email links leave the page where it is; other links are kept from leaving it. */
const stay = () =>
  on.page.evaluate(() => addEventListener('click', (event) => event.preventDefault(), { passive: false }));

test('a link preview that runs scripts reads the same for everybody, and does not open the session', async () => {
  const openings = on.countRequests('openSession');
  await on.visit(sessions.owed);
  expect(await on.page.title(), 'drawn by the script').toContain('Lakeside');
  const read = await on.page
    .locator('meta[property]')
    .evaluateAll((all) => all.map((meta) => [meta.getAttribute('property'), meta.getAttribute('content')]));
  expect(read).toEqual([
    ['og:title', 'Pay your medical bill'],
    ['og:description', 'Pay your practice from your bank account. No card needed.'],
  ]);
  expect(await openings()).toBe(0);
});

describe('the session is not opened by', () => {
  test.each([
    ['a tap on the phone number', () => link('tel:').tap()],
    ['a press of Enter on the phone number', () => link('tel:').press('Enter')],
    ['a tap on the email address', () => link('mailto:').tap()],
    ['a tap on the other language', () => link('?lang=').tap()],
    ['a press of Enter on the other language', () => link('?lang=').press('Enter')],
    ['a turn of the wheel', () => on.page.mouse.wheel(0, 100)],
    ['a finger that scrolls', swipe],
    ['the way to a link with Tab and Shift+Tab', () => press('Tab', 'Tab', 'Shift+Tab')],
    ['keys that scroll', () => press('PageDown', 'ArrowDown', 'End', 'Space', 'Home')],
    ['modifier keys and Escape', () => press('Shift', 'Control', 'Alt', 'Meta', 'Escape')],
    ['the keys that find or print', () => press('Control+F', 'Control+P')],
  ])('%s', async (_, act) => {
    const openings = on.countRequests('openSession');
    await on.visit(sessions.owed);
    await stay();
    await act();
    expect(await openings()).toBe(0);
    await pay().click();
    expect(await openings()).toBe(1);
  });

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await on.page.keyboard.press(key);
  }

  async function swipe(): Promise<void> {
    const device = await on.page.context().newCDPSession(on.page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      device.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 100, y }] });
    await touch('touchStart', 500);
    for (let y = 480; y > 200; y -= 20) await touch('touchMove', y);
    await touch('touchEnd');
  }
});

test('a page in the background sends no requests, and polls at once when it becomes visible again', async () => {
  await on.stopClock();
  await on.visit(sessions.submitted);
  await look('hidden');
  await on.pass(60_000);
  on.api.session = sessions.paid;
  await look('visible');
  await on.expectView('You paid $182.50');
  expect(on.callsOf('getSession')).toHaveLength(2);
});

test('a page that opens in the background polls once, and again when it becomes visible', async () => {
  await on.stopClock();
  await on.startDocumentsWith(() =>
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }),
  );
  await on.visit(sessions.submitted);
  await on.pass(60_000);
  expect(on.callsOf('getSession')).toHaveLength(1);
  on.api.session = sessions.paid;
  await look('visible');
  await on.expectView('You paid $182.50');
  expect(on.callsOf('getSession')).toHaveLength(2);
});

test('a page restored from the back/forward cache polls at once', async () => {
  await on.visit(sessions.paid);
  on.api.session = sessions.returned;
  await on.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await on.expectView('Your bank took this payment back');
});

describe('a device that goes offline', () => {
  const banner = () => on.page.locator('[role=status].offline').innerText();

  test('is told so and keeps what is on the screen; back online the page continues by itself', async () => {
    await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
    await on.page.getByLabel('Test user').fill('user_good');
    expect(await banner()).toBe('');
    await on.page.context().setOffline(true);
    await expect.poll(banner, soon).toContain('You are offline.');
    expect(await on.page.getByLabel('Test user').inputValue()).toBe('user_good');
    on.api.session = sessions.cancelled;
    await on.page.context().setOffline(false);
    await on.expectView('Payment no longer required');
    expect(await banner()).toBe('');
  });

  test('before the first answer is told so, and the page comes back by itself', async () => {
    on.api.session = sessions.opened;
    await on.page.route('**/api/patient/session', async (route) => {
      await on.page.context().setOffline(true);
      await route.abort('internetdisconnected');
    });
    await on.page.goto(`${on.api.url}/s/the-token`);
    await on.expectView('You are offline');
    expect(await on.page.title()).toContain('offline');
    await on.page.unroute('**/api/patient/session');
    await on.page.context().setOffline(false);
    await on.expectView('Pay Lakeside');
  });
});
