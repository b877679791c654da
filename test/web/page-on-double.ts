import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { SessionView } from '../../functions/contract/patient-api.ts';
import { launchBrowser } from '../support/browser.ts';
import { openPage, type OpenedPage } from './open-page.ts';
import { startPatientApiDouble, type PatientApiDouble } from './patient-api-double.ts';

export interface PageOnDouble {
  readonly browser: Browser;
  readonly page: Page;
  readonly api: PatientApiDouble;
  /** Opens the link of a session, undefined for an unknown one, and waits for its view. */
  visit(session: SessionView | undefined, path?: string): Promise<void>;
  /** The heading of a view, which the page has focused; the loading page's is not. */
  heading(): Locator;
  /** Expects a view with this in its heading, soon. */
  expectView(heading: string): Promise<void>;
  /** Expects these words anywhere on the page, soon. */
  expectText(words: string): Promise<void>;
  /** Everything that the patient can read. */
  text(): Promise<string>;
  signIn(username: string): Promise<void>;
  callsOf(route: PatientApiDouble['calls'][number]['route']): PatientApiDouble['calls'];
}

/** For `expect.poll`: long enough for a busy machine. */
export const soon = { timeout: 10_000 };

/** For every test of a file a fresh page in a real browser, against a patient API that the test plays; no test may leave a fault in the browser. */
export function usePageOnDouble(): PageOnDouble {
  let browser: Browser;
  let api: PatientApiDouble;
  let opened: OpenedPage;

  vi.setConfig({ testTimeout: 20_000, hookTimeout: 60_000 });
  beforeAll(async () => {
    [browser, api] = await Promise.all([launchBrowser(), startPatientApiDouble()]);
  });
  afterAll(() => Promise.all([browser.close(), api.close()]));
  beforeEach(async () => {
    api.reset();
    opened = await openPage(browser);
  });
  afterEach(async () => {
    await opened.close();
    expect(opened.faults).toEqual([]);
  });

  const on: PageOnDouble = {
    get browser() {
      return browser;
    },
    get page() {
      return opened.page;
    },
    get api() {
      return api;
    },
    async visit(session, path = '/s/the-token') {
      api.session = session;
      await on.page.goto(api.url + path);
      await on.heading().waitFor();
    },
    heading: () => on.page.locator('h1:focus'),
    expectView: (heading) =>
      expect.poll(() => on.heading().allInnerTexts(), soon).toEqual([expect.stringContaining(heading)]),
    expectText: (words) => expect.poll(() => on.text(), soon).toContain(words),
    text: async () => (await on.page.locator('body').innerText()).replaceAll(/\s+/g, ' '),
    async signIn(username) {
      await on.page.getByLabel('Username').fill(username);
      await on.page.getByLabel('Password').fill('test-password');
      await on.page.getByRole('button', { name: 'Sign in' }).click();
    },
    callsOf: (route) => api.calls.filter((call) => call.route === route),
  };
  return on;
}
