import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { objections } from '../axe.ts';
import { layoutFaults } from '../layout-faults.ts';

interface PageRequest {
  readonly url: string;
  readonly isBackground: boolean;
  isRead: boolean;
}

interface InPage {
  readonly requests: PageRequest[];
}

export interface PageRequests {
  /** The loaded page's requests to addresses with these words, counted as soon as they start. */
  begun(words: string): Promise<readonly PageRequest[]>;
  /** Waits until there are some, and the page has read and handled every answer. */
  read(words: string): Promise<void>;
  forget(): Promise<void>;
}

/** The network's reports can come before or after what the page does with them. */
export async function watchRequests(page: Page): Promise<PageRequests> {
  await page.addInitScript(() => {
    const { fetch } = globalThis;
    const requests: PageRequest[] = [];
    Object.assign(globalThis, { requests });
    globalThis.fetch = async (address, options) => {
      const isBackground = new Headers(options?.headers).has('x-background');
      const url = address instanceof Request ? address.url : address.toString();
      const request = { url, isBackground, isRead: false };
      requests.push(request);
      const response = await fetch(address, options);
      const json = response.json.bind(response);
      response.json = async () => {
        const value: unknown = await json();
        request.isRead = true;
        return value;
      };
      return response;
    };
  });
  const begun = async (words: string) => {
    const all = await page.evaluate(() => (globalThis as unknown as InPage).requests);
    return all.filter(({ url }) => url.includes(words));
  };
  return {
    begun,
    forget: () => page.evaluate(() => (globalThis as unknown as InPage).requests.splice(0)).then(() => undefined),
    async read(words) {
      const areRead = async () => {
        const all = await begun(words);
        return all.length > 0 && all.every(({ isRead }) => isRead);
      };
      await expect.poll(areRead, { timeout: 30_000, interval: 20 }).toBe(true);
    },
  };
}

/** In an open dialog, only the dialog is checked: the screen behind it has its own test. */
async function inspectedPart(page: Page): Promise<string | undefined> {
  await untilAnswersAreRead(page);
  return (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : undefined;
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await objections(page, await inspectedPart(page))).toEqual([]);
}

export async function expectAccessibleAtEveryWidth(page: Page): Promise<void> {
  const part = await inspectedPart(page);
  // The markup and the colors are the same at every width.
  expect.soft(await objections(page, part)).toEqual([]);
  for (const width of [1280, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(widest, `at ${width} pixels`).toBeLessThanOrEqual(width);
    expect.soft(await layoutFaults(page, part), `at ${width} pixels`).toEqual([]);
  }
}

/** Alerts that arrive while axe runs would move what it looks at. */
async function untilAnswersAreRead(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(areAnswersRead)).toBe(true);
}

/** Runs in the page. */
function areAnswersRead(): boolean {
  const { requests = [] } = globalThis as { requests?: readonly { isRead: boolean }[] };
  return requests.every(({ isRead }) => isRead);
}

interface Controls {
  button(name: string): Locator;
  link(name: string): Locator;
  /** Controls in the open dialog. */
  inDialog: { button(name: string): Locator; label(name: string): Locator };
  /** A table row, found by any of its words. */
  row(words: string): Locator;
  /** The text beside a "Copy" button. */
  copied(label: string): Promise<string>;
}

/** Finds what a person would use on a screen, by its role and name. */
export function controlsOf(page: Page): Controls {
  const dialog = page.getByRole('dialog');
  return {
    button: (name) => page.getByRole('button', { name, exact: true }),
    link: (name) => page.getByRole('link', { name, exact: true }),
    inDialog: {
      button: (name) => dialog.getByRole('button', { name, exact: true }),
      label: (name) => dialog.getByLabel(name, { exact: true }),
    },
    row: (words) => page.getByRole('row').filter({ hasText: words }),
    copied: (label) => page.locator('.copy-field').filter({ hasText: label }).getByRole('code').innerText(),
  };
}
