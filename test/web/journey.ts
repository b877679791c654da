import type { Page } from 'playwright-core';

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
