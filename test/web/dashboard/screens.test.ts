// @module-tag browser

import { beforeEach, describe, test } from 'vitest';
import { depositNeeds } from '../../../functions/domain/practices/deposit-needs.ts';
import { phone } from '../journey.ts';
import { useDashboardOnDouble } from './dashboard-on-double.ts';
import { harbor, lakeside, maple } from './practice-data.ts';
import { expectAccessible, expectAccessibleAtEveryWidth } from './page-requests.ts';
import { paidSessionId } from './payment-data.ts';

const on = useDashboardOnDouble();
const session = `/sessions/${paidSessionId}`;
const pending = '/sessions/ses_01KAGPENDING0000000000000';

// Some of each kind: more rows of the same are no harder to read.
beforeEach(() => {
  on.api.practices[lakeside]!.sessions.splice(8);
  on.api.practices[lakeside]!.deliveries.splice(8);
  on.api.practices[lakeside]!.auditLog.splice(6);
  on.api.platform.practices?.splice(8);
});

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
  [
    'errors of a new payment link',
    '/sessions/new',
    ['For your software (optional)', 'Add a name and value', 'Create payment link'],
  ],
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

test.each(['', '?name=clinic+12', '?name=nothing', '/settings/keys', '/team'])(
  'the screen "%s" of a platform is accessible and fits',
  async (screen) => {
    on.api.joinHarbor({ acting: true });
    await on.open(screen, harbor);
    await expectAccessibleAtEveryWidth(on.page);
  },
);

test("the end of a platform's access and the log of what it did are accessible", async () => {
  on.api.joinHarbor();
  await on.open('/settings/practice');
  await click('End its access');
  await expectAccessibleAtEveryWidth(on.page);
  const [first, second] = on.api.practices[lakeside]!.auditLog;
  const author = { kind: 'user', userId: 'usr_vic', email: 'vic@harbor.example', address: '192.0.2.9' } as const;
  Object.assign(first!, { author: { ...author, platformId: harbor } });
  Object.assign(second!, { author: { ...author, platformId: 'plt_before' } });
  await on.open('/audit-log');
  await expectAccessible(on.page);
});

test('a search that finds nothing is accessible and fits', async () => {
  await on.open('/sessions');
  await on.page.getByRole('searchbox').fill('Nobody');
  await click('Search');
  await on.expectText('Nothing found');
  await expectAccessibleAtEveryWidth(on.page);
});

test('a form with unsaved changes is accessible', async () => {
  await on.open('/settings/practice');
  await on.page.getByLabel('Name', { exact: true }).fill('Lakeside Dental');
  await on.expectText('Unsaved changes');
  await expectAccessible(on.page);
});

describe('in production', () => {
  beforeEach(() => void (on.api.mode = 'live'));

  test.each(['/payouts?month=2026-11', '/payouts/po_1TestPayout'])('%s is accessible and fits', async (screen) => {
    await on.open(screen);
    await expectAccessibleAtEveryWidth(on.page);
  });

  const needs = [...depositNeeds];
  const deadline = '2026-12-31T17:00:00.000Z';
  test.each([
    { status: 'incomplete', accountId: 'acct_1', needs },
    {
      status: 'ready',
      accountId: 'acct_1',
      needs: [],
      bankAccount: { bankName: 'First Lakeside Bank', last4: '6789' },
    },
    { status: 'ready', accountId: 'acct_1', needs: ['tax_id'], deadline },
  ] as const)('the settings with the deposits %j are accessible', async (deposit) => {
    const practice = on.api.practices[lakeside]!;
    practice.deposit = { ...deposit, needs: [...deposit.needs] };
    if ('deadline' in deposit)
      practice.settings = { ...practice.settings, depositDeadline: { at: deadline, remindedDays: 7 } };
    await on.open('/settings/practice?deposit=expired');
    await expectAccessible(on.page);
  });
});
