import type { Page } from 'playwright-core';
import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
import { locales, type Locale } from '../../functions/domain/locale.ts';
import { payeeOf } from '../../functions/domain/practices/practice.ts';
import type { BankStep } from '../../web/hosted-page/page-state.ts';
import { anOffer } from '../support/examples.ts';
import { until } from '../support/until.ts';
import type { PickerScript } from './bank-picker-double.ts';
import { mainAction, openLink, signIn } from './journey.ts';
import type { PatientApiDouble } from './patient-api-double.ts';
import * as sessions from './sessions.ts';

export const languages = locales;
export type Language = Locale;

export interface PageView {
  readonly name: string;
  readonly session: SessionView | undefined;
  readonly bankStep?: BankStep;
  readonly answers?: PatientApiDouble['answers'];
  readonly javaScript?: false;
  /** The page could not show the session. */
  readonly failed?: true;
  readonly picker?: PickerScript;
  act?(page: Page): Promise<void>;
}

/** The time on the server. A test can open a view long after this. */
const now = Date.now();
const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const longName = 'The Greater Lakeside Family Dentistry, Orthodontics and Oral Surgery Group';

const owed: SessionView = { ...sessions.owed, expiresAt: inMinutes(6.5 * 24 * 60) };
const opened: SessionView = { ...sessions.opened, openedAt: inMinutes(-0.5), expiresAt: inMinutes(29.5) };
const ending = { expiresAt: inMinutes(4.5), extensionsLeft: 10 };
const connected: SessionView = { ...sessions.connected, openedAt: inMinutes(-3), expiresAt: inMinutes(26.5) };
/** The page's host has no logos. */
const logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="160" height="48"><rect width="160" height="48" fill="#134e4a"/><text x="14" y="32" font-size="22" fill="#fff">Lakeside</text></svg>')}`;
const withLongNames = (session: SessionView): SessionView => ({
  ...session,
  invoiceId: 'INV-2026-1120-000000001043-LAKESIDE-NORTH',
  amountCents: 1_234_567_89,
  practice: {
    ...session.practice,
    name: longName,
    privacyUrl: 'https://lakeside.example/privacy',
    termsUrl: 'https://lakeside.example/terms',
    supportEmail: 'patient.accounts.receivable@greater-lakeside-family-dentistry.example',
  },
});

const withReturnLink = (session: SessionView): SessionView => ({
  ...session,
  returnUrl: 'https://lakeside.example/bills?from=payment',
});

const failureCodes = [
  'insufficient_funds',
  'account_closed',
  'account_not_found',
  'debit_not_authorized',
  'account_frozen',
  'bank_declined',
  'processor_error',
] as const;

async function signInAndBeTold(page: Page): Promise<void> {
  await signIn(page, 'user_bad');
  await page.locator('[role=alert]:not(:empty)').waitFor();
}

export async function authorize(page: Page): Promise<void> {
  await page.clock.runFor(1_100);
  await mainAction(page).click();
}

export async function authorizeAndBeTold(page: Page): Promise<void> {
  await authorize(page);
  await page.locator('[role=alert]:not(:empty)').waitFor();
}

