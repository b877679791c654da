import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sessionView } from '../../functions/contract/patient-api.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestStack, type TestStack } from '../support/local-stack.ts';
import {
  connectBank,
  expectHeading,
  mainAction,
  readAuthorization,
  readPage,
  signIn,
  typeCredentials,
} from '../web/journey.ts';
import { openPage } from '../web/open-page.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 120_000 });

let service: TestStack;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startTestStack(), launchBrowser()]);
});
afterAll(() => Promise.all([service.stop(), browser.close()]));

const patient = { firstName: 'Wilhelmina', lastName: 'Featherstonehaugh' };
const newSession = (differences = {}) => service.createSession({ patient, ...differences });

interface Exchange {
  readonly request: Request;
  readonly body: string;
}

/** Opens a page that records every request and the text of every answer. */
async function openWatched() {
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
  return { page, faults, close, requests, exchanges: () => Promise.all(exchanges) };
}

/** What the browser keeps when the page is closed. */
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
const nothingStored = {
  local: [],
  session: [],
  cookies: '',
  databases: [],
  caches: [],
  workers: [],
  name: '',
  historyState: null,
};

describe('a whole payment', () => {
  let watched: Awaited<ReturnType<typeof openWatched>>;
  let token: string;
  let link: string;
  let exchanges: Exchange[];
  const stored: unknown[] = [];

  beforeAll(async () => {
    const { hostedUrl } = await newSession();
    link = hostedUrl;
    token = hostedUrl.split('/s/')[1] ?? '';
    watched = await openWatched();
    const { page } = watched;
    const steps = [
      () => page.goto(hostedUrl).then(() => expectHeading(page, 'asks you to pay')),
      () =>
        mainAction(page)
          .click()
          .then(() => expectHeading(page, 'Sign in')),
      async () => {
        await signIn(page, service.practice.username, service.practice.password);
        await expectHeading(page, 'Review');
      },
      () =>
        mainAction(page)
          .click()
          .then(() => expectHeading(page, /^Paid$/)),
    ];
    for (const step of steps) {
      await step();
      stored.push(await storedInBrowser(page));
    }
    exchanges = await watched.exchanges();
  });
  afterAll(() => watched.close());

  test('calls no other host and writes nothing to the console', () => {
    const origin = new URL(link).origin;
    expect(watched.requests.length).toBeGreaterThan(5);
    expect(
      watched.requests
        .map((request) => request.url())
        .filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:')),
    ).toEqual([]);
    expect(watched.faults).toEqual([]);
  });

  test("has its token in no URL but the page's own", () => {
    const named = watched.requests.filter((request) => request.url().includes(token));
    expect(named.map((request) => [request.url(), request.resourceType()])).toEqual([[link, 'document']]);
  });

  test('sends no referrer', async () => {
    const headers = await Promise.all(watched.requests.map((request) => request.allHeaders()));
    expect(headers.filter(({ referer }) => referer !== undefined)).toEqual([]);
    const policies = await Promise.all(
      exchanges.map(async ({ request }) => (await request.response())?.headers()['referrer-policy']),
    );
    expect(policies.filter((policy) => policy !== 'no-referrer' && policy !== undefined)).toEqual([]);
    expect(policies[0]).toBe('no-referrer');
    expect(await watched.page.locator('meta[name=referrer]').getAttribute('content')).toBe('no-referrer');
  });

  test('stores nothing in the browser at any step', async () => {
    expect(stored).toEqual([nothingStored, nothingStored, nothingStored, nothingStored]);
    expect(await watched.page.context().cookies()).toEqual([]);
  });

  test('has the last name only in answers after a bank is connected', () => {
    const answers = exchanges.filter(({ request }) => request.url().includes('/api/patient/'));
    const connected = answers.findIndex(({ request }) => request.url().endsWith('/bank-connection'));
    expect(connected).toBeGreaterThan(0);
    const before = exchanges.slice(0, exchanges.indexOf(answers[connected] ?? expect.fail('no sign-in')));
    expect(before.filter(({ body }) => body.includes(patient.lastName)).map(({ request }) => request.url())).toEqual(
      [],
    );
    expect(before.some(({ body }) => body.includes(patient.firstName))).toBe(true);
    expect(answers.slice(connected).every(({ body }) => body.includes(patient.lastName))).toBe(true);
  });

  test('gets no field of the session beyond the contract', () => {
    const named = new Set(Object.keys(sessionView.shape));
    const answers = exchanges
      .filter(({ request }) => request.url().includes('/api/patient/'))
      .map(({ body }) => JSON.parse(body) as object);
    expect(answers.length).toBeGreaterThan(3);
    expect([...new Set(answers.flatMap(Object.keys))].filter((key) => !named.has(key))).toEqual([]);
  });

  test('may not be cached', async () => {
    const answers = exchanges.filter(({ request }) => request.url().includes('/api/patient/'));
    const policies = await Promise.all(
      answers.map(async ({ request }) => (await request.response())?.headers()['cache-control']),
    );
    expect(new Set(policies)).toEqual(new Set(['no-store']));
  });

  test('sends the password once, and gets it back nowhere', () => {
    const { password } = service.practice;
    const sent = watched.requests.filter(
      (request) => request.url().includes(password) || request.postData()?.includes(password),
    );
    expect(sent.map((request) => new URL(request.url()).pathname)).toEqual(['/api/patient/session/bank-connection']);
    expect(exchanges.filter(({ body }) => body.includes(password))).toEqual([]);
  });
});

