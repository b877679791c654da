// @module-tag browser

import { beforeEach, describe, test } from 'vitest';
import { depositNeeds } from '../../../functions/domain/practices/deposit-needs.ts';
import { phone } from '../journey.ts';
import { keepFewRows, useDashboardOnDouble } from './dashboard-on-double.ts';
import { lakeside, maple } from './practice-data.ts';
import { expectAccessible, expectAccessibleAtEveryWidth } from './page-requests.ts';
import { paidSessionId } from './payment-data.ts';

const on = useDashboardOnDouble();
const session = `/sessions/${paidSessionId}`;
const pending = '/sessions/ses_01KAGPENDING0000000000000';

beforeEach(() => keepFewRows(on.api));

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
