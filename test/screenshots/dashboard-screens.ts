import type { Page } from 'playwright-core';
import { painted } from '../web/fit.ts';
import type { FilledPractice, Visitor } from './dashboard-data.ts';

export interface DashboardScreen {
  readonly name: string;
  /** Defaults to the admin. */
  readonly visitor?: Visitor;
  /** A path of the dashboard. */
  path(filled: FilledPractice): string;
  /** What to do on the screen before taking the picture. */
  readonly steps?: (page: Page, filled: FilledPractice) => Promise<unknown>;
  readonly printed?: boolean;
}

const below =
  (screen: string) =>
  ({ practiceId }: FilledPractice) =>
    `/${practiceId}${screen}`;
const session =
  (name: keyof FilledPractice['sessions'], screen = '') =>
  ({ practiceId, sessions }: FilledPractice) =>
    `/${practiceId}/sessions/${sessions[name]}${screen}`;
const endpoint =
  (name: keyof FilledPractice['endpoints'], query = '') =>
  ({ practiceId, endpoints }: FilledPractice) =>
    `/${practiceId}/settings/webhooks/${endpoints[name]}${query}`;

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const dialog = (page: Page) => page.getByRole('dialog');

async function createLink(page: Page): Promise<void> {
  await page.getByLabel('Invoice', { exact: false }).first().fill('INV-2042');
  await page.getByLabel('Amount').fill('182.50');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Okafor');
  await page.getByRole('button', { name: 'Create payment link' }).click();
  await page.getByRole('img', { name: 'QR code of the payment link' }).waitFor();
}

const search = (text: string) => async (page: Page) => {
  await page.getByRole('searchbox').fill(text);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('table', { name: 'What was found' }).or(page.getByText('Nothing found')).waitFor();
};

