import type { Page } from 'playwright-core';

/** Long enough for a busy machine that runs a stack and several pages. */
const patience = { timeout: 60_000 };

/** The one thing to do next on a view. */
export const mainAction = (page: Page) => page.locator('.primary');

/** Waits for the view with this in its heading; a text without regard to upper and lower case. */
export async function expectHeading(page: Page, words: string | RegExp): Promise<void> {
  const headings = page.locator('h1');
  await headings
    .filter({ hasText: words })
    .waitFor(patience)
    .catch(async () => {
      throw new Error(`No view "${words}" came; the heading is "${(await headings.allInnerTexts()).join(' | ')}".`);
    });
}

/** Signs in to the bank from the view that it starts on, whatever the page's language. */
export async function connectBank(page: Page, username: string, password: string): Promise<void> {
  await mainAction(page).click();
  await typeCredentials(page, username, password);
  await mainAction(page).click();
}

export async function typeCredentials(page: Page, username: string, password: string): Promise<void> {
  await page.locator('#username').fill(username);
  await page.locator('#password').fill(password);
}

/** Waits for the text that is to be authorized, and gives it. */
export async function readAuthorization(page: Page): Promise<string> {
  const authorization = page.locator('.authorization');
  await authorization.waitFor(patience);
  return authorization.innerText();
}

/** Everything that the patient can read, in one line. */
export async function readPage(page: Page): Promise<string> {
  return (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
}