test.each(['en', 'es'])('the page has no names before it loads the session (%s)', async (language) => {
  const { hostedUrl } = await newSession();
  const response = await fetch(`${hostedUrl}?lang=${language}`);
  const html = await response.text();
  expect(html).toContain(`<html lang="${language}"`);
  for (const secret of [patient.firstName, patient.lastName, 'Lakeside', '182', new URL(hostedUrl).pathname])
    expect(html).not.toContain(secret);
});

test('loading the page does not open the session, as scanners load it too; touching it does', async () => {
  const { hostedUrl } = await newSession();
  const openedAt = async () => (await service.patient(hostedUrl)('GET', '')).body['openedAt'];
  const { page, close } = await openPage(browser);
  await page.goto(hostedUrl);
  await expectHeading(page, 'asks you to pay');
  expect(await openedAt()).toBeUndefined();
  await page.touchscreen.tap(10, 500);
  await page.getByText('left to finish').waitFor();
  expect(await openedAt()).toBeTypeOf('string');
  await close();
});

test.each([
  [
    'one letter of the token differs',
    (url: string) => url.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
  ],
  ['a token is no token', (url: string) => `${new URL(url).origin}/s/x`],
])('a link in which %s shows no session', async (_, change) => {
  const { hostedUrl } = await newSession();
  const { page, close } = await openPage(browser);
  await page.goto(change(hostedUrl));
  await expectHeading(page, 'We cannot find this link');
  expect(await page.content()).not.toMatch(/Wilhelmina|Lakeside/);
  await close();
});

test('a second link of a paid invoice says so, and nothing of the account that paid it', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => newSession({ invoiceId: 'INV-two-links' })));
  const { page, close } = await openPage(browser);
  await page.goto(first?.hostedUrl ?? '');
  await connectBank(page, service.practice.username, service.practice.password);
  await readAuthorization(page);
  await mainAction(page).click();
  await expectHeading(page, /^Paid$/);
  const account =
    /\d{4}(?=\n|$)/.exec(await page.locator('.receipt dd', { hasText: '••••' }).innerText())?.[0] ??
    expect.fail('no account');
  await page.goto(second?.hostedUrl ?? '');
  await expectHeading(page, 'This invoice is already paid');
  expect(await page.content()).not.toContain(account);
  await close();
});

test('a forwarded link only shows the last initial until a bank is connected', async () => {
  const { hostedUrl } = await newSession();
  const { page, faults, close } = await openPage(browser);
  const seen: string[] = [];
  await page.goto(hostedUrl);
  await expectHeading(page, 'asks you to pay');
  seen.push(await page.content(), await readPage(page));
  expect(seen[1]).toContain('Wilhelmina F.');
  await mainAction(page).click();
  await expectHeading(page, 'Sign in');
  await signIn(page, 'user_bad', service.practice.password);
  await expect.poll(() => readPage(page), { timeout: 10_000 }).toContain('4 more times');
  seen.push(await page.content());
  expect(seen.filter((text) => text.includes(patient.lastName))).toEqual([]);
  await signIn(page, service.practice.username, service.practice.password);
  await readAuthorization(page);
  expect(await readPage(page)).toContain('Wilhelmina Featherstonehaugh');
  expect(faults).toEqual([]);
  await close();
});

describe('the password', () => {
  /** Whether the page's JavaScript heap has a string with these words; form fields are not in it. */
  async function isInMemory(page: Page, words: string): Promise<boolean> {
    const devtools = await page.context().newCDPSession(page);
    const chunks: string[] = [];
    devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
    await devtools.send('HeapProfiler.collectGarbage');
    await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    await devtools.detach();
    return chunks.join('').includes(words);
  }

  test.each([
    ['accepted', (): string => service.practice.username, 'Review'],
    ['refused', (): string => 'user_bad', undefined],
    ['not answered by the bank', (): string => 'user_bank_down', undefined],
  ])('is gone from the page and its memory once it was %s', async (_, username, heading) => {
    const { hostedUrl } = await newSession();
    const { page, close } = await openPage(browser);
    const { password } = service.practice;
    await page.goto(hostedUrl);
    await mainAction(page).click();
    await typeCredentials(page, username(), password);
    await page.evaluate(() => Object.assign(globalThis, { kept: new FormData(document.forms[0]).get('password') }));
    expect(await isInMemory(page, password), 'while a script holds it').toBe(true);
    await page.evaluate(() => Object.assign(globalThis, { kept: undefined }));
    const answered = page.waitForResponse((response) => response.url().endsWith('/bank-connection'));
    await mainAction(page).click();
    await (await answered).finished();
    if (heading !== undefined) await expectHeading(page, heading);
    else await expect.poll(() => page.locator('#password').inputValue(), { timeout: 10_000 }).toBe('');
    expect((await page.content()).includes(password)).toBe(false);
    await expect.poll(() => isInMemory(page, password), { timeout: 15_000 }).toBe(false);
    await close();
  });
});
