import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface OpenedPage {
  readonly page: Page;
  readonly faults: string[];
  close(): Promise<void>;
}

export const phone = { width: 375, height: 667 };

export async function openPage(
  browser: Browser,
  {
    draws = false,
    ...options
  }: Pick<BrowserContextOptions, 'javaScriptEnabled' | 'locale' | 'reducedMotion'> & { readonly draws?: boolean } = {},
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
  if (!draws) await skipDrawing(context);
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

/** Nobody sees the page, and drawing takes a fifth of a browser's time. */
export const skipDrawing = (pages: Page | BrowserContext) => pages.addInitScript(setUndrawn, 'opacity: 0');
/** Like `skipDrawing`, for the document that is open. */
export const hide = (page: Page) => page.evaluate(setUndrawn, 'opacity: 0');
/** Nothing is drawn, but the text has its colors. The page cannot be used with a pointer. */
export const clip = (page: Page) => page.evaluate(setUndrawn, 'clip-path: polygon(0 0, 0 0, 0 0)');

/** Runs in the page. */
function setUndrawn(rule: string): void {
  const shared = globalThis as { undrawn?: CSSStyleSheet };
  if (!shared.undrawn) document.adoptedStyleSheets.push((shared.undrawn = new CSSStyleSheet()));
  shared.undrawn.replaceSync(`@media screen { body, dialog, dialog::backdrop { ${rule} } }`);
}

const patience = 90_000;

export const mainAction = (page: Page) => page.locator('.primary');

export async function openLink(page: Page, url: string): Promise<void> {
  // The browser loads nothing when only the hash differs.
  const isSameDocument = page.url().split('#')[0] === url.split('#')[0];
  if (isSameDocument && (page.url() + url).includes('#')) await page.goto('about:blank');
  await page.goto(url);
  // A locator polls only every 20 to 100 ms.
  await page.evaluate(
    (heading) =>
      new Promise<void>((resolve) => {
        const look = () => document.querySelector(heading) && resolve();
        look();
        new MutationObserver(look).observe(document, { childList: true, subtree: true });
      }),
    viewHeadingSelector,
  );
}

/** The loading page's heading cannot take focus. */
const viewHeadingSelector = 'h1[tabindex]';
export const viewHeading = (page: Page) => page.locator(viewHeadingSelector);

export async function expectHeading(page: Page, words: string | RegExp, timeout = patience): Promise<void> {
  const headings = viewHeading(page);
  await headings
    .filter({ hasText: words })
    .waitFor({ timeout })
    .catch(async () => {
      throw new Error(`No view "${words}" came; the heading is "${(await headings.allInnerTexts()).join(' | ')}".`);
    });
}

export async function chooseBank(page: Page, name = 'Sandbox Bank'): Promise<void> {
  await page.getByRole('button', { name }).click();
}

export async function typeCredentials(page: Page, username: string, password = 'test-password'): Promise<void> {
  await page.locator('#test-user').fill(username);
  await page.locator('#test-word').fill(password);
}

export async function signIn(page: Page, username: string, password?: string): Promise<void> {
  await typeCredentials(page, username, password);
  await mainAction(page).click();
}

export async function connectBank(page: Page, username: string, password?: string): Promise<void> {
  await mainAction(page).click();
  await chooseBank(page);
  await signIn(page, username, password);
}

export async function readAuthorization(page: Page): Promise<string> {
  const authorization = page.locator('.authorization');
  await authorization.waitFor({ timeout: patience });
  return (await authorization.textContent()) ?? '';
}

export async function readPage(page: Page): Promise<string> {
  return (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
}

/** Opens the bank picker of Stripe's stand-in. */
export async function openPicker(page: Page) {
  await mainAction(page).click();
  const picker = page.frameLocator('iframe');
  await picker.getByRole('heading', { name: 'Choose a test bank' }).waitFor();
  return picker;
}

export async function pickTestBank(page: Page, bank: string): Promise<void> {
  const picker = await openPicker(page);
  await picker.getByRole('radio', { name: bank }).check();
  await picker.getByRole('button', { name: 'Connect' }).click();
}
