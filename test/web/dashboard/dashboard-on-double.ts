import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { openPage, type OpenedPage } from '../open-page.ts';
import type { Call, RouteName } from './answers.ts';
import { startDashboardApiDouble, type DashboardApiDouble } from './api-double.ts';
import { lakeside } from './practice-data.ts';

interface DashboardOnDouble {
  readonly page: Page;
  readonly api: DashboardApiDouble;
  /** Tests that expect a fault empty this list. */
  readonly faults: string[];
  /** Opens a path of the dashboard and waits for what it loads. */
  visit(path: string): Promise<void>;
  /** Waits until a screen is there and nothing on it is loading or being sent. */
  loaded(): Promise<void>;
  /** Opens a screen of a practice, once its content is there. */
  open(screen: string, practiceId?: string): Promise<void>;
  /** Clicks what leads to the sign-in, and waits until the page has loaded again. */
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

export const soon = { timeout: 10_000, interval: 20 };
export const desktop = { width: 1280, height: 800 };

/** Each test has a page of its own, whose clock stands still at a given time. */
export function useDashboardOnDouble({ at }: { readonly at?: number } = {}): DashboardOnDouble {
  let browser: Browser;
  let api: DashboardApiDouble;
  let opened: OpenedPage | undefined;

  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
  beforeAll(async () => {
    [browser, api] = await Promise.all([launchBrowser(), startDashboardApiDouble()]);
  });
  afterAll(() => Promise.all([browser.close(), api.close()]));
  beforeEach(async () => {
    api.reset();
    opened = await openPage(browser);
    await opened.page.setViewportSize(desktop);
    opened.page.setDefaultTimeout(soon.timeout);
    if (at !== undefined) await opened.page.clock.setFixedTime(at);
  });
  afterEach(async () => {
    const faults = opened?.faults.splice(0);
    await opened?.close();
    opened = undefined;
    expect(faults).toEqual([]);
  });

  const on: DashboardOnDouble = {
    get page() {
      return opened?.page ?? expect.fail('A page is only open during a test.');
    },
    get api() {
      return api;
    },
    get faults() {
      return opened?.faults ?? [];
    },
    async visit(path) {
      await on.page.goto(api.url + path);
      await on.loaded();
    },
    async loaded() {
      const isLoaded = () =>
        document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null;
      await expect.poll(() => on.page.evaluate(isLoaded), soon).toBe(true);
    },
    async open(screen, practiceId = lakeside) {
      await on.page.goto(`${api.url}/${practiceId}${screen}`);
      await on.page.locator('#content header h1').first().waitFor();
      await on.loaded();
    },
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
    sent: (route) => api.calls.filter((call) => call.route === route).map((call) => call.body),
    callsOf: <Name extends RouteName>(route: Name) =>
      api.calls.filter((call) => call.route === route) as unknown as Call<Name>[],
  };
  return on;
}
