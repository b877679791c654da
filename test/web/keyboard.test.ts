import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { mainAction } from './journey.ts';
import { phone } from './open-page.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';
import { languages } from './views-table.ts';

const on = usePageOnDouble();

/** What a screen reader is given for an element. */
interface Spoken {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  readonly invalid: boolean;
}

/** The elements of the page as the browser hands them to a screen reader. */
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

/** Presses Tab until this has the focus, and says on how many stops it came by. */
async function tabTo(selector: string): Promise<number> {
  for (let stops = 1; stops <= 15; stops++) {
    await on.page.keyboard.press('Tab');
    if (
      await on.page
        .locator(selector)
        .first()
        .evaluate((element) => element === document.activeElement)
    )
      return stops;
  }
  throw new Error(`Tab does not lead to ${selector}.`);
}

const focused = () =>
  on.page.evaluate(() => ({ tag: document.activeElement?.tagName, text: document.activeElement?.textContent ?? '' }));
const isFocusSeen = () =>
  on.page.evaluate(() => {
    const { activeElement } = document;
    if (!activeElement) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(activeElement);
    const { left, top, width, height } = activeElement.getBoundingClientRect();
    const inMiddle = document.elementFromPoint(left + width / 2, top + height / 2);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && activeElement.contains(inMiddle);
  });

