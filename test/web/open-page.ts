import type { Browser, Page } from 'playwright-core';

export interface OpenedPage {
  readonly page: Page;
  /** What no page of ours may do: throw, violate its content security policy, or call another host. */
  readonly faults: string[];
  close(): Promise<void>;
}

export const phone = { width: 375, height: 667 };

/** Opens a page that records its faults, in a fresh browser profile on a phone-sized screen in New York. */
export async function openPage(
  browser: Browser,
  options: { javaScriptEnabled?: boolean; locale?: string } = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: phone,
    hasTouch: true,
    locale: 'en-US',
    timezoneId: 'America/New_York',
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // The browser itself reports every refused call, which tests cause on purpose.
    if (message.type() !== 'log' && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
  });
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== 'data:' && hostname !== '127.0.0.1') faults.push(`asks ${hostname}`);
  });
  return { page, faults, close: () => context.close() };
}
