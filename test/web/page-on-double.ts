import type { Browser, Locator, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import { patientRoutes } from '../../functions/contract/routes.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import { onStack } from '../support/on-stack.ts';
import { painted } from './fit.ts';
import { expectHeading, openLink, openPage, phone, readPage, signIn, viewHeading, type OpenedPage } from './journey.ts';
import { startPatientApiDouble, type PatientApiDouble } from './patient-api-double.ts';

interface PageOnDouble {
  readonly browser: Browser;
  readonly page: Page;
  readonly api: PatientApiDouble;
  /** Tests that expect a fault empty this list. */
  readonly faults: string[];
  visit(session: SessionView | undefined, path?: string): Promise<void>;
  /** A script that each document of this test runs first. */
  startDocumentsWith(script: string | (() => void)): Promise<void>;
  /** Call this first. */
  stopClock(now?: number): Promise<void>;
  pass(milliseconds: number): Promise<void>;
  /** The first request of a browser that is back online can fail. */
  passUntil(heading: string, step: number): Promise<void>;
  heading(): Locator;
  expectView(heading: string): Promise<void>;
  expectText(words: string): Promise<void>;
  text(): Promise<string>;
  signIn(username: string): Promise<void>;
  /** Call this before the first visit. Counts what the page sends, whenever it arrives. */
  countRequests(route: keyof typeof patientRoutes): () => Promise<number>;
  callsOf(route: PatientApiDouble['calls'][number]['route']): PatientApiDouble['calls'];
}

/** Each mode builds the page, which takes longer than most files need. */
const onDouble = onStack
  .extend('sandbox', { scope: 'worker' }, ({}, { onCleanup }) => startDouble('sandbox', onCleanup))
  .extend('live', { scope: 'worker' }, ({}, { onCleanup }) => startDouble('live', onCleanup));

async function startDouble(mode: Mode, onCleanup: (stop: () => Promise<void>) => void): Promise<PatientApiDouble> {
  const double = await startPatientApiDouble(mode);
  onCleanup(() => double.close());
  return double;
}

export const soon = { timeout: 30_000, interval: 20 };

/** The tests of a file share a page, and leave it, so that it stops calling the API. A new page takes longer than most tests. */
export function usePageOnDouble(mode: Mode = 'sandbox', { draws = false } = {}): PageOnDouble {
  let browser: Browser;
  let api: PatientApiDouble;
  let shared: OpenedPage | undefined;
  /** Shared too, but separately: a clock that was stopped cannot be restored. */
  let stopped: OpenedPage | undefined;
  let opened: OpenedPage | undefined;

  const openShared = () => openPage(browser, { draws });

  if (mode === 'live') onDouble.beforeAll(({ live }) => void (api = live));
  else onDouble.beforeAll(({ sandbox }) => void (api = sandbox));
  onDouble.beforeAll(async ({ browser: launched }) => {
    browser = launched;
    opened = shared = await openShared();
  });
  afterAll(async () => {
    await shared?.close();
    await stopped?.close();
  });
  beforeEach(() => {
    opened = shared;
    api.reset();
  });
  afterEach(async () => {
    const faults = opened?.faults.splice(0);
    if (opened) await leave(opened);
    expect(faults).toEqual([]);
  });

  const on: PageOnDouble = {
    get browser() {
      return browser;
    },
    get page() {
      return opened?.page ?? expect.fail('A page is only open during a test.');
    },
    get api() {
      return api;
    },
    get faults() {
      return opened?.faults ?? [];
    },
    async visit(session, path = '/s/the-token') {
      api.session = session;
      await openLink(on.page, api.url + path);
    },
    async startDocumentsWith(script) {
      const added = await on.page.addInitScript(script);
      onTestFinished(() => added.dispose());
    },
    async stopClock(now = Date.now()) {
      opened = stopped ??= await openShared();
      // It runs until it is paused, and cannot be paused in its past, so a slow machine needs this minute.
      await on.page.clock.install({ time: now - 60_000 });
      await on.page.clock.pauseAt(now);
    },
    pass: (milliseconds) => on.page.clock.runFor(milliseconds),
    async passUntil(heading, step) {
      const shown = async () => {
        await on.pass(step);
        return (await on.heading().allInnerTexts()).join();
      };
      await expect.poll(shown, soon).toContain(heading);
    },
    heading: () => viewHeading(on.page),
    expectView: (heading) => expect(expectHeading(on.page, heading, soon.timeout)).resolves.toBeUndefined(),
    expectText: (words) => expect.poll(() => on.text(), soon).toContain(words),
    text: () => readPage(on.page),
    signIn: (username) => signIn(on.page, username),
    countRequests(route) {
      const { method, path } = patientRoutes[route];
      const { page } = on;
      let sent = 0;
      const count = (request: Request) => {
        if (request.method() === method && request.url().endsWith(path)) sent++;
      };
      page.on('request', count);
      onTestFinished(() => void page.off('request', count));
      return async () => {
        // Touches and turns of the wheel wait for a frame.
        await painted(page);
        return sent;
      };
    },
    callsOf: (route) => api.calls.filter((call) => call.route === route),
  };
  return on;
}

async function leave({ page, faults }: OpenedPage): Promise<void> {
  // Opening an empty page would take a third of a visit's time.
  await page.evaluate(() => {
    globalThis.fetch = () => new Promise(() => {});
    window.stop();
  });
  await Promise.all([
    page.unrouteAll(),
    page.context().setOffline(false),
    page.context().clearPermissions(),
    page.setViewportSize(phone),
    page.emulateMedia({ colorScheme: null, media: null, reducedMotion: null }),
    // A pointer would hover over what the next test opens.
    page.mouse.move(0, 0),
  ]);
  faults.length = 0;
}
