import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Mode } from '../../functions/domain/mode.ts';
import { usePhoneFont } from '../support/pictures.ts';
import { hide, phone } from './journey.ts';
import type { PatientApiDouble } from './patient-api-double.ts';
import { rendered } from './rendered-page.ts';
import { openView, type PageView } from './views-table.ts';

export type Misfit = string | undefined;

/** WCAG 2.2's reflow (1.4.10) uses a desktop window at 400 %. */
const windows = {
  'on a small phone': { width: 320, height: 568 },
  'in a desktop window at 400 %': { width: 320, height: 256 },
  'on a phone': phone,
  'in a desktop window': { width: 1280, height: 800 },
};

interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node?: Element }[];
}
type Watched = typeof globalThis & { shifts: PerformanceObserver; shifted: Shift[] };

/** Shifts right after a tap or a key do not count. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = globalThis as Watched;
    watched.shifted = [];
    watched.shifts = new PerformanceObserver((list) => void watched.shifted.push(...(list.getEntries() as Shift[])));
    watched.shifts.observe({ type: 'layout-shift', buffered: true });
  });
}

/** Animation frames may follow a test's clock, so this avoids them. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () =>
      new Promise<void>((resolve) => {
        // Observing again in the same turn would be an error, which pages would take for their own.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        const observer = new ResizeObserver(() => {
          observer.disconnect();
          port2.postMessage(undefined);
        });
        observer.observe(document.body);
      });
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await frame();
    await frame();
  });
}

export async function jump(page: Page): Promise<Misfit> {
  await painted(page);
  return page.evaluate(() => {
    const { shifts, shifted } = globalThis as Watched;
    const jumps = [...shifted, ...(shifts.takeRecords() as Shift[])].filter(({ hadRecentInput }) => !hadRecentInput);
    const told = jumps.map(
      ({ value, sources }) =>
        `${value.toFixed(4)} by ${sources.map(({ node }) => `${node?.nodeName}.${node?.className}`).join()}`,
    );
    return told.join('; ') || undefined;
  });
}

/** On a phone, the whole of a review with more words does not fit above its action: see action-bar.test.ts. */
const asksForSomething = /^(owed|sign-in|bank-unavailable|review(?!-long-names|-lost-answer)|unreachable)/;

/** Finally sets a phone's font in the page if the view asks for something. */
export async function misfitsOf(page: Page, devtools: CDPSession, view: string): Promise<Record<string, Misfit>> {
  const found: Record<string, Misfit> = { targets: await smallTargets(page), ...(await misfits(page, devtools)) };
  await page.evaluate(() => window.scrollTo(0, 0));
  if (!asksForSomething.test(view)) return found;
  await usePhoneFont(page);
  found['action without scrolling'] = await hiddenAction(page, { scroll: false });
  return found;
}

export async function misfits(page: Page, devtools: CDPSession): Promise<Record<string, Misfit>> {
  const found: Record<string, Misfit> = {};
  await hide(page);
  for (const [name, size] of Object.entries(windows)) {
    await page.setViewportSize(size);
    const faults = await Promise.all([overflow(page), hiddenAction(page, { scroll: true })]);
    found[name] = faults.find(Boolean);
  }
  await setTextSize(devtools, 32);
  for (const name of ['on a small phone', 'on a phone'] as const) {
    await page.setViewportSize(windows[name]);
    const faults = await Promise.all([overflow(page), brokenWord(page), hiddenAction(page, { scroll: true })]);
    found[`${name}, with text of twice the size`] = faults.find(Boolean);
  }
  const root = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  found['text of twice the size'] = root === '32px' ? undefined : `is ${root}`;
  await setTextSize(devtools, 16);
  await page.setViewportSize(phone);
  return found;
}

/** English, in the narrowest window. One page shows all views, which are rendered without a browser. */
export async function wordsThatDoNotFit(
  { page, api }: { readonly page: Page; readonly api: PatientApiDouble },
  devtools: CDPSession,
  views: readonly PageView[],
  mode: Mode,
): Promise<string[]> {
  const [first = expect.fail('There is no view.')] = views;
  await openView(page, api, first, 'en');
  await hide(page);
  await setTextSize(devtools, 32);
  await page.setViewportSize(windows['on a small phone']);
  const found: string[] = [];
  for (const { name, session, bankStep } of views) {
    if (session === undefined) continue;
    const { html } = await rendered(session, { mode, bankStep });
    await page.evaluate((words) => void (document.querySelector('#page')!.innerHTML = words), html);
    const [wide, broken] = await Promise.all([overflow(page), brokenWord(page)]);
    for (const misfit of [wide, broken]) if (misfit !== undefined) found.push(`${name}: ${misfit}`);
  }
  await setTextSize(devtools, 16);
  return found;
}

/** In pixels. */
export async function setTextSize(devtools: CDPSession, standard: number): Promise<void> {
  await devtools.send('Page.setFontSizes', { fontSizes: { standard } });
}

async function overflow(page: Page): Promise<Misfit> {
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

/** Only text longer than a word may break. */
async function brokenWord(page: Page): Promise<Misfit> {
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

export async function hiddenAction(page: Page, { scroll }: { scroll: boolean }): Promise<Misfit> {
  return page.evaluate((scrolls) => {
    const button = document.querySelector<HTMLElement & { scrollIntoViewIfNeeded(): void }>('.primary');
    if (!button) return undefined;
    if (scrolls) button.scrollIntoViewIfNeeded();
    const { left, top, right, bottom } = button.getBoundingClientRect();
    if (top < 0 || left < 0 || bottom > window.innerHeight || right > window.innerWidth)
      return `at ${Math.round(top)} to ${Math.round(bottom)} of ${window.innerHeight}`;
    const [middle, center] = [(left + right) / 2, (top + bottom) / 2];
    const places = [
      [middle, center],
      [left + 4, center],
      [right - 4, center],
      [middle, top + 4],
      [middle, bottom - 4],
    ] as const;
    return places.every(([x, y]) => button.contains(document.elementFromPoint(x, y))) ? undefined : 'covered';
  }, scroll);
}

/** WCAG 2.2, 2.5.8; the main action must be larger. */
export async function smallTargets(page: Page): Promise<Misfit> {
  return page.evaluate(() => {
    const tooSmall = [...document.querySelectorAll<HTMLElement>('a[href], button, input, summary')].filter((target) => {
      const { width, height } = target.getBoundingClientRect();
      const least = target.classList.contains('primary') ? 52 : 24;
      // The criterion exempts links in sentences.
      const inSentence = getComputedStyle(target).display === 'inline' && target.closest('p') !== null;
      const isHidden = target.getClientRects().length === 0;
      return !isHidden && !inSentence && (width < least || height < least);
    });
    return tooSmall.map(({ tagName, textContent }) => `${tagName} "${textContent}" is too small`).join() || undefined;
  });
}

export async function movement(page: Page): Promise<Misfit> {
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
