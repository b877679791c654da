// @module-tag browser

import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { painted } from './fit.ts';
import { mainAction } from './journey.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';
import { languages } from './views-table.ts';

const on = usePageOnDouble();
const small = { width: 320, height: 500 };

interface Spoken {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  readonly invalid: boolean;
}

async function accessibilityTree(page: Page): Promise<Spoken[]> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  await devtools.detach();
  const text = (value: { value?: unknown } | undefined) => (typeof value?.value === 'string' ? value.value : '');
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description, properties = [] }) => ({
      role: text(role),
      name: text(name),
      description: text(description),
      invalid: properties.some((property) => property.name === 'invalid' && property.value.value === 'true'),
    }));
}

async function tabTo(selector: string): Promise<void> {
  for (let stops = 1; stops <= 15; stops++) {
    await on.page.keyboard.press('Tab');
    if (await on.page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`Tab does not lead to ${selector}.`);
}

const focused = () =>
  on.page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { left, top, width, height } = element.getBoundingClientRect();
    const inMiddle = document.elementFromPoint(left + width / 2, top + height / 2);
    return {
      tag: element.tagName,
      text: element.textContent ?? '',
      place: `${element.tagName} ${element.id || element.textContent}`,
      scrolled: window.scrollY,
      isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && element.contains(inMiddle),
    };
  });

const screens = [
  [sessions.owed, ''],
  [sessions.opened, '#banks'],
  [sessions.opened, '#sandbox_bank'],
  [sessions.connected, ''],
  [sessions.paid, ''],
] as const;

describe.each(languages)('in %s', (language) => {
  const link = `/s/the-token?lang=${language}`;

  test('the keyboard alone leads from the link to the receipt; each view starts at its heading and has its own title', async () => {
    on.api.answers.openSession = () => sessions.opened;
    on.api.answers.connectBank = () => sessions.connected;
    on.api.answers.authorizePayment = () => sessions.submitted;
    const titles = new Set<string>();
    const startsAtHeading = async () => {
      await expect.poll(async () => (await focused()).tag, soon).toBe('H1');
      titles.add(await on.page.title());
      expect(await on.page.title()).toContain((await focused()).text);
      expect(await on.page.title()).toContain('Lakeside Family Dental');
      expect(await on.page.evaluate(() => window.scrollY)).toBe(0);
    };

    await on.stopClock();
    await on.visit(sessions.owed, link);
    await startsAtHeading();
    await tabTo('.primary');
    expect((await focused()).isSeen).toBe(true);
    await on.page.keyboard.press('Enter');

    await on.page.locator('.secondary').first().waitFor();
    await startsAtHeading();
    await tabTo('main .secondary');
    expect((await focused()).isSeen).toBe(true);
    await on.page.keyboard.press('Enter');

    await on.page.locator('#test-user').waitFor();
    await startsAtHeading();
    await tabTo('#test-user');
    expect((await focused()).isSeen).toBe(true);
    await on.page.keyboard.type('user_good');
    await tabTo('#test-word');
    await on.page.keyboard.type('test-password');
    await on.page.keyboard.press('Enter');

    await on.page.locator('.authorization').waitFor();
    await startsAtHeading();
    await tabTo('.primary');
    expect((await focused()).isSeen).toBe(true);
    await on.pass(1_100);
    await expect.poll(() => mainAction(on.page).getAttribute('aria-disabled'), soon).toBe('false');
    await on.page.keyboard.press('Space');

    await on.page.locator('.receipt').waitFor();
    await startsAtHeading();
    await tabTo('.receipt summary');
    expect((await focused()).isSeen).toBe(true);
    await on.page.keyboard.press('Enter');
    await on.page.locator('.receipt .authorization').waitFor();
    await on.page.keyboard.press('Escape');

    expect(titles.size).toBe(5);
    expect(on.callsOf('connectBank').map(({ body }) => body)).toEqual([
      { bank: 'sandbox_bank', username: 'user_good', password: 'test-password' },
    ]);
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });
});

