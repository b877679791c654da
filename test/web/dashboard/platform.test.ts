// @module-tag browser

import { describe, expect, test } from 'vitest';
import { soon, useDashboardOnDouble } from './dashboard-on-double.ts';
import { expectAccessible, expectAccessibleAtEveryWidth } from './page-requests.ts';
import { harbor, harborName, lakeside, maple } from './practice-data.ts';

const on = useDashboardOnDouble();
const rows = () => on.page.getByRole('row').count();
const pathOf = () => new URL(on.page.url()).pathname;

describe("a platform's member", () => {
  test('finds one of 300 practices by its name, acts for it, and switches to another, all by keyboard', async () => {
    on.api.joinHarbor({ acting: true });
    await on.visit('/api/dashboard/sign-in?return=/');
    await on.expectHeading('Practices');
    expect(pathOf()).toBe(`/${harbor}`);
    await expect.poll(rows, soon).toBe(51);
    await on.button('Load more').press('Enter');
    await expect.poll(rows, soon).toBe(101);

    await on.page.getByLabel('Name').fill('LAKE');
    await on.page.keyboard.press('Enter');
    await expect.poll(rows, soon).toBe(2);
    await on.link('Lakeside Family Dental').press('Enter');
    await on.expectHeading('Home');
    expect(await on.page.locator('.practice-name').innerText()).toBe(`Lakeside Family Dental\nfor ${harborName}`);

    await on.link('Switch practice').press('Enter');
    await on.expectHeading('Practices');
    await expect.poll(rows, soon).toBe(51);
    await on.expectText('Missing: terms, deposits');
  });

  test('does not find a practice of nobody or of another platform', async () => {
    on.api.joinHarbor({ acting: true });
    for (const path of [`/${maple}`, `/${maple}/settings/keys`, '/plt_other']) {
      await on.visit(path);
      await on.expectHeading('There is no such page');
    }
    on.faults.length = 0;
  });

  test('brings a practice its first admin', async () => {
    on.api.joinHarbor({ acting: true });
    on.api.practices[lakeside]!.team = { members: [], invitations: [], yourMails: { topics: [], sent: false } };
    await on.open('/team');
    await on.expectText('This practice has no admin of its own');
    await on.button('Invite someone').click();
    await on.page.getByLabel('Email').fill('owner@lakeside.example');
    await on.dialog().getByRole('button', { name: 'Invite' }).click();
    await on.expectText('Send this link to owner@lakeside.example yourself');
    expect(on.sent('inviteMember')).toEqual([{ email: 'owner@lakeside.example', role: 'admin' }]);
    expect(await on.page.getByRole('heading', { name: 'Your emails' }).count()).toBe(0);
  });

  test.each(['', '?name=clinic+12', '?name=nothing', '/settings/keys', '/team'])(
    'sees the screen %s, which is accessible and fits',
    async (screen) => {
      on.api.joinHarbor({ acting: true });
      on.api.platform.practices?.splice(8);
      await on.open(screen, harbor);
      await expectAccessibleAtEveryWidth(on.page);
    },
  );
});

describe('a practice', () => {
  test('sees which platform may act for it, and ends that after a recent sign-in', async () => {
    on.api.joinHarbor();
    on.api.recentSignIn = false;
    await on.open('/settings/practice');
    await on.expectText('may act for this practice since Oct 11, 2026');
    await on.button('End its access').click();
    const end = on.dialog().getByRole('button', { name: 'End its access' });
    await expectAccessibleAtEveryWidth(on.page);
    await end.click();
    await on.signInWith(on.link('Sign in again'));
    await end.click();
    await on.expectText(`${harborName} can no longer act for Lakeside Family Dental.`);
    await expect.poll(() => on.page.getByRole('heading', { name: 'Platform' }).count(), soon).toBe(0);
    expect(on.callsOf('endPlatformAccess').map(({ params }) => params)).toEqual([
      { practiceId: lakeside },
      { practiceId: lakeside },
    ]);
  });

  test('reads in its audit log for whom somebody acted', async () => {
    on.api.joinHarbor();
    const entries = on.api.practices[lakeside]!.auditLog;
    const author = { kind: 'user', userId: 'usr_vic', email: 'vic@harbor.example', address: '192.0.2.9' } as const;
    entries.splice(
      0,
      entries.length,
      ...[harbor, 'plt_before'].map((platformId, index) => ({
        ...entries[index]!,
        author: { ...author, platformId },
      })),
    );
    await on.open('/audit-log');
    const who = await on.page.locator('tbody td:nth-child(3)').allInnerTexts();
    expect(who.map((words) => words.split(/\n+/))).toEqual([
      ['vic@harbor.example', `for ${harborName}`],
      ['vic@harbor.example', 'for plt_before'],
    ]);
    await expectAccessible(on.page);
  });
});
