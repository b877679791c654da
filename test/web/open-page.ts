import type { Browser, Page } from 'playwright-core';

export interface OpenedPage {
  readonly page: Page;
  readonly faults: string[];
  close(): Promise<void>;
}

export const phone = { width: 375, height: 667 };

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
  // The default, 30 s, is too little on a busy machine.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    // The browser logs every refused call; tests cause these on purpose.
    if (message.type() !== 'log' && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
  });
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol !== 'data:' && hostname !== '127.0.0.1') faults.push(`asks ${hostname}`);
  });
  return { page, faults, close: () => context.close() };
}
