import type { Page } from 'playwright-core';

/** In milliseconds: long enough for a busy machine that runs a stack and several pages. */
const patience = 60_000;

/** The one thing to do next on a view. */
export const mainAction = (page: Page) => page.locator('.primary');

/** Opens a link and waits for its first view. */
export async function openLink(page: Page, url: string): Promise<void> {
  // The browser loads nothing when only the hash differs.
  const isSameDocument = page.url().split('#')[0] === url.split('#')[0];
  if (isSameDocument && (page.url() + url).includes('#')) await page.goto('about:blank');
  await page.goto(url);
  // A locator would look for it every 20 to 100 ms.
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

/** The heading of a view; unlike the loading page's, it can be focused. */
const viewHeadingSelector = 'h1[tabindex]';
export const viewHeading = (page: Page) => page.locator(viewHeadingSelector);

/** Waits for the view whose heading contains this; a text matches in upper and lower case. */
export async function expectHeading(page: Page, words: string | RegExp, timeout = patience): Promise<void> {
  const headings = viewHeading(page);
  await headings
    .filter({ hasText: words })
    .waitFor({ timeout })
    .catch(async () => {
      throw new Error(`No view "${words}" came; the heading is "${(await headings.allInnerTexts()).join(' | ')}".`);
    });
}

export async function typeCredentials(page: Page, username: string, password = 'test-password'): Promise<void> {
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
}

/** Signs in to the bank from its sign-in view, in either language. */
export async function signIn(page: Page, username: string, password?: string): Promise<void> {
  await typeCredentials(page, username, password);
  await mainAction(page).click();
}

/** Signs in to the bank from the first view, in either language. */
export async function connectBank(page: Page, username: string, password?: string): Promise<void> {
  await mainAction(page).click();
  await signIn(page, username, password);
}

/** Waits for the text to authorize, and returns it. */
export async function readAuthorization(page: Page): Promise<string> {
  const authorization = page.locator('.authorization');
  await authorization.waitFor({ timeout: patience });
  return authorization.innerText();
}

/** Everything that the patient can read, in one line. */
export async function readPage(page: Page): Promise<string> {
  return (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
}
