// @module-tag browser

import { beforeEach, test } from 'vitest';
import { phone } from '../journey.ts';
import { useDashboardOnDouble } from './dashboard-on-double.ts';
import { lakeside, maple } from './practice-data.ts';
import { expectAccessible, expectAccessibleAtEveryWidth } from './page-requests.ts';
import { paidSessionId } from './payment-data.ts';

const on = useDashboardOnDouble();
const session = `/sessions/${paidSessionId}`;
const pending = '/sessions/ses_01KAGPENDING0000000000000';

// Some of each kind: more rows of the same are no harder to read.
beforeEach(() => void on.api.practices[lakeside]!.sessions.splice(8));

async function click(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await on.page.getByText(name, { exact: true }).last().click();
    await on.loaded();
  }
}

test.each([
  ['the choice of a practice', '/api/dashboard/sign-in?return=/', 'Choose a practice'],
  ['a sign-in that failed', '/?problem=sign_in_failed', 'Practice dashboard'],
  ['an invitation', '/join#fresh-token', 'Join a practice'],
])('%s is accessible and fits', async (_, path, heading) => {
  await on.visit(path);
  await on.expectHeading(heading);
  await expectAccessibleAtEveryWidth(on.page);
});

test('home of a new practice is accessible and fits', async () => {
  await on.open('', maple);
  await expectAccessibleAtEveryWidth(on.page);
});

test.each([
  ['home with its table', '', ['Show the numbers as a table']],
  ['the list of sessions', '/sessions?status=succeeded&status=failed', []],
  ['an empty list of sessions', '/sessions?from=2020-01-01&to=2020-01-02', []],
  ['the export', '/sessions', ['Export CSV']],
  ['a session with an attempt and its body', session, ['Technical details', 'Delivered', 'Body of the webhook']],
  ['cancelling a session', pending, ['Cancel payment']],
  ['a reminder', pending, ['Remind patient']],
  ['a new link', pending, ['Replace link', 'Replace link']],
  ['the proof of authorization', `${session}/authorization`, []],
  ['errors of a new payment link', '/sessions/new', ['Add a name and value', 'Create payment link']],
  ['a payout', '/payouts/po_1TestPayout', []],
  ['an unknown page', '/nowhere', []],
])('%s is accessible and fits', async (_, screen, clicks) => {
  await on.open(screen);
  await click(...clicks);
  await expectAccessibleAtEveryWidth(on.page);
});

test('the menu and the filters that unfold on a phone are accessible', async () => {
  await on.page.setViewportSize(phone);
  await on.open('/sessions');
  await click('Menu', 'Filters');
  await expectAccessible(on.page);
});

const event = 'evt_01KAGPAID00000000000000000_2';
const screens = [
  '/deliveries',
  '/deliveries?status=failed&endpointId=whe_billing',
  `/deliveries/${event}/whe_billing`,
  `/deliveries/${event}/whe_legacy`,
  '/settings/keys',
  '/settings/keys?new=1',
  '/settings/keys?rotate=kLive00000001',
  '/settings/keys?revoke=kLive00000001',
  '/settings/webhooks',
  '/settings/webhooks?new=1',
  '/settings/webhooks/whe_billing',
  '/settings/webhooks/whe_reporting',
  '/settings/webhooks/whe_legacy',
  '/settings/webhooks/whe_reporting?dialog=filters',
  '/settings/webhooks/whe_reporting?dialog=move',
  '/settings/webhooks/whe_reporting?dialog=delete',
  '/settings/webhooks/whe_reporting?dialog=rotate',
  '/settings/webhooks/whe_reporting?dialog=replay',
  '/settings/webhooks/whe_gone',
  '/settings/practice',
  '/settings/test-bank',
  '/team',
  '/team?invite=1',
  '/team?role=usr_sam',
  '/team?remove=usr_sam',
  '/team?revoke=inv_jo',
  '/audit-log',
];
const all = [
  ...screens.map((screen) => ({ screen, practiceId: lakeside })),
  ...['/deliveries', '/settings/keys', '/settings/webhooks', '/team', '/audit-log'].map((screen) => ({
    screen,
    practiceId: maple,
  })),
];

// Some of each kind: more rows of the same are no harder to read.
beforeEach(() => void on.api.practices[lakeside]!.deliveries.splice(8));

test.each(all)('$screen of $practiceId is accessible and fits', async ({ screen, practiceId }) => {
  await on.open(screen, practiceId);
  if (/\?(?!status)/.test(screen)) await on.dialog().waitFor();
  await expectAccessibleAtEveryWidth(on.page);
});

test.each(['/settings/keys', '/settings/webhooks/whe_billing', '/settings/practice', '/team'])(
  '%s is accessible to those who may change nothing',
  async (screen) => {
    on.api.role = 'viewer';
    await on.open(screen);
    await expectAccessible(on.page);
  },
);
