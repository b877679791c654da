// @module-tag browser

import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionView } from '../../functions/contract/sessions/session-view.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';
import {
  chooseBank,
  expectHeading,
  mainAction,
  openPage,
  readAuthorization,
  readPage,
  signIn,
  typeCredentials,
} from '../web/journey.ts';

const patient = { firstName: 'Wilhelmina', lastName: 'Featherstonehaugh' };
const newSession = () => service.createSession({ patient });

let service: TestPractice;
let browser: Browser;
let watching: ReturnType<typeof payWatched>;
onStack.beforeAll(async ({ own, browser: shared }) => {
  [service, browser] = [own, shared];
  const { hostedUrl } = await newSession();
  // It mostly waits for the bank, so other tests run in the meantime.
  watching = payWatched(browser, hostedUrl, service.practice.password);
  watching.catch(() => {});
});

describe.concurrent('a link', () => {
  test.for(['en', 'es'])('loads a page without any name (%s)', async (language, { expect }) => {
    const { hostedUrl } = await newSession();
    const response = await fetch(`${hostedUrl}?lang=${language}`);
    const html = await response.text();
    expect(html).toContain(`<html lang="${language}"`);
    for (const secret of [patient.firstName, patient.lastName, 'Lakeside', '182.50', new URL(hostedUrl).pathname])
      expect(html).not.toContain(secret);
  });

  test('is opened by a touch, not by loading the page, which scanners do too', async ({ expect }) => {
    const { hostedUrl } = await newSession();
    const openedAt = async () => (await patientOf(hostedUrl).view()).body['openedAt'];
    const { page, close } = await openPage(browser);
    await page.goto(hostedUrl);
    await expectHeading(page, 'Pay Lakeside');
    expect(await openedAt()).toBeUndefined();
    await page.touchscreen.tap(10, 500);
    await page.getByText('left to finish').waitFor();
    expect(await openedAt()).toBeTypeOf('string');
    await close();
  });

  test.for([
    ['with one wrong letter', (url: string) => url.replace(/.(?=.{9}$)/, (letter) => (letter === 'A' ? 'B' : 'A'))],
    ['without a valid token', (url: string) => `${new URL(url).origin}/s/x`],
  ] as const)('%s shows nothing of any session', async ([, change], { expect }) => {
    const { hostedUrl } = await newSession();
    const { page, close } = await openPage(browser);
    await page.goto(change(hostedUrl));
    await expectHeading(page, 'We cannot find this link');
    expect(await page.content()).not.toMatch(/Wilhelmina|Lakeside/);
    await close();
  });

  test('of a paid invoice says so, but shows nothing of the account that paid it', async ({ expect }) => {
    const invoice = { patient, invoiceId: 'INV-two-links' };
    const { hostedUrl } = await service.createSession(invoice);
    const { sessionId, connection } = await service.pay('user_good', invoice);
    const account = sessionView.parse(connection.body).bankAccount?.last4 ?? expect.fail('no account');
    await service.client.sandbox.advance(sessionId);
    const { page, close } = await openPage(browser);
    await page.goto(hostedUrl);
    await expectHeading(page, 'This invoice is already paid');
    expect(await page.content()).not.toContain(account);
    await close();
  });

  test('shows only the initial of the last name before a bank is connected', async ({ expect }) => {
    const { hostedUrl } = await newSession();
    const { page, faults, close } = await openPage(browser);
    const seen: string[] = [];
    await page.goto(hostedUrl);
    await expectHeading(page, 'Pay Lakeside');
    seen.push(await page.content(), await readPage(page));
    expect(seen[1]).toContain('Wilhelmina F.');
    await mainAction(page).click();
    await chooseBank(page);
    await expectHeading(page, 'Sign in');
    await signIn(page, 'user_bad', service.practice.password);
    await expect.poll(() => readPage(page)).toContain('4 tries left');
    seen.push(await page.content());
    expect(seen.filter((text) => text.includes(patient.lastName))).toEqual([]);
    await signIn(page, 'user_good', service.practice.password);
    await readAuthorization(page);
    expect(await readPage(page)).toContain('Wilhelmina Featherstonehaugh');
    expect(faults).toEqual([]);
    await close();
  });
});