/** In the order of the contact sheet. */
export const dashboardScreens: readonly DashboardScreen[] = [
  { name: 'signed-out', visitor: 'nobody', path: () => '/' },
  { name: 'sign-in-page', visitor: 'nobody', path: () => '/api/dashboard/sign-in' },
  {
    name: 'signed-out-just-now',
    visitor: 'nobody',
    path: () => '/',
    steps: async (page) => {
      await page.evaluate(() => sessionStorage.setItem('signed out here', 'yes'));
      await page.reload();
      await page.getByRole('link', { name: 'Sign in again' }).waitFor();
    },
  },
  { name: 'sign-in-refused', visitor: 'nobody', path: () => '/?problem=sign_in_refused' },
  { name: 'join', visitor: 'nobody', path: ({ invitationToken }) => `/join#${invitationToken}` },
  { name: 'home-new-practice', path: ({ newPracticeId }) => `/${newPracticeId}` },
  { name: 'home', path: below('') },
  { name: 'choose-practice', path: () => '/' },
  { name: 'home-viewer', visitor: 'viewer', path: below('') },
  {
    name: 'home-not-answering',
    path: below(''),
    steps: async (page) => {
      const problem = { title: 'Something went wrong.', status: 500, code: 'internal_error', requestId: 'req_01KAJ3Z' };
      await page.route('**/home', (route) =>
        route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
      );
      await page.reload();
      await page.getByRole('alert').waitFor();
      await page.unroute('**/home');
    },
  },
  { name: 'sessions', path: below('/sessions'), printed: true },
  { name: 'sessions-none', path: below('/sessions?from=2020-01-01&to=2020-01-02&status=failed') },
  { name: 'sessions-search', path: below('/sessions'), steps: search('ada') },
  { name: 'sessions-search-none', path: below('/sessions'), steps: search('Nobody') },
  { name: 'sessions-new-practice', path: ({ newPracticeId }) => `/${newPracticeId}/sessions` },
  { name: 'sessions-export', path: below('/sessions'), steps: press(/CSV/) },
  { name: 'session-pending', path: session('pending') },
  { name: 'session-processing', path: session('processing') },
  { name: 'session-paid', path: session('paid'), printed: true },
  {
    name: 'session-event',
    path: session('paid'),
    steps: async (page) => {
      await page.getByText('Technical details').click();
      for (const summary of await page.locator('.technical-details summary').all()) await summary.click();
    },
  },
  { name: 'session-failed', path: session('failed') },
  { name: 'session-returned', path: session('returned') },
  { name: 'session-cancelled', path: session('cancelled') },
  { name: 'session-viewer', visitor: 'viewer', path: session('paid') },
  { name: 'session-cancel', path: session('connected'), steps: press('Cancel payment') },
  { name: 'session-reminder', path: session('pending'), steps: press('Remind patient') },
  { name: 'session-new-link', path: session('connected'), steps: press('Replace link') },
  { name: 'proof-of-authorization', path: session('paid', '/authorization'), printed: true },
  { name: 'new-payment-link', path: below('/sessions/new') },
  { name: 'new-payment-link-errors', path: below('/sessions/new'), steps: press('Create payment link') },
  { name: 'new-payment-link-created', path: below('/sessions/new'), steps: createLink, printed: true },
  { name: 'deliveries', path: below('/deliveries') },
  {
    name: 'delivery-failing',
    path: ({ practiceId, endpoints }) => `/${practiceId}/deliveries?endpointId=${endpoints.failing}&status=pending`,
    steps: async (page) => {
      await page.locator('main table a').first().click();
      await page.getByText('Attempt 1').waitFor();
    },
  },
  { name: 'keys', path: below('/settings/keys') },
  { name: 'keys-viewer', visitor: 'viewer', path: below('/settings/keys') },
  { name: 'key-create', path: below('/settings/keys?new=1') },
  {
    name: 'key-created',
    path: below('/settings/keys?new=1'),
    steps: async (page) => {
      await dialog(page).getByLabel('Name').fill('Reporting');
      await dialog(page).getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('region', { name: 'New key' }).waitFor();
    },
  },
  { name: 'key-rotate', path: below('/settings/keys'), steps: press(/^Rotate /) },
  {
    name: 'key-rotated',
    path: below('/settings/keys'),
    steps: async (page) => {
      await press(/^Rotate /)(page);
      await dialog(page).getByRole('button', { name: 'Rotate key' }).click();
      await page.getByRole('region', { name: 'New key' }).waitFor();
    },
  },
  { name: 'key-revoke', path: below('/settings/keys'), steps: press(/^Revoke /) },
  { name: 'webhooks', path: below('/settings/webhooks') },
  { name: 'webhooks-new-practice', path: ({ newPracticeId }) => `/${newPracticeId}/settings/webhooks` },
  {
    name: 'webhook-add',
    path: below('/settings/webhooks?new=1'),
    steps: async (page) => {
      await dialog(page).getByLabel('Only some').check();
      await dialog(page).getByRole('button', { name: 'Add endpoint' }).click();
    },
  },
  {
    name: 'confirm-identity',
    visitor: 'long signed in',
    path: ({ newPracticeId }) => `/${newPracticeId}/settings/webhooks?new=1`,
    steps: async (page) => {
      await dialog(page).getByLabel('URL').fill('https://example.com/webhooks');
      await dialog(page).getByRole('button', { name: 'Add endpoint' }).click();
      await page.getByRole('dialog', { name: /sign in again|it is you/i }).waitFor();
    },
  },
  {
    name: 'webhook-healthy',
    path: endpoint('healthy'),
    steps: async (page) => {
      await press('Reveal')(page);
      await press('Send test event')(page);
      await page.getByText(/The endpoint answered/).waitFor();
    },
  },
  { name: 'webhook-failing', path: endpoint('failing') },
  { name: 'webhook-gone', path: endpoint('gone') },
  { name: 'webhook-rotate-secret', path: endpoint('healthy', '?dialog=rotate') },
  { name: 'webhook-replay', path: endpoint('failing', '?dialog=replay') },
  { name: 'webhook-move', path: endpoint('healthy', '?dialog=move') },
  { name: 'webhook-delete', path: endpoint('healthy', '?dialog=delete') },
  { name: 'practice', path: below('/settings/practice') },
  {
    name: 'practice-unsaved',
    path: below('/settings/practice'),
    steps: (page) => page.getByLabel('Name', { exact: true }).fill('Lakeside Dental'),
  },
  {
    name: 'practice-not-saved-yet',
    path: below('/settings/practice'),
    steps: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Lakeside Dental');
      // The form listens for it after it has painted what was typed.
      await painted(page);
      await page.evaluate(() => dispatchEvent(new Event('leaving-to-sign-in')));
      await page.reload();
      await page.getByText('Not saved yet').waitFor();
    },
  },
  { name: 'practice-viewer', visitor: 'viewer', path: below('/settings/practice') },
  { name: 'test-bank', path: below('/settings/test-bank') },
  { name: 'team', path: below('/team') },
  { name: 'team-viewer', visitor: 'viewer', path: below('/team') },
  {
    name: 'team-invite',
    path: below('/team'),
    steps: async (page) => {
      await press(/Invite/)(page);
      await dialog(page).getByLabel('Email').fill('front desk');
      await dialog(page).getByRole('button', { name: 'Invite' }).click();
    },
  },
  { name: 'team-remove', path: below('/team'), steps: press(/^Remove /) },
  { name: 'audit-log', path: below('/audit-log') },
  { name: 'not-found', path: below('/nothing-here') },
];
