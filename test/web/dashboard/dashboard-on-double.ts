import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onStack } from '../../support/on-stack.ts';
import { hide, openPage, type OpenedPage } from '../journey.ts';
import type { Call, RouteName } from './answers.ts';
import { startDashboardApiDouble, type DashboardApiDouble } from './api-double.ts';
import { watchRequests, type PageRequests } from './page-requests.ts';
import { lakeside } from './practice-data.ts';
import { now } from './time-data.ts';

interface DashboardOnDouble {
  readonly page: Page;
  readonly api: DashboardApiDouble;
  readonly requests: PageRequests;
  /** What the browser asked before a form with unsaved changes was left. */
  readonly questions: string[];
  /** How the next such questions are answered. By default, the form is left. */
  stays: boolean;
  /** Tests that expect a fault empty this list. */
  readonly faults: string[];
  /** Loads a path of the dashboard as a browser does, and waits for what it loads. */
  visit(path: string): Promise<void>;
  /** Waits until a screen is there and nothing on it is loading or being sent. */
  loaded(): Promise<void>;
  /** Opens a screen of a practice, once its content is there. */
  open(screen: string, practiceId?: string): Promise<void>;
  /** Runs now what the page would do by a timer within these seconds. Its date stands still. */
  pass(seconds: number): Promise<void>;
  /** Clicks a control that leads to the sign-in, and waits until the page has loaded again. */
  signInWith(control: Locator): Promise<void>;
  dialog(): Locator;
  expectHeading(name: string): Promise<void>;
  expectText(words: string): Promise<void>;
  button(name: string): Locator;
  link(name: string): Locator;
  /** The bodies of the calls of a route so far. */
  sent(route: DashboardApiDouble['calls'][number]['route']): unknown[];
  callsOf<Name extends RouteName>(route: Name): Call<Name>[];
}

export const soon = { timeout: 40_000, interval: 20 };
const desktop = { width: 1280, height: 800 };
/** A4, within the dashboard's margins. */
export const paper = { width: 657, height: 986 };

/** One for each vitest worker: tests reset it. */
export const onDouble = test.extend('api', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const api = await startDashboardApiDouble();
  onCleanup(() => api.close());
  return api;
});

/** Keeps some rows of each kind: more of the same are no harder to read. */
export function keepFewRows({ practices, platform }: DashboardApiDouble): void {
  const practice = practices[lakeside];
  practice?.sessions.splice(8);
  practice?.deliveries.splice(8);
  practice?.auditLog.splice(6);
  platform.practices?.splice(8);
}

/** The tests of a file share a page. Each one finds the app loaded, with nothing left from the test before. */
export function useDashboardOnDouble(): DashboardOnDouble {
  let double: DashboardApiDouble;
  let opened: OpenedPage | undefined;
  let requests: PageRequests;
  let isAtStart = false;

  onDouble.beforeAll(({ api }) => {
    double = api;
  });
  onStack.beforeAll(async ({ browser }) => {
    // Moving placeholders would be drawn again and again.
    opened = await openPage(browser, { reducedMotion: 'reduce' });
    await opened.page.setViewportSize(desktop);
    opened.page.setDefaultTimeout(soon.timeout);
    await opened.page.clock.setFixedTime(now);
    requests = await watchRequests(opened.page);
    await opened.page.addInitScript(skipFrames);
    opened.page.on('dialog', async (question) => {
      on.questions.push(question.message() || question.type());
      await (on.stays ? question.dismiss() : question.accept());
    });
    await opened.page.goto(double.url);
    return () => opened?.close();
  });
  beforeEach(async () => {
    on.stays = false;
    await goToStart();
    on.questions.length = 0;
    double.reset();
    on.faults.length = 0;
  });
  afterEach(() => {
    expect(on.faults.splice(0)).toEqual([]);
  });

  /** Navigates inside the loaded app, which costs a tenth of loading it. The start page requests nothing from the API. */
  async function goToStart(): Promise<void> {
    const { page } = on;
    await Promise.all([
      page.unrouteAll(),
      page.emulateMedia({ media: null, colorScheme: null }),
      page.setViewportSize(desktop),
    ]);
    if (!page.url().startsWith(`${double.url}/`)) await page.goto(double.url);
    await hide(page);
    isAtStart = await page.evaluate(async () => {
      localStorage.clear();
      sessionStorage.clear();
      history.pushState(null, '', '/');
      dispatchEvent(new PopStateEvent('popstate'));
      await new Promise((resolve) => setTimeout(resolve));
      return document.querySelector('h1')?.textContent === 'Practice dashboard';
    });
    await requests.forget();
  }

  /** Looks again if the page is left in the meantime, as for a sign-in. */
  async function untilLoaded(heading: string): Promise<void> {
    await expect.poll(() => on.page.evaluate(loadsWithinASecond, heading), soon).toBe(true);
  }

  const on: DashboardOnDouble = {
    get page() {
      return opened?.page ?? expect.fail('A page is only open during a test.');
    },
    get api() {
      return double;
    },
    questions: [],
    stays: false,
    get requests() {
      return requests;
    },
    get faults() {
      return opened?.faults ?? [];
    },
    async visit(path) {
      isAtStart = false;
      await on.page.goto(double.url + path);
      await on.loaded();
    },
    loaded: () => untilLoaded('h1'),
    async open(screen, practiceId = lakeside) {
      const path = `/${practiceId}${screen}`;
      // Coming from another screen, what that one had loaded would stay.
      await (isAtStart ? on.page.evaluate(goInside, path) : on.page.goto(double.url + path));
      isAtStart = false;
      await untilLoaded('#content header h1');
    },
    pass: (seconds) => on.page.clock.runFor(seconds * 1000),
    async signInWith(control) {
      await Promise.all([on.page.waitForEvent('domcontentloaded'), control.click()]);
    },
    dialog: () => on.page.locator('dialog[open]'),
    async expectHeading(name) {
      await expect.poll(() => on.page.getByRole('heading', { level: 1 }).allTextContents(), soon).toEqual([name]);
    },
    async expectText(words) {
      await expect.poll(() => on.page.getByText(words).first().isVisible(), soon).toBe(true);
    },
    button: (name) => on.page.getByRole('button', { name, exact: true }),
    link: (name) => on.page.getByRole('link', { name, exact: true }),
    sent: (route) => double.calls.filter((call) => call.route === route).map((call) => call.body),
    callsOf: <Name extends RouteName>(route: Name) =>
      double.calls.filter((call) => call.route === route) as unknown as Call<Name>[],
  };
  return on;
}

/** Runs in the page. Effects wait for the next frame, and one screen's for several. */
function skipFrames(): void {
  globalThis.requestAnimationFrame = (work) => Number(setTimeout(work, 0, performance.now()));
  globalThis.cancelAnimationFrame = (timer) => clearTimeout(timer);
}

/** Runs in the page. Goes there as the browser's history does. */
function goInside(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** Runs in the page, which can tell right away, unlike a locator, which polls every 20 to 500 ms. */
function loadsWithinASecond(heading: string): Promise<boolean> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(look);
    observer.observe(document, { attributes: true, childList: true, subtree: true });
    const end = (isLoaded: boolean) => {
      observer.disconnect();
      // The effects of what was drawn last come first.
      requestAnimationFrame(() => setTimeout(() => setTimeout(resolve, 0, isLoaded)));
    };
    function look() {
      const isShown = document.querySelector(heading)?.checkVisibility() ?? false;
      if (isShown && document.querySelector('[aria-busy=true]') === null) end(true);
    }
    setTimeout(end, 1000, false);
    look();
  });
}
