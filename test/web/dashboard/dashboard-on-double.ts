import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { openPage, type OpenedPage } from '../open-page.ts';
import { startDashboardApiDouble, type DashboardApiDouble } from './api-double.ts';

interface DashboardOnDouble {
  readonly page: Page;
  readonly api: DashboardApiDouble;
  /** Tests that expect a fault empty this list. */
  readonly faults: string[];
  /** Opens a path of the dashboard and waits for what it loads. */
  visit(path: string): Promise<void>;
  expectHeading(name: string): Promise<void>;
  expectText(words: string): Promise<void>;
  button(name: string): Locator;
  link(name: string): Locator;
  /** The bodies of the calls of a route so far. */
  sent(route: DashboardApiDouble['calls'][number]['route']): unknown[];
}

export const soon = { timeout: 10_000, interval: 20 };
export const desktop = { width: 1280, height: 800 };

/** Each test has a page of its own. */
export function useDashboardOnDouble(): DashboardOnDouble {
  let browser: Browser;
  let api: DashboardApiDouble;
  let opened: OpenedPage | undefined;

  vi.setConfig({ testTimeout: 20_000, hookTimeout: 60_000 });
  beforeAll(async () => {
    [browser, api] = await Promise.all([launchBrowser(), startDashboardApiDouble()]);
  });
  afterAll(() => Promise.all([browser.close(), api.close()]));
  beforeEach(async () => {
    api.reset();
    opened = await openPage(browser);
    await opened.page.setViewportSize(desktop);
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
      await on.page.waitForLoadState('networkidle');
    },
    async expectHeading(name) {
      await expect.poll(() => on.page.getByRole('heading', { level: 1 }).allTextContents(), soon).toEqual([name]);
    },
    async expectText(words) {
      await expect.poll(() => on.page.getByText(words).first().isVisible(), soon).toBe(true);
    },
    button: (name) => on.page.getByRole('button', { name, exact: true }),
    link: (name) => on.page.getByRole('link', { name, exact: true }),
    sent: (route) => api.calls.filter((call) => call.route === route).map((call) => call.body),
  };
  return on;
}
