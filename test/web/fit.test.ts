import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { mainAction } from './journey.ts';
import { openPage, phone } from './open-page.ts';
import { startPatientApiDouble, type PatientApiDouble } from './patient-api-double.ts';
import { languages, openView, pageViews } from './views-table.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let browser: Browser;
let api: PatientApiDouble;
let page: Page;
beforeAll(async () => {
  [browser, api] = await Promise.all([launchBrowser(), startPatientApiDouble()]);
  ({ page } = await openPage(browser));
});
afterAll(() => Promise.all([browser.close(), api.close()]));

const scriptedViews = pageViews.filter(({ javaScript }) => javaScript !== false);
const asksForSomething = /^(owed|sign-in|bank-unavailable|review|unreachable)/;

/** What is wrong with how a view fits; undefined is nothing. */
type Fault = string | undefined;

/** WCAG 2.2's reflow, 1.4.10, is the width of a desktop window at 400 %. */
const windows = {
  'on a small phone': { width: 320, height: 568 },
  'in a desktop window at 400 %': { width: 320, height: 256 },
  'on a phone': phone,
  'in a desktop window': { width: 1280, height: 800 },
};

async function overflow(): Promise<Fault> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) return `${scrollWidth} wide in ${clientWidth}`;
    const cut = [...document.querySelectorAll('#page *')].find((element) => {
      const { left, right, width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && (left < -1 || right > clientWidth + 1);
    });
    return cut && `${cut.tagName}.${cut.className} reaches out of the window`;
  });
}

/** Why the main action cannot be pressed where it is now, or after scrolling to it. */
async function hiddenAction({ scroll }: { scroll: boolean }): Promise<Fault> {
  const action = mainAction(page);
  if ((await action.count()) === 0) return undefined;
  if (scroll) await action.scrollIntoViewIfNeeded();
  return action.evaluate((button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    if (top < 0 || left < 0 || bottom > window.innerHeight || right > window.innerWidth) return `at ${Math.round(top)} to ${Math.round(bottom)} of ${window.innerHeight}`;
    const [middle, centre] = [(left + right) / 2, (top + bottom) / 2];
    const places = [[middle, centre], [left + 4, centre], [right - 4, centre], [middle, top + 4], [middle, bottom - 4]] as const;
    return places.every(([x, y]) => button.contains(document.elementFromPoint(x, y))) ? undefined : 'covered';
  });
}

/** What is too small for a finger (WCAG 2.2, 2.5.8; for what matters most, more than that). */
async function smallTargets(): Promise<Fault> {
  return page.evaluate(() => {
    const tooSmall = [...document.querySelectorAll<HTMLElement>('a[href], button, input, summary')].filter((target) => {
      const { width, height } = target.getBoundingClientRect();
      const least = target.classList.contains('primary') ? 52 : 24;
      // A link in a sentence is as tall as its line, which the criterion allows.
      const inSentence = getComputedStyle(target).display === 'inline' && target.closest('p') !== null;
      return !inSentence && (width < least || height < least);
    });
    return tooSmall.map(({ tagName, textContent }) => `${tagName} "${textContent}" is too small`).join() || undefined;
  });
}

/** What moves, or would when it changes. */
async function movement(): Promise<Fault> {
  return page.evaluate(() => {
    const running = document.getAnimations().filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 0);
    const styled = [...document.querySelectorAll('*')].filter((element) =>
      [undefined, '::before', '::after'].some((part) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element, part);
        return [...transitionDuration.split(','), ...animationDuration.split(',')].some((duration) => Number.parseFloat(duration) > 0);
      }),
    );
    if (getComputedStyle(document.documentElement).scrollBehavior === 'smooth') return 'scrolls smoothly';
    return running.length + styled.length > 0 ? `${running.length} run; ${styled.map(({ tagName, className }) => `${tagName}.${className}`).join()}` : undefined;
  });
}

describe.each(languages)('in %s', (language) => {
  test.each(scriptedViews)('$name fits every window, with its action in reach', async (view) => {
    await page.setViewportSize(phone);
    await openView(page, api, view, language);
    const found: Record<string, Fault> = {};
    found['action without scrolling'] = asksForSomething.test(view.name) ? await hiddenAction({ scroll: false }) : undefined;
    found['targets'] = await smallTargets();
    for (const [name, size] of Object.entries(windows)) {
      await page.setViewportSize(size);
      found[name] = (await overflow()) ?? (await hiddenAction({ scroll: true }));
    }
    await page.setViewportSize(phone);
    await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
    found['on a phone with text of twice the size'] = (await overflow()) ?? (await hiddenAction({ scroll: true }));
    for (const [name, fault] of Object.entries(found)) expect.soft(fault, name).toBeUndefined();
  });

  test('nothing moves for who has asked for less motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const name of ['owed', 'sign-in-failed', 'review', 'submitted', 'paid']) {
      const view = scriptedViews.find((each) => each.name === name) ?? expect.fail(name);
      await openView(page, api, view, language);
      expect.soft(await movement(), name).toBeUndefined();
    }
    await page.emulateMedia({ reducedMotion: null });
  });
});