// These views have the same elements in every language.
describe('by keyboard alone', () => {
  // Spanish, whose words take more room.
  test('Tab and Shift+Tab reach every control, with the focus in sight, in a small window', async () => {
    await on.page.setViewportSize(small);
    for (const [session, hash] of screens) {
      await on.visit(session, `/s/the-token?lang=es${hash}`);
      const usable = await on.page.locator('a[href], button, input, summary').count();
      // This button may disappear before the focus comes: the field below the text scrolls its end into sight.
      const passing = await on.page.locator('.read-on').count();
      for (const key of ['Tab', 'Shift+Tab']) {
        const places = new Set<string>();
        let scrolled = 0;
        // One stop is outside the page.
        for (let stop = 0; stop <= usable; stop++) {
          await on.page.keyboard.press(key);
          let stopped = await focused();
          // The page learns of it with the next frame.
          if (stopped.scrolled !== scrolled) {
            await painted(on.page);
            stopped = await focused();
          }
          const { tag, place, isSeen } = stopped;
          scrolled = stopped.scrolled;
          if (tag === 'BODY') continue;
          expect(isSeen, `${key} to ${place}`).toBe(true);
          places.add(place);
        }
        expect(places.size, [...places].join()).toBeGreaterThanOrEqual(usable - passing);
      }
    }
  });

  test('a view that appears by itself starts at its heading too', async () => {
    await on.stopClock();
    await on.visit(sessions.submitted);
    // A turn of the wheel could still scroll on when the view appears.
    await on.page.evaluate(() => window.scrollTo({ top: 300, behavior: 'instant' }));
    expect(await on.page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    on.api.session = sessions.paid;
    await on.pass(2_000);
    await on.expectView('You paid $182.50');
    expect(await focused()).toMatchObject({ tag: 'H1', text: 'You paid $182.50' });
    expect(await on.page.evaluate(() => window.scrollY)).toBe(0);
  });

  test('submitting with an empty field focuses that field', async () => {
    await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
    await tabTo('#test-user');
    await on.page.keyboard.type('user_good');
    await on.page.keyboard.press('Enter');
    expect(await on.page.locator('#test-word').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(on.callsOf('connectBank')).toHaveLength(0);
  });

  test('the Back button leaves the banks', async () => {
    await on.visit(sessions.opened);
    await tabTo('.primary');
    await on.page.keyboard.press('Enter');
    await on.page.locator('main .secondary').first().waitFor();
    await tabTo('main .plain');
    await on.page.keyboard.press('Enter');
    await on.page.locator('.amount').waitFor();
    await expect.poll(async () => (await focused()).tag, soon).toBe('H1');
  });
});

describe('a screen reader', () => {
  const alertOf = () => on.page.getByRole('alert').innerText();

  test('gets the language, one heading per view and a name for every control', async () => {
    for (const [session, hash] of [...screens, [sessions.failed, ''] as const]) {
      await on.visit(session, `/s/the-token${hash}`);
      expect(await on.page.locator('html').getAttribute('lang')).toBe('en');
      expect(await on.page.locator('h1').count()).toBe(1);
      const usable = (await accessibilityTree(on.page)).filter(({ role }) =>
        ['link', 'button', 'textbox', 'DisclosureTriangle'].includes(role),
      );
      expect(usable.length).toBeGreaterThan(1);
      expect(usable.filter(({ name }) => name.trim() === '')).toEqual([]);
    }
  });

  test('announces why a sign-in was refused, at the field that gets the focus', async () => {
    on.api.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: 3 });
    await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
    const before = (await accessibilityTree(on.page)).filter(({ role }) => role === 'textbox');
    expect(before).toHaveLength(2);
    expect(before.filter(({ invalid }) => invalid)).toEqual([]);
    await on.signIn('user_bad');

    await expect.poll(alertOf, soon).toContain('3');
    const fields = (await accessibilityTree(on.page)).filter(({ role }) => role === 'textbox');
    expect(fields.map(({ invalid }) => invalid)).toEqual([true, true]);
    const alert = (await alertOf()).replaceAll(/\s+/g, ' ');
    for (const { description } of fields) expect(description.replaceAll(/\s+/g, ' ')).toContain(alert);
    expect((await focused()).tag).toBe('INPUT');
  });

  test('announces that a bank is down without calling the fields invalid', async () => {
    on.api.answers.connectBank = () => ({ code: 'bank_unavailable' });
    await on.visit(sessions.opened, '/s/the-token#sandbox_bank');
    await on.signIn('user_bank_down');
    await expect.poll(alertOf, soon).not.toBe('');
    expect((await accessibilityTree(on.page)).filter(({ role, invalid }) => role === 'textbox' && invalid)).toEqual([]);
  });

  test('announces what the page is waiting for', async () => {
    on.api.answers.authorizePayment = () => 'hang_up';
    await on.stopClock();
    await on.visit(sessions.connected);
    await on.pass(1_100);
    const live = await on.page.locator('[role=alert], [role=status], [aria-live]').count();
    expect(live, 'what is not there before cannot be announced').toBeGreaterThan(0);
    await mainAction(on.page).click();
    await expect.poll(alertOf, soon).not.toBe('');
    expect(await mainAction(on.page).getAttribute('aria-disabled')).toBe('true');
    expect(
      await mainAction(on.page).evaluate((button) => button === document.activeElement),
      'a button that waits keeps the focus',
    ).toBe(true);
  });
});
