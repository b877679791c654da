import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { openPage, type OpenedPage } from '../open-page.ts';
import type { Call, RouteName } from './answers.ts';
import { startDashboardApiDouble, type DashboardApiDouble } from './api-double.ts';
import { lakeside, type PracticeData } from './practice-data.ts';
import { now } from './time-data.ts';

const desktop = { width: 1280, height: 800 };

interface DashboardOnDouble {
  readonly api: DashboardApiDouble;
  readonly page: Page;
  readonly practice: PracticeData;
  /** `screen` is below the practice's address. Waits until everything has loaded. */
  visit(screen: string, practiceId?: string): Promise<void>;
  button(name: string | RegExp): Locator;
  /** The open dialog. */
  dialog(): Locator;
  callsOf<Name extends RouteName>(route: Name): Call<Name>[];
}

/** The dashboard with canned answers. The tests of a file share a page. */
export function useDashboardOnDouble(): DashboardOnDouble {
  let browser: Browser;
  let api: DashboardApiDouble;
  let opened: OpenedPage | undefined;

  vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });
  beforeAll(async () => {
    [browser, api] = await Promise.all([launchBrowser(), startDashboardApiDouble()]);
    opened = await openPage(browser);
    opened.page.setDefaultTimeout(10_000);
    await opened.page.clock.setFixedTime(now);
  });
  afterAll(() => Promise.all([browser.close(), api.close()]));
  beforeEach(async () => {
    api.reset();
    await opened?.page.setViewportSize(desktop);
  });
  afterEach(async () => {
    await opened?.page.evaluate(() => sessionStorage.clear());
    expect(opened?.faults.splice(0)).toEqual([]);
  });

  const on: DashboardOnDouble = {
    get api() {
      return api;
    },
    get page() {
      return opened?.page ?? expect.fail('A page is only open during a test.');
    },
    get practice() {
      return api.practices[lakeside] ?? expect.fail('The practice is gone.');
    },
    async visit(screen, practiceId = lakeside) {
      await on.page.goto(`${api.url}/${practiceId}${screen}`);
      await on.page.locator('#content header h1').first().waitFor();
      await expect.poll(() => on.page.locator('[aria-busy=true]').count()).toBe(0);
    },
    button: (name) => on.page.getByRole('button', { name, exact: typeof name === 'string' }),
    dialog: () => on.page.locator('dialog[open]'),
    callsOf: <Name extends RouteName>(route: Name) =>
      api.calls.filter((call) => call.route === route) as unknown as Call<Name>[],
  };
  return on;
}
