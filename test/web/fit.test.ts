import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { mainAction } from './journey.ts';
import { openPage, phone } from './open-page.ts';
import { startPatientApiDouble, type PatientApiDouble } from './patient-api-double.ts';
import { distinctViews, languages, openView, pageViews } from './views-table.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let browser: Browser;
let api: PatientApiDouble;
let page: Page;
let devtools: CDPSession;
beforeAll(async () => {
  [browser, api] = await Promise.all([launchBrowser(), startPatientApiDouble()]);
  ({ page } = await openPage(browser));
  devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.enable');
  await page.addInitScript(watchShifts);
});
afterAll(() => Promise.all([browser.close(), api.close()]));

const scriptedViews = distinctViews.filter(({ javaScript }) => javaScript !== false);
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

/** The browser's own setting for the size of text, in pixels; 16 is what browsers come with. */
const setTextSize = (standard: number) => devtools.send('Page.setFontSizes', { fontSizes: { standard } });

/** A word or an amount that goes on in the next line. Only what is longer than a word is, such as an address or a number of theirs, may be broken. */
async function brokenWord(): Promise<Fault> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.querySelector('#page') ?? document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const broken: string[] = [];
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(
        /\$[\d,.]*\d|(?<![\p{L}\d@._-])\p{L}{1,14}(?![\p{L}\d@._-])/gu,
      )) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set(
          [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)),
        );
        if (lines.size > 1 && !node.parentElement?.closest('.spoken')) broken.push(word);
      }
    }
    return broken.length > 0 ? `breaks "${broken.join('", "')}"` : undefined;
  });
}

interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node?: Element }[];
}
type Watched = typeof globalThis & { shifts: PerformanceObserver; shifted: Shift[] };

/** Notes in the page what moves by itself; what follows a tap or a key at once is not counted. */
function watchShifts(): void {
  const watched = globalThis as Watched;
  watched.shifted = [];
  watched.shifts = new PerformanceObserver((list) => void watched.shifted.push(...(list.getEntries() as Shift[])));
  watched.shifts.observe({ type: 'layout-shift', buffered: true });
}

/** What has moved since the page was loaded, until its pictures are there and it has been painted twice more. */
async function jump(): Promise<Fault> {
  return page.evaluate(async () => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await painted();
    await painted();
    const { shifts, shifted } = globalThis as Watched;
    const jumps = [...shifted, ...(shifts.takeRecords() as Shift[])].filter(({ hadRecentInput }) => !hadRecentInput);
    return (
      jumps
        .map(
          ({ value, sources }) =>
            `${value.toFixed(4)} by ${sources.map(({ node }) => `${node?.nodeName}.${node?.className}`).join()}`,
        )
        .join('; ') || undefined
    );
  });
}

/** Why the main action cannot be pressed where it is now, or after scrolling to it. */
async function hiddenAction({ scroll }: { scroll: boolean }): Promise<Fault> {
  const action = mainAction(page);
  if ((await action.count()) === 0) return undefined;
  if (scroll) await action.scrollIntoViewIfNeeded();
  return action.evaluate((button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    if (top < 0 || left < 0 || bottom > window.innerHeight || right > window.innerWidth)
      return `at ${Math.round(top)} to ${Math.round(bottom)} of ${window.innerHeight}`;
    const [middle, centre] = [(left + right) / 2, (top + bottom) / 2];
    const places = [
      [middle, centre],
      [left + 4, centre],
      [right - 4, centre],
      [middle, top + 4],
      [middle, bottom - 4],
    ] as const;
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
    const running = document
      .getAnimations()
      .filter((animation) => Number(animation.effect?.getComputedTiming().duration) > 0);
    const styled = [...document.querySelectorAll('*')].filter((element) =>
      [undefined, '::before', '::after'].some((part) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element, part);
        return [...transitionDuration.split(','), ...animationDuration.split(',')].some(
          (duration) => Number.parseFloat(duration) > 0,
        );
      }),
    );
    if (getComputedStyle(document.documentElement).scrollBehavior === 'smooth') return 'scrolls smoothly';
    return running.length + styled.length > 0
      ? `${running.length} run; ${styled.map(({ tagName, className }) => `${tagName}.${className}`).join()}`
      : undefined;
  });
}

describe.each(languages)('in %s', (language) => {
  test.each(scriptedViews)('$name fits every window, with its action in reach', async (view) => {
    await page.setViewportSize(phone);
    await openView(page, api, view, language);
    const found: Record<string, Fault> = {};
    if (!view.act) found['nothing jumps while it loads'] = await jump();
    found['action without scrolling'] = asksForSomething.test(view.name)
      ? await hiddenAction({ scroll: false })
      : undefined;
    found['targets'] = await smallTargets();
    for (const [name, size] of Object.entries(windows)) {
      await page.setViewportSize(size);
      found[name] = (await overflow()) ?? (await hiddenAction({ scroll: true }));
    }
    await setTextSize(32);
    for (const name of ['on a small phone', 'on a phone'] as const) {
      await page.setViewportSize(windows[name]);
      found[`${name}, with text of twice the size`] =
        (await overflow()) ?? (await brokenWord()) ?? (await hiddenAction({ scroll: true }));
    }
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    await setTextSize(16);
    for (const [name, fault] of Object.entries(found)) expect.soft(fault, name).toBeUndefined();
  });

  test.each(['owed', 'owed-logo'])('whom to call is in sight without scrolling on a phone: %s', async (name) => {
    await page.setViewportSize(phone);
    await openView(page, api, pageViews.find((view) => view.name === name) ?? expect.fail(name), language);
    const number = await page.locator('footer a[href^="tel:"]').boundingBox();
    expect((number?.y ?? Infinity) + (number?.height ?? 0)).toBeLessThanOrEqual(phone.height);
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