describe.concurrent('the password', () => {
  /** The heap does not hold the values of form fields. */
  async function isInMemory(page: Page, words: string): Promise<boolean> {
    const devtools = await page.context().newCDPSession(page);
    const chunks: string[] = [];
    devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
    await devtools.send('HeapProfiler.collectGarbage');
    await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    await devtools.detach();
    return chunks.join('').includes(words);
  }

  test('is gone from the page and its memory once the bank does not answer, refuses it or accepts it', async ({
    expect,
  }) => {
    const { hostedUrl } = await newSession();
    const { page, close } = await openPage(browser);
    const { password } = service.practice;
    await page.goto(hostedUrl);
    await mainAction(page).click();
    await chooseBank(page);
    for (const username of ['user_bank_down', 'user_bad', 'user_good']) {
      await typeCredentials(page, username, password);
      const hold = () => Object.assign(globalThis, { kept: new FormData(document.forms[0]).get('test-word') });
      await page.evaluate(hold);
      const answered = page.waitForResponse((response) => response.url().endsWith('/bank-connection'));
      await mainAction(page).click();
      await (await answered).finished();
      if (username === 'user_good') await expectHeading(page, 'Review');
      else await expect.poll(() => page.locator('#test-word').inputValue()).toBe('');
      expect((await page.content()).includes(password)).toBe(false);
      if (username === 'user_bad') expect(await isInMemory(page, password), 'while a script holds it').toBe(true);
      await page.evaluate(() => Object.assign(globalThis, { kept: undefined }));
      await expect.poll(() => isInMemory(page, password), { message: username }).toBe(false);
    }
    await close();
  });
});

describe('a payment in the browser', () => {
  let watched: Awaited<typeof watching>;
  beforeAll(async () => {
    watched = await watching;
  });
  afterAll(() => watched.close());
  const apiAnswers = () => watched.exchanges.filter(({ request }) => request.url().includes('/api/patient/'));
  const sentAt = (request: Request) => request.timing().startTime;
  const answeredAt = (request: Request) => request.timing().startTime + request.timing().responseEnd;
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

  test('requests nothing from other hosts, and logs nothing to the console', () => {
    const origin = new URL(watched.link).origin;
    expect(watched.requests.length).toBeGreaterThan(5);
    expect(
      watched.requests
        .map((request) => request.url())
        .filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:')),
    ).toEqual([]);
    expect(watched.faults).toEqual([]);
  });

  test("puts its token into no URL but the page's own", () => {
    const { link, requests } = watched;
    const named = requests.filter((request) => request.url().includes(link.split('/s/')[1] ?? ''));
    expect(named.map((request) => [request.url(), request.resourceType()])).toEqual([[link, 'document']]);
  });

  test('sends no referrer', async () => {
    const headers = await Promise.all(watched.requests.map((request) => request.allHeaders()));
    expect(headers.filter(({ referer }) => referer !== undefined)).toEqual([]);
    const policies = await Promise.all(
      watched.exchanges.map(async ({ request }) => (await request.response())?.headers()['referrer-policy']),
    );
    expect(policies.filter((policy) => policy !== 'no-referrer' && policy !== undefined)).toEqual([]);
    expect(policies[0]).toBe('no-referrer');
    expect(await watched.page.locator('meta[name=referrer]').getAttribute('content')).toBe('no-referrer');
  });

  test('stores nothing in the browser at any step', async () => {
    expect(watched.stored).toEqual(Array.from({ length: 5 }, () => nothingStored));
    expect(await watched.page.context().cookies()).toEqual([]);
  });

  test('gets the last name in no answer before a bank is connected, and in every one after it', () => {
    const answers = apiAnswers();
    const { request: signIn } =
      answers.find(({ request }) => request.url().endsWith('/bank-connection')) ?? expect.fail('no sign-in');
    // A response that crosses the sign-in may or may not contain the last name.
    const before = watched.exchanges.filter(({ request }) => answeredAt(request) <= sentAt(signIn));
    expect(before.filter(({ body }) => body.includes(patient.lastName)).map(({ request }) => request.url())).toEqual(
      [],
    );
    expect(before.some(({ body }) => body.includes(patient.firstName))).toBe(true);
    const after = answers.filter(({ request }) => request === signIn || sentAt(request) >= answeredAt(signIn));
    expect(after.length).toBeGreaterThan(1);
    expect(after.every(({ body }) => body.includes(patient.lastName))).toBe(true);
  });

  test('gets no field of the session that the contract does not name', () => {
    const named = new Set(Object.keys(sessionView.shape));
    const answers = apiAnswers().map(({ body }) => JSON.parse(body) as object);
    expect(answers.length).toBeGreaterThan(3);
    expect([...new Set(answers.flatMap(Object.keys))].filter((key) => !named.has(key))).toEqual([]);
  });

  test('allows no cache to store an answer of the API', async () => {
    const answers = apiAnswers();
    const policies = await Promise.all(
      answers.map(async ({ request }) => (await request.response())?.headers()['cache-control']),
    );
    expect(new Set(policies)).toEqual(new Set(['no-store']));
  });

  test('sends the password once and never gets it back', () => {
    const { password } = service.practice;
    const sent = watched.requests.filter(
      (request) => request.url().includes(password) || request.postData()?.includes(password),
    );
    expect(sent.map((request) => new URL(request.url()).pathname)).toEqual(['/api/patient/session/bank-connection']);
    expect(watched.exchanges.filter(({ body }) => body.includes(password))).toEqual([]);
  });
});

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

async function payWatched(browser: Browser, link: string, password: string) {
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
