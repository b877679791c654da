// @module-tag browser

import { expect, test } from 'vitest';
import { objections } from '../axe.ts';
import { lakeside, maple } from './practice-data.ts';
import { useDashboardOnDouble } from './dashboard-on-double.ts';
import { now } from './time-data.ts';

const on = useDashboardOnDouble({ at: now });

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

test.each(all)('$screen of $practiceId fits phones and desktops, and axe finds no fault', async (each) => {
  await on.open(each.screen, each.practiceId);
  const hasDialog = /\?(?!status)/.test(each.screen);
  if (hasDialog) await on.dialog().waitFor();
  for (const width of [1280, 768, 390, 320]) {
    await on.page.setViewportSize({ width, height: 844 });
    expect.soft(await widest(), `at ${width} pixels`).toBeLessThanOrEqual(width);
    if (width === 1280 || width === 390) {
      // The screen's heading is behind an open dialog.
      const found = (await objections(on.page)).filter((one) => !(hasDialog && one.includes('page-has-heading-one')));
      expect.soft(found, `at ${width} pixels`).toEqual([]);
    }
  }
});

test.each(['viewer', 'staff'] as const)('axe finds no fault on what a %s sees', async (role) => {
  on.api.role = role;
  for (const screen of ['/settings/keys', '/settings/webhooks/whe_billing', '/settings/practice', '/team']) {
    await on.open(screen);
    expect.soft(await objections(on.page), screen).toEqual([]);
  }
});

function widest(): Promise<number> {
  return on.page.evaluate(() => document.documentElement.scrollWidth);
}
