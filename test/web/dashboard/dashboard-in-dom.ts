import { afterEach, beforeEach, expect } from 'vitest';
import type { Call, RouteName } from './answers.ts';
import type { DashboardApiDouble } from './api-double.ts';
import { onDouble, soon } from './dashboard-on-double.ts';
import { openWindow, type DashboardWindow, type Download, type PageRequest } from './dashboard-window.ts';
import { locate, settled, type DomLocator } from './dom-locator.ts';
import { lakeside } from './practice-data.ts';

interface DashboardInDom {
  readonly page: DomLocator & {
    url(): string;
    content(): Promise<string>;
    goBack(): Promise<void>;
    reload(): Promise<void>;
    keyboard: { press(key: 'Escape'): Promise<void> };
    /** Runs in the page. */
    evaluate<Value>(work: () => Value): Promise<Value>;
  };
  readonly api: DashboardApiDouble;
  readonly requests: {
    /** The loaded page's requests to addresses with these words, counted as soon as they start. */
    begun(words: string): readonly PageRequest[];
    /** Waits until there are some, and the page has read and handled every answer. */
    read(words: string): Promise<void>;
  };
  /** Tests that expect a fault empty this list. */
  readonly faults: string[];
  /** Loads a path of the dashboard as a browser does, and waits for what it loads. */
  visit(path: string): Promise<void>;
  loaded(): Promise<void>;
  /** Opens a screen of a practice, once its content is there. */
  open(screen: string, practiceId?: string): Promise<void>;
  /** Runs now what the page would do by a timer within these seconds. */
  pass(seconds: number): Promise<void>;
  /** Clicks a control that leads to the sign-in, and waits until the page has loaded again. */
  signInWith(control: DomLocator): Promise<void>;
  /** Clicks a control that saves a file. */
  download(control: DomLocator): Promise<Download>;
  dialog(): DomLocator;
  expectHeading(name: string): Promise<void>;
  expectText(words: string): Promise<void>;
  button(name: string): DomLocator;
  link(name: string): DomLocator;
  /** The bodies of the calls of a route so far. */
  sent(route: RouteName): unknown[];
  callsOf<Name extends RouteName>(route: Name): Call<Name>[];
}

/** For what a screen says and requests from the API. Style, layout, keyboard and files are tested in the browser. */
export function useDashboardInDom(): DashboardInDom {
  let double: DashboardApiDouble;
  let window: DashboardWindow | undefined;
  let left = Promise.withResolvers<void>();
  const faults: string[] = [];
  const current = () => window ?? expect.fail('A test opens a screen first.');

  onDouble.beforeAll(({ api }) => {
    double = api;
  });
  beforeEach(() => {
    double.reset();
  });
  afterEach(async () => {
    const found = faults.splice(0);
    await window?.close();
    window = undefined;
    expect(found).toEqual([]);
  });

  async function load(url: URL): Promise<void> {
    const isApi = url.pathname.startsWith('/api/');
    const location = isApi && (await fetch(url, { redirect: 'manual' })).headers.get('location');
    if (typeof location === 'string') return load(new URL(location, url));
    const leave = async (to: URL) => {
      await load(to);
      left.resolve();
    };
    const before = window;
    window = await openWindow({ url, before, leave: (to) => void leave(to), faults });
    await before?.close();
  }
  async function untilLoaded(heading: string): Promise<void> {
    const isLoaded = () => {
      const { document } = current();
      return document.querySelector(heading) !== null && document.querySelector('[aria-busy=true]') === null;
    };
    await expect.poll(isLoaded, { ...soon, interval: 2 }).toBe(true);
    await settled();
  }

  const root = locate('the page', () => [current().document.documentElement]);
  const on: DashboardInDom = {
    page: {
      ...root,
      url: () => current().location.href,
      content: async () => current().document.documentElement.outerHTML,
      async goBack() {
        current().history.back();
        await settled();
      },
      async reload() {
        await on.visit(current().location.href);
      },
      keyboard: {
        async press() {
          const dialog = on.dialog().elements().at(-1) ?? expect.fail('No dialog is open.');
          const { Event } = dialog.ownerDocument.defaultView as unknown as typeof globalThis;
          dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
          await settled();
        },
      },
      evaluate: async (work) => current().evaluate(`(${String(work)})()`),
    },
    get api() {
      return double;
    },
    requests: {
      begun: (words) => current().requests.filter(({ url }) => url.includes(words)),
      async read(words) {
        const areRead = () => {
          const all = on.requests.begun(words);
          return all.length > 0 && all.every(({ isRead }) => isRead);
        };
        await expect.poll(areRead, { ...soon, interval: 2 }).toBe(true);
        await settled();
      },
    },
    faults,
    async visit(path) {
      await load(new URL(path, double.url));
      await on.loaded();
    },
    loaded: () => untilLoaded('h1'),
    async open(screen, practiceId = lakeside) {
      await load(new URL(`/${practiceId}${screen}`, double.url));
      await untilLoaded('#content header h1');
    },
    async pass(seconds) {
      await current().pass(seconds);
    },
    async signInWith(control) {
      left = Promise.withResolvers();
      await Promise.all([left.promise, control.click()]);
      await on.loaded();
    },
    async download(control) {
      await control.click();
      await expect.poll(() => current().downloads.length, { ...soon, interval: 2 }).toBeGreaterThan(0);
      return current().downloads.at(-1) ?? expect.fail('Nothing was saved.');
    },
    dialog: () => root.locator('dialog[open]'),
    async expectHeading(name) {
      await expect.poll(() => root.getByRole('heading', { level: 1 }).allTextContents(), soon).toEqual([name]);
    },
    async expectText(words) {
      await expect.poll(() => root.getByText(words).first().isVisible(), soon).toBe(true);
    },
    button: (name) => root.getByRole('button', { name, exact: true }),
    link: (name) => root.getByRole('link', { name, exact: true }),
    sent: (route) => double.calls.filter((call) => call.route === route).map((call) => call.body),
    callsOf: <Name extends RouteName>(route: Name) =>
      double.calls.filter((call) => call.route === route) as unknown as Call<Name>[],
  };
  return on;
}
