import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import { patientRoutes } from '../../functions/contract/patient-routes.ts';
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
  /** Call this before the first visit. */
  stopClock(now?: number): Promise<void>;
  pass(milliseconds: number): Promise<void>;
  /** The first request of a browser that is online again can fail. */
  passUntil(heading: string, step: number): Promise<void>;
  heading(): Locator;
  expectView(heading: string): Promise<void>;
  expectText(words: string): Promise<void>;
  text(): Promise<string>;
  signIn(username: string): Promise<void>;
  /** Call this before the first visit. Counts what the page sends, whenever that arrives. */
  countRequests(route: keyof typeof patientRoutes): () => Promise<number>;
  callsOf(route: PatientApiDouble['calls'][number]['route']): PatientApiDouble['calls'];
}

/** Each builds the page, which takes longer than most files need. */
const onDouble = onStack
  .extend('sandbox', { scope: 'worker' }, ({}, { onCleanup }) => startDouble('sandbox', onCleanup))
  .extend('live', { scope: 'worker' }, ({}, { onCleanup }) => startDouble('live', onCleanup));

async function startDouble(mode: Mode, onCleanup: (stop: () => Promise<void>) => void): Promise<PatientApiDouble> {
  const double = await startPatientApiDouble(mode);
  onCleanup(() => double.close());
  return double;
}

export const soon = { timeout: 30_000, interval: 20 };

/** Tests may share one page when only rendering counts: the page of the test before can still call the API. */
export function usePageOnDouble(pageFor: 'each test' | 'the file' = 'each test', mode: Mode = 'sandbox'): PageOnDouble {
  let browser: Browser;
  let api: PatientApiDouble;
  let opened: OpenedPage | undefined;

  if (mode === 'live') onDouble.beforeAll(({ live }) => void (api = live));
  else onDouble.beforeAll(({ sandbox }) => void (api = sandbox));
  onDouble.beforeAll(async ({ browser: shared }) => {
    browser = shared;
    if (pageFor === 'the file') opened = await openPage(browser);
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    opened ??= await openPage(browser);
    api.reset();
    if (pageFor === 'each test') return;
    await opened.page.setViewportSize(phone);
    await opened.page.emulateMedia({ colorScheme: null, media: null, reducedMotion: null });
    await opened.page.unrouteAll();
  });
  afterEach(async () => {
    const faults = opened?.faults.splice(0);
    if (pageFor === 'each test') {
      await opened?.close();
      opened = undefined;
    }
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
    async stopClock(now = Date.now()) {
      // A clock cannot be paused in its past.
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
      let sent = 0;
      on.page.on('request', (request) => {
        if (request.method() === method && request.url().endsWith(path)) sent++;
      });
      return async () => {
        // Touches and turns of the wheel wait for a frame.
        await painted(on.page);
        return sent;
      };
    },
    callsOf: (route) => api.calls.filter((call) => call.route === route),
  };
  return on;
}
