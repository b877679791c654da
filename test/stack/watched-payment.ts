import type { Browser, Page, Request } from 'playwright-core';
import { chooseBank, expectHeading, mainAction, signIn } from '../web/journey.ts';
import { openPage } from '../web/open-page.ts';

interface Exchange {
  readonly request: Request;
  readonly body: string;
}

function storedInBrowser(page: Page) {
  return page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
    cookies: document.cookie,
    databases: await indexedDB.databases(),
    caches: await caches.keys().catch(() => []),
    workers: (await navigator.serviceWorker?.getRegistrations()) ?? [],
    name: window.name,
    historyState: history.state as unknown,
  }));
}

export async function payWatched(browser: Browser, link: string, password: string) {
  const { page, faults, close } = await openPage(browser);
  const requests: Request[] = [];
  const exchanges: Promise<Exchange>[] = [];
  page.on('request', (request) => requests.push(request));
  page.on('requestfinished', (request) => {
    const body = request
      .response()
      .then((response) => response?.text() ?? '')
      .catch(() => '');
    exchanges.push(body.then((text) => ({ request, body: text })));
  });

  const steps: [string | RegExp, () => Promise<unknown>][] = [
    ['Pay Lakeside', () => page.goto(link)],
    ['Choose your bank', () => mainAction(page).click()],
    ['Sign in', () => chooseBank(page)],
    ['Review', () => signIn(page, 'user_good', password)],
    [/^You paid/, () => mainAction(page).click()],
  ];
  const stored: unknown[] = [];
  for (const [heading, step] of steps) {
    await step();
    await expectHeading(page, heading);
    stored.push(await storedInBrowser(page));
  }
  return { link, page, faults, requests, exchanges: await Promise.all(exchanges), stored, close };
}