export const pageViews: readonly PageView[] = [
  { name: 'owed', session: owed },
  { name: 'owed-opened', session: opened },
  { name: 'ending-owed', session: { ...opened, ...ending } },
  { name: 'ending-owed-no-more-time', session: { ...opened, ...ending, extensionsLeft: 0 } },
  { name: 'ending-sign-in', session: { ...opened, ...ending }, bankStep: 'sandbox_bank' },
  { name: 'ending-review', session: { ...connected, ...ending } },
  {
    name: 'extended',
    session: { ...opened, ...ending },
    answers: { extendSession: () => ({ ...opened, expiresAt: inMinutes(34.5) }) },
    act: async (page) => {
      await page.locator('.warning button').click();
      await page.locator('.notice.waiting').waitFor();
    },
  },
  { name: 'owed-logo', session: { ...owed, practice: { ...owed.practice, logoUrl: logo } } },
  { name: 'owed-long-names', session: withLongNames(owed) },
  { name: 'choose-bank', session: opened, bankStep: 'banks' },
  { name: 'sign-in', session: opened, bankStep: 'sandbox_bank' },
  { name: 'sign-in-long-names', session: withLongNames(opened), bankStep: 'sandbox_bank' },
  {
    name: 'sign-in-busy',
    session: opened,
    bankStep: 'sandbox_bank',
    answers: { connectBank: () => new Promise(() => {}) },
    act: (page) => signIn(page, 'user_good'),
  },
  {
    name: 'sign-in-failed',
    session: opened,
    bankStep: 'sandbox_bank',
    answers: { connectBank: () => ({ code: 'bank_connection_failed', attemptsRemaining: 3 }) },
    act: signInAndBeTold,
  },
  {
    name: 'sign-in-failed-last-try',
    session: opened,
    bankStep: 'sandbox_bank',
    answers: { connectBank: () => ({ code: 'bank_connection_failed', attemptsRemaining: 1 }) },
    act: signInAndBeTold,
  },
  {
    name: 'bank-unavailable',
    session: opened,
    bankStep: 'unavailable_bank',
    answers: { connectBank: () => ({ code: 'bank_unavailable' }) },
    act: signInAndBeTold,
  },
  { name: 'locked', session: sessions.locked },
  { name: 'review', session: connected },
  { name: 'review-long-names', session: withLongNames(connected) },
  {
    name: 'review-lost-answer',
    session: connected,
    answers: { authorizePayment: () => 'hang_up' },
    act: authorizeAndBeTold,
  },
  { name: 'submitted', session: sessions.submitted },
  {
    name: 'submitted-copy-failed',
    session: connected,
    answers: { authorizePayment: () => sessions.submitted, mailCopy: () => ({ code: 'copy_not_mailed' }) },
    act: async (page) => {
      await page.locator('#copy-to').fill('maria@example.com');
      await authorize(page);
      await page.locator('[role=status].warning').waitFor();
    },
  },
  { name: 'paid', session: sessions.paid },
  { name: 'paid-return-link', session: withReturnLink(sessions.paid) },
  { name: 'returned-return-link', session: withReturnLink(withLongNames(sessions.returned)) },
  { name: 'expired-return-link', session: withReturnLink(withLongNames(sessions.expired)) },
  { name: 'paid-live', session: { ...sessions.paid, sandbox: false } },
  { name: 'paid-long-names', session: withLongNames(sessions.paid) },
  ...failureCodes.map((code) => ({
    name: `failed-${code.replaceAll('_', '-')}`,
    session: { ...sessions.failed, failure: { code, message: '' } },
  })),
  { name: 'returned', session: sessions.returned },
  { name: 'refunded', session: sessions.refunded },
  { name: 'refunded-partly', session: sessions.partlyRefunded },
  { name: 'refund-pending', session: sessions.refundPending },
  { name: 'cancelled', session: sessions.cancelled },
  { name: 'expired', session: sessions.expired },
  {
    name: 'expired-lost-answer',
    session: sessions.expired,
    answers: { requestLink: () => 'hang_up' },
    act: async (page) => {
      await mainAction(page).click();
      await page.locator('[role=alert]:not(:empty)').waitFor();
    },
  },
  { name: 'link-requested', session: sessions.linkRequested },
  { name: 'already-paid', session: sessions.alreadyPaid },
  { name: 'payment-in-progress', session: sessions.inProgress },
  { name: 'practice-suspended', session: sessions.suspended },
  { name: 'scrubbed', session: sessions.scrubbed },
  { name: 'unknown-link', session: undefined },
  {
    name: 'offline',
    session: opened,
    act: async (page) => {
      await page.context().setOffline(true);
      await page.locator('.offline:not(:empty)').waitFor();
    },
  },
  {
    name: 'offline-from-the-start',
    session: opened,
    answers: { getSession: () => 'hang_up' },
    act: async (page) => {
      const before = await page.title();
      await page.context().setOffline(true);
      await until(async () => (await page.title()) !== before);
    },
  },
  { name: 'unreachable', session: opened, answers: { getSession: () => 'hang_up' } },
  { name: 'service-busy', session: opened, answers: { getSession: () => 'gateway_429' } },
  { name: 'no-javascript', session: opened, javaScript: false },
  { name: 'page-failed', session: opened, answers: { getSession: () => new Promise(() => {}) }, failed: true },
];