describe.each(languages)('by keyboard alone, in %s,', (language) => {
  const link = `/s/the-token?lang=${language}`;

  test('a patient comes from the link to the receipt, each view begins at its heading, and each has a title of its own', async () => {
    on.api.answers.openSession = () => sessions.opened;
    on.api.answers.connectBank = () => sessions.connected;
    on.api.answers.authorizePayment = () => sessions.submitted;
    const titles = new Set<string>();
    const beginsAtHeading = async () => {
      await expect.poll(async () => (await focused()).tag, soon).toBe('H1');
      titles.add(await on.page.title());
      expect(await on.page.title()).toContain((await focused()).text);
      expect(await on.page.evaluate(() => window.scrollY)).toBe(0);
    };

    await on.visit(sessions.owed, link);
    await beginsAtHeading();
    await tabTo('.primary');
    expect(await isFocusSeen()).toBe(true);
    await on.page.keyboard.press('Enter');

    await on.page.locator('#username').waitFor();
    await beginsAtHeading();
    await tabTo('#username');
    expect(await isFocusSeen()).toBe(true);
    await on.page.keyboard.type('user_good');
    await tabTo('#password');
    await on.page.keyboard.type('test-password');
    await on.page.keyboard.press('Enter');

    await on.page.locator('.authorization').waitFor();
    await beginsAtHeading();
    await tabTo('.primary');
    expect(await isFocusSeen()).toBe(true);
    await expect.poll(() => mainAction(on.page).getAttribute('aria-disabled'), soon).toBe('false');
    await on.page.keyboard.press('Space');

    await on.page.locator('.receipt').waitFor();
    await beginsAtHeading();
    await tabTo('.receipt summary');
    expect(await isFocusSeen()).toBe(true);
    await on.page.keyboard.press('Enter');
    await on.page.locator('.receipt .authorization').waitFor();
    await on.page.keyboard.press('Escape');

    expect(titles.size).toBe(4);
    expect(on.callsOf('connectBank').map(({ body }) => body)).toEqual([
      { username: 'user_good', password: 'test-password' },
    ]);
    expect(on.callsOf('authorizePayment')).toHaveLength(1);
  });

  test('a view that comes by itself begins at its heading too', async () => {
    await on.visit(sessions.submitted, link);
    const before = await on.page.title();
    on.api.session = sessions.paid;
    await expect.poll(() => on.page.title(), soon).not.toBe(before);
    expect(await on.heading().count()).toBe(1);
  });

  // In the smaller one the bar with the button, which stays at the bottom, takes a large part.
  test.each([phone, { width: 320, height: 500 }])(
    'everything that can be used can be reached, forwards and back, with the focus in sight, in a window of $width x $height',
    async (size) => {
      await on.page.setViewportSize(size);
      for (const [session, hash] of [
        [sessions.owed, ''],
        [sessions.opened, '#bank'],
        [sessions.connected, ''],
        [sessions.paid, ''],
      ] as const) {
        await on.page.goto('about:blank');
        await on.visit(session, link + hash);
        const usable = await on.page.locator('a[href], button, input, summary').count();
        // This one goes once the end of the text is in sight: on the way back it may never be there.
        const passing = await on.page.locator('.read-on').count();
        for (const key of ['Tab', 'Shift+Tab']) {
          const places = new Set<string>();
          // Once around, with one stop outside of the page.
          for (let stop = 0; stop <= usable; stop++) {
            await on.page.keyboard.press(key);
            if ((await focused()).tag === 'BODY') continue;
            const place = await on.page.evaluate(
              () =>
                `${document.activeElement?.tagName} ${document.activeElement?.id || document.activeElement?.textContent}`,
            );
            expect(await isFocusSeen(), `${key} to ${place}`).toBe(true);
            places.add(place);
          }
          expect(places.size, [...places].join()).toBeGreaterThanOrEqual(key === 'Tab' ? usable : usable - passing);
        }
      }
    },
  );

  test('going on with an empty field goes to that field', async () => {
    await on.visit(sessions.opened, `${link}#bank`);
    await tabTo('#username');
    await on.page.keyboard.type('user_good');
    await on.page.keyboard.press('Enter');
    expect(await on.page.locator('#password').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(on.callsOf('connectBank')).toHaveLength(0);
  });

  test('the way back from the sign-in is a key away', async () => {
    await on.visit(sessions.opened, link);
    await tabTo('.primary');
    await on.page.keyboard.press('Enter');
    await on.page.locator('#username').waitFor();
    await tabTo('form .plain');
    await on.page.keyboard.press('Enter');
    await on.page.locator('.amount').waitFor();
    await expect.poll(async () => (await focused()).tag, soon).toBe('H1');
  });
});

describe.each(languages)('a screen reader, in %s,', (language) => {
  const link = `/s/the-token?lang=${language}`;
  const alertOf = () => on.page.getByRole('alert').innerText();

  test('reads the page as that language, one heading per view, and a name for everything that can be used', async () => {
    for (const [session, hash] of [
      [sessions.owed, ''],
      [sessions.opened, '#bank'],
      [sessions.connected, ''],
      [sessions.paid, ''],
      [sessions.failed, ''],
    ] as const) {
      await on.page.goto('about:blank');
      await on.visit(session, link + hash);
      expect(await on.page.locator('html').getAttribute('lang')).toBe(language);
      expect(await on.page.locator('h1').count()).toBe(1);
      const usable = (await accessibilityTree(on.page)).filter(({ role }) =>
        ['link', 'button', 'textbox', 'DisclosureTriangle'].includes(role),
      );
      expect(usable.length).toBeGreaterThan(1);
      expect(usable.filter(({ name }) => name.trim() === '')).toEqual([]);
    }
  });

  test('is told why a sign-in was refused, at the field where the focus goes', async () => {
    on.api.answers.connectBank = () => ({ code: 'bank_connection_failed', attemptsRemaining: 3 });
    await on.visit(sessions.opened, `${link}#bank`);
    const before = (await accessibilityTree(on.page)).filter(({ role }) => role === 'textbox');
    expect(before).toHaveLength(2);
    expect(before.filter(({ invalid }) => invalid)).toEqual([]);
    await on.page.locator('#username').fill('user_bad');
    await on.page.locator('#password').fill('test-password');
    await on.page.keyboard.press('Enter');

    await expect.poll(alertOf, soon).toContain('3');
    const fields = (await accessibilityTree(on.page)).filter(({ role }) => role === 'textbox');
    expect(fields.map(({ invalid }) => invalid)).toEqual([true, true]);
    const alert = (await alertOf()).replaceAll(/\s+/g, ' ');
    for (const { description } of fields) expect(description.replaceAll(/\s+/g, ' ')).toContain(alert);
    expect((await focused()).tag).toBe('INPUT');
  });

  test('is told that a bank is down without being told that the fields are wrong', async () => {
    on.api.answers.connectBank = () => ({ code: 'bank_unavailable' });
    await on.visit(sessions.opened, `${link}#bank`);
    await on.page.locator('#username').fill('user_bank_down');
    await on.page.locator('#password').fill('test-password');
    await on.page.keyboard.press('Enter');
    await expect.poll(alertOf, soon).not.toBe('');
    expect((await accessibilityTree(on.page)).filter(({ role, invalid }) => role === 'textbox' && invalid)).toEqual([]);
  });

  test('hears of what the page is waiting for', async () => {
    on.api.answers.authorizePayment = () => 'hang_up';
    await on.visit(sessions.connected, link);
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

  test('hears once at five minutes and once at one minute that the time is ending, and else nothing of it', async () => {
    const start = Date.parse('2026-11-20T15:00:00Z');
    let now = start;
    await on.page.clock.install({ time: start });
    on.api.now = () => now;
    await on.visit({ ...sessions.opened, expiresAt: new Date(start + 7 * 60_000).toISOString() }, link);
    await on.page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      const listen = (region: Element) =>
        new MutationObserver(() => region.textContent && heard.push(region.textContent)).observe(region, {
          childList: true,
          characterData: true,
          subtree: true,
        });
      document.querySelectorAll('[role=status], [aria-live=polite]').forEach(listen);
    });
    const heard = () => on.page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
    const pass = async (seconds: number) => {
      for (const end = now + seconds * 1_000; now < end; now += 1_000) await on.page.clock.runFor(1_000);
    };
    await pass(110);
    expect(await heard()).toEqual([]);
    await pass(60);
    expect(await heard()).toHaveLength(1);
    expect((await heard())[0]).toMatch(/5 minut/);
    await pass(180);
    expect(await heard()).toHaveLength(1);
    await pass(60);
    expect(await heard()).toHaveLength(2);
    expect((await heard())[1]).toMatch(/1 minut/);
    on.api.session = sessions.expired;
    await pass(30);
    await expect
      .poll(async () => {
        await pass(1);
        return on.page.locator('.primary').count();
      }, soon)
      .toBe(0);
    expect(await on.heading().count()).toBe(1);
  });
});
