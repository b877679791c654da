import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface PageRequest {
  readonly url: string;
  readonly isBackground: boolean;
  isRead: boolean;
}

interface InPage {
  readonly requests: PageRequest[];
}

export interface PageRequests {
  /** What the loaded page has asked of addresses with these words, counted as soon as it asks. */
  begun(words: string): Promise<readonly PageRequest[]>;
  /** Waits until there are some, and the page has read every answer and done what it does with it. */
  read(words: string): Promise<void>;
  forget(): Promise<void>;
}

/** What the network reports can come before or after what the page does with it. */
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
