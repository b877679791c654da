// @module-tag browser

import { beforeEach, expect, test } from 'vitest';
import { objections } from '../axe.ts';
import { lakeside, maple } from './practice-data.ts';
import { useDashboardOnDouble } from './dashboard-on-double.ts';
import { expectAccessibleAtEveryWidth } from './page-requests.ts';

const on = useDashboardOnDouble();

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
    expect(await objections(on.page)).toEqual([]);
  },
);
