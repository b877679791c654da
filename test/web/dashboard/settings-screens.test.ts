// @module-tag browser

import { beforeEach, test } from 'vitest';
import { keepFewRows, useDashboardOnDouble } from './dashboard-on-double.ts';
import { expectAccessible, expectAccessibleAtEveryWidth } from './page-requests.ts';
import { harbor, lakeside, maple } from './practice-data.ts';

const on = useDashboardOnDouble();
beforeEach(() => keepFewRows(on.api));

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
  await on.page.getByText('End its access', { exact: true }).last().click();
  await on.loaded();
  await expectAccessibleAtEveryWidth(on.page);
  const [first, second] = on.api.practices[lakeside]!.auditLog;
  const author = { kind: 'user', userId: 'usr_vic', email: 'vic@harbor.example', address: '192.0.2.9' } as const;
  Object.assign(first!, { author: { ...author, platformId: harbor } });
  Object.assign(second!, { author: { ...author, platformId: 'plt_before' } });
  await on.open('/audit-log');
  await expectAccessible(on.page);
});
