import { describe, expect, test } from 'vitest';
import type { DeliveryDetail } from '../../../functions/contract/webhooks/dashboard-deliveries.ts';
import { useDashboardInDom } from './dashboard-in-dom.ts';
import { soon } from './dashboard-on-double.ts';
import { deliveries } from './delivery-data.ts';
import { harbor, harborName, lakeside, maple } from './practice-data.ts';

const on = useDashboardInDom();

describe("a platform's member", () => {
  test('does not find a practice of nobody or of another platform', async () => {
    on.api.joinHarbor({ acting: true });
    for (const path of [`/${maple}`, `/${maple}/settings/keys`, '/plt_other']) {
      await on.visit(path);
      await on.expectHeading('There is no such page');
    }
    on.faults.length = 0;
  });

  test('sees which practice a delivery is about, even after it has left', async () => {
    on.api.joinHarbor({ acting: true });
    const [payment, joined, left] = deliveries();
    const about = (detail: DeliveryDetail | undefined, facts: Partial<DeliveryDetail['delivery']>) => ({
      ...detail!,
      delivery: { ...detail!.delivery, status: 'delivered' as const, ...facts },
    });
    on.api.platform.deliveries = [
      about(payment, { eventPracticeId: lakeside, practiceName: 'Lakeside Family Dental' }),
      about(joined, {
        eventId: 'evt_joined',
        eventType: 'practice.joined',
        movedPracticeId: lakeside,
        practiceName: 'Lakeside Family Dental',
      }),
      about(left, { eventId: 'evt_left', eventType: 'practice.left', movedPracticeId: maple }),
    ];
    await on.open('/deliveries', harbor);
    const cells = await on.page.locator('td[data-label=Practice]').allInnerTexts();
    expect(cells).toEqual(['Lakeside Family Dental', 'Lakeside Family Dental', maple]);
    await on.link('A practice joined the platform').click();
    await on.expectHeading('Delivery');
    await on.page.locator('dd').getByRole('link', { name: 'Lakeside Family Dental' }).waitFor();
    await on.page.goBack();
    await on.link('A practice left the platform').click();
    await on.page.locator('dd code', { hasText: maple }).first().waitFor();
  });

  test("invites a practice's first admin", async () => {
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
});

describe('a practice', () => {
  test('sees which platform may act for it, and ends that after a recent sign-in', async () => {
    on.api.joinHarbor();
    on.api.recentSignIn = false;
    await on.open('/settings/practice');
    await on.expectText('may act for this practice since Oct 11, 2026');
    await on.button('End its access').click();
    const end = on.dialog().getByRole('button', { name: 'End its access' });
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
  });
});
