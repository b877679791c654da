import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { AxeResults, NodeResult, RunOptions } from 'axe-core';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { openPage, type OpenedPage } from './open-page.ts';
import { startPatientApiDouble, type PatientApiDouble } from './patient-api-double.ts';
import * as sessions from './sessions.ts';
import { distinctViews, languages, openView, pageViews, type Language, type PageView } from './views-table.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

const themes = ['light', 'dark'] as const;
const allRules: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations', 'incomplete'],
  // WCAG 2.2's rule is the only one of these tags that is off unless it is asked for.
  rules: { 'target-size': { enabled: true } },
};
/** The dark theme is the light one in other colors: what does not look at colors has said its word. */
const rules: Record<(typeof themes)[number], RunOptions> = {
  light: allRules,
  dark: {
    runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
    resultTypes: ['violations', 'incomplete'],
  },
};

let browser: Browser;
let api: PatientApiDouble;
let axe: string;
/** One page for all views, as most of the time would go by in opening pages. */
let opened: OpenedPage;
let devtools: CDPSession;

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  [browser, api] = await Promise.all([launchBrowser(), startPatientApiDouble()]);
  opened = await openPage(browser);
  devtools = await opened.page.context().newCDPSession(opened.page);
});
afterAll(() => Promise.all([browser.close(), api.close()]));
afterEach(() => {
  expect(opened.faults.splice(0)).toEqual([]);
});

/** Opens a view and gives what axe finds on it in each theme. */
async function inspect(view: PageView, language: Language): Promise<Record<string, string[]>> {
  const { page } = opened;
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: view.javaScript === false });
  await openView(page, api, view, language);
  if (view.javaScript === false) await page.evaluate(unwrapNoscript);
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: false });
  await page.evaluate(axe);
  const found: Record<string, string[]> = {};
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), colorScheme).toMatch(
      groundOf[colorScheme],
    );
    const { violations, incomplete } = await runAxe(page, rules[colorScheme]);
    found[colorScheme] = [
      ...violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node))),
      ...incomplete.flatMap(({ id, nodes }) =>
        nodes.filter((node) => !isExplained(id, node)).map((node) => `unsure: ${told(id, node)}`),
      ),
    ];
  }
  return found;
}

/** Axe is a script itself and takes what stands in a noscript for hidden: it is shown the page as it looks to who has none. */
function unwrapNoscript(): void {
  const noscript = document.querySelector('noscript');
  for (const hidden of document.querySelectorAll('.loading'))
    if (hidden.getBoundingClientRect().height === 0) hidden.remove();
  noscript?.replaceWith(...noscript.childNodes);
}

/** Runs axe, whose script must be in the page. */
function runAxe(page: Page, options: RunOptions): Promise<AxeResults> {
  return page.evaluate((given) => (globalThis as unknown as { axe: typeof Axe }).axe.run(document, given), options);
}

/** The ground of a theme: every channel above 128, or every one below it. */
const groundOf = { light: /^rgb\((?:(?:1[3-9]|2)\d\d?(?:, )?){3}\)$/, dark: /^rgb\((?:\d{1,2}(?:, )?){3}\)$/ };

function told(rule: string, { target, failureSummary, any }: NodeResult): string {
  return `${rule} at ${target.join(' ')}: ${any.map(({ message }) => message).join('; ') || failureSummary}`;
}

/** What axe cannot decide by itself and a person has looked at. */
function isExplained(rule: string, { target, any }: NodeResult): boolean {
  if (rule !== 'color-contrast') return false;
  // Fades from nothing to the card's own color; the words are on its lower, opaque half, and the arrow beside them is no word.
  if (String(target[0]).startsWith('.read-on')) return true;
  // Its end is under the bar with the button until it is scrolled to; the same words in the same colors are decided on where they all are in sight.
  return target[0] === '.authorization' && any.some(({ message }) => message.includes('overlapped by another element'));
}

const nothing = { light: [], dark: [] };
const never = () => new Promise<never>(() => {});
const receiptUnfolded: PageView['act'] = (page) => page.locator('.receipt summary').click();

