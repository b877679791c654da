// @module-tag browser

import { beforeEach, expect, test } from 'vitest';
import { objections } from '../axe.ts';
import { phone } from '../journey.ts';
import { useDashboardOnDouble } from './dashboard-on-double.ts';
import { lakeside, maple } from './practice-data.ts';
import { expectAccessibleAtEveryWidth } from './page-requests.ts';
import { paidSessionId } from './session-data.ts';

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
  ['an empty list of sessions', '/sessions?invoice=none', []],
  ['the export', '/sessions', ['Export CSV']],
  ['a session with an attempt and its body', session, ['Delivered', 'Body of the webhook']],
  ['cancelling a session', pending, ['Cancel session']],
  ['a new link', pending, ['Replace link', 'Replace link']],
  ['the proof of authorization', `${session}/authorization`, []],
  ['errors of a new payment link', '/sessions/new', ['Add metadata', 'Create payment link']],
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
  expect(await objections(on.page)).toEqual([]);
});