const live = (session: SessionView): SessionView => ({ ...session, sandbox: false });

async function pickAndBeTold(page: Page): Promise<void> {
  await mainAction(page).click();
  await page.locator('[role=alert]:not(:empty)').waitFor();
  await page.locator('.primary[aria-disabled=false]').waitFor();
}

/** The text on a page for live payments, if it differs. */
export const liveViews: readonly PageView[] = [
  { name: 'live-owed', session: live(owed) },
  { name: 'live-owed-long-names', session: live(withLongNames(owed)) },
  {
    name: 'live-picker-open',
    session: live(opened),
    picker: 'waits',
    act: async (page) => {
      await mainAction(page).click();
      await page.locator('[role=alert]:not(:empty)').waitFor();
    },
  },
  {
    name: 'live-picker-silent',
    session: live(opened),
    picker: 'waits',
    act: async (page) => {
      await mainAction(page).click();
      await until(async () => (await page.evaluate('window.opened?.length')) === 1);
      await page.clock.runFor(60_000);
      await page.locator('.primary[aria-disabled=false]').waitFor();
    },
  },
  { name: 'live-picker-closed', session: live(opened), picker: 'closed', act: pickAndBeTold },
  { name: 'live-picker-failed', session: live(opened), picker: 'fails', act: pickAndBeTold },
  {
    name: 'live-picker-blocked',
    session: live(opened),
    act: async (page) => {
      await page.route('**/v3/**', (route) => route.abort(), { times: 1 });
      await pickAndBeTold(page);
    },
  },
  {
    name: 'live-account-refused',
    session: live(opened),
    answers: { connectBank: () => ({ code: 'bank_connection_failed', attemptsRemaining: 3 }) },
    act: pickAndBeTold,
  },
  {
    name: 'live-review-another-refused',
    session: live(connected),
    answers: { connectBank: () => ({ code: 'bank_connection_failed', attemptsRemaining: 1 }) },
    act: async (page) => {
      await page.locator('main .plain').click();
      await page.locator('[role=alert]:not(:empty)').waitFor();
      await page.locator('main .plain[aria-disabled=false]').waitFor();
    },
  },
];

/** The other views have the same components as one of these, and differ in a sentence. */
export const distinctViews = pageViews.filter(
  ({ name }) => !/^(owed-opened|sign-in-failed-last-try|paid|service-busy|failed-(?!insufficient-funds).*)$/.test(name),
);
export const scriptedViews = distinctViews.filter(({ javaScript }) => javaScript !== false);

function inLanguage(session: SessionView, language: Language): SessionView {
  const { bankAccount, authorization, receipt, amountCents, invoiceId, practice } = session;
  if (!bankAccount) return session;
  const bankConnectedAt = '2026-11-20T15:04:05.000Z';
  const payerName = session.payerName ?? receipt?.payerName;
  const payer = payerName === undefined ? {} : { payerName };
  const offer = { amountCents, invoiceId, payee: practice, bankAccount, bankConnectedAt, ...payer };
  const { id, text } = anOffer(language, offer);
  return {
    ...session,
    ...(authorization && { authorization: { id, text, locale: language } }),
    ...(receipt && {
      receipt: { ...receipt, authorizationText: text, authorizationLocale: language, practice: payeeOf(practice) },
    }),
  };
}

/** The page must use Playwright's clock. */
export async function openView(page: Page, api: PatientApiDouble, view: PageView, language: Language): Promise<void> {
  await page.context().setOffline(false);
  api.reset();
  api.now = () => now;
  api.session = view.session && inLanguage(view.session, language);
  api.answers = view.answers ?? {};
  api.picker = view.picker ?? 'connects';
  const url = `${api.url}/s/the-token?lang=${language}${view.bankStep ? `#${view.bankStep}` : ''}`;
  if (view.javaScript === false) return void (await page.goto(url));
  if (view.failed) {
    await page.goto('about:blank');
    await page.goto(url);
    return page.evaluate((practice) => window.showHelp(practice), view.session?.practice);
  }
  await openLink(page, url);
  await view.act?.(page);
}