/** What patients rarely see beside the views of the table, which has the pictures too. */
const rareViews: readonly PageView[] = [
  {
    name: 'sign-in without a connection',
    session: sessions.opened,
    hash: '#bank',
    answers: { connectBank: () => 'hang_up' },
    act: refusedSignIn,
  },
  {
    name: 'sign-in with an empty field',
    session: sessions.opened,
    hash: '#bank',
    act: (page) => page.locator('button[type=submit]').click(),
  },
  {
    name: 'owed after the bank was lost',
    session: sessions.connected,
    answers: { authorizePayment: () => ((api.session = sessions.opened), { code: 'bank_not_connected' }) },
    act: authorize,
  },
  {
    name: 'review of a text that has changed',
    session: sessions.connected,
    answers: { authorizePayment: () => ({ code: 'authorization_changed' }) },
    act: authorize,
  },
  {
    name: 'review while the payment is sent',
    session: sessions.connected,
    answers: { authorizePayment: never },
    act: authorize,
  },
  { name: 'review with no tries left', session: { ...sessions.connected, bankConnectionAttemptsRemaining: 0 } },
  {
    name: 'cancelled after it was authorized',
    session: {
      ...sessions.submitted,
      status: 'cancelled',
      cancelledAt: '2026-11-21T09:00:00.000Z',
      cancellation: { reason: 'requested_by_practice' },
    },
  },
  { name: 'submitted with the receipt unfolded', session: sessions.submitted, act: receiptUnfolded },
  { name: 'returned with the receipt unfolded', session: sessions.returned, act: receiptUnfolded },
  {
    name: 'a practice that cannot be reached',
    session: { ...sessions.owed, practice: { name: 'Lakeside', primaryColor: '#0f766e' } },
  },
  {
    name: 'unreachable while it is tried again',
    session: sessions.opened,
    answers: { getSession: () => 'hang_up' },
    act: tryAgain,
  },
];

async function refusedSignIn(page: Page): Promise<void> {
  await page.locator('#username').fill('user_good');
  await page.locator('#password').fill('test-password');
  await page.locator('button[type=submit]').click();
  await page.locator('[role=alert]:not(:empty)').waitFor();
}

async function authorize(page: Page): Promise<void> {
  await page.locator('.primary').click();
  await page.locator('[role=alert]:not(:empty), [aria-disabled=true]').first().waitFor();
}

async function tryAgain(page: Page): Promise<void> {
  api.answers = { getSession: never };
  await page.locator('.primary').click();
  await page.locator('[aria-disabled=true]').waitFor();
}

/** What is rare is made of the same parts as the rest: English stands for both languages. */
const inspectedViews = { en: [...distinctViews, ...rareViews], es: distinctViews };

describe.each(languages)('axe finds nothing to object to, light or dark, in %s, on', (language) => {
  test.each(inspectedViews[language])('$name', async (view) => {
    expect(await inspect(view, language)).toEqual(nothing);
  });

  test('the page before its script has an answer', async () => {
    const { page } = opened;
    api.reset();
    api.answers = { getSession: never };
    await page.goto(`${api.url}/s/the-token?lang=${language}`);
    await page.evaluate(axe);
    const { violations } = await runAxe(page, allRules);
    expect(violations.flatMap(({ id, nodes }) => nodes.map((node) => told(id, node)))).toEqual([]);
  });
});

test('the table of views leaves no state of a session out', () => {
  const shown = new Set(inspectedViews.en.flatMap(({ session }) => (session ? [stateOf(session)] : [])));
  for (const session of Object.values(sessions)) expect(shown).toContain(stateOf(session));
});

function stateOf({
  status,
  blockedBy,
  cancellation,
  return: taken,
  bankAccount,
  bankConnectionAttemptsRemaining,
}: (typeof sessions)[keyof typeof sessions]): string {
  return [
    status,
    blockedBy,
    cancellation?.reason,
    taken && 'returned',
    bankAccount && 'connected',
    bankConnectionAttemptsRemaining === 0 && 'locked',
  ]
    .filter(Boolean)
    .join(' ');
}

// Which colors can be read on it, brand.test.ts shows for all of them; here it is in its places.
test("axe finds nothing to object to where the practice's color is nearly that of the page", async () => {
  const review = pageViews.find(({ name }) => name === 'review') ?? expect.fail('no review');
  const session = review.session && {
    ...review.session,
    practice: { ...review.session.practice, primaryColor: '#ffff00' },
  };
  expect(await inspect({ ...review, session }, 'en')).toEqual(nothing);
});
