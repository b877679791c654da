// @module-tag browser

import type { Browser, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { hour } from '../../../functions/domain/time.ts';
import { onStack } from '../../support/on-stack.ts';
import { openPage } from '../journey.ts';
import type { DashboardApiDouble } from './api-double.ts';
import { onDouble } from './dashboard-on-double.ts';
import { watchRequests, type PageRequests } from './page-requests.ts';
import { lakeside } from './practice-data.ts';
import { now } from './time-data.ts';

let double: DashboardApiDouble;
let browser: Browser;
onDouble.beforeAll(({ api }) => {
  double = api;
});
onStack.beforeAll(({ browser: shared }) => {
  browser = shared;
});

let page: Page;
let requests: PageRequests;
beforeEach(async () => {
  double.reset();
  const opened = await openPage(browser);
  ({ page } = opened);
  requests = await watchRequests(page);
  // Time passes only when a test says so.
  // A clock cannot be paused in its past, and runs until it is paused.
  await page.clock.install({ time: now - hour });
  await page.clock.pauseAt(now);
  return () => opened.close();
});

async function open(screen: string) {
  await page.goto(`${double.url}/${lakeside}${screen}`);
  const isLoaded = async () => {
    // The page waits for frames, which follow its clock.
    await page.clock.runFor(20);
    return page.evaluate(() => document.querySelector('h1') !== null && !document.querySelector('[aria-busy=true]'));
  };
  await expect.poll(isLoaded).toBe(true);
  // The timers of what was drawn last start one frame later.
  await page.clock.runFor(100);
  // A request that is open while minutes pass times out in the page.
  await requests.read('/alerts');
}

test('requests say so when nobody has touched the page for two minutes', async () => {
  await open('/audit-log');
  const afterAMinute = async () => {
    await page.clock.runFor(61_000);
    const asked = await requests.begun('/alerts');
    await requests.read('/alerts');
    return asked.map(({ isBackground }) => isBackground);
  };
  expect(await afterAMinute()).toEqual([false, false]);
  expect(await afterAMinute()).toEqual([false, false, true]);
  await page.keyboard.press('Tab');
  expect(await afterAMinute()).toEqual([false, false, true, false]);
});

test('a screen that waits polls often for two minutes, then twice a minute, and often again once somebody looks', async () => {
  await open('/sessions');
  const askedWithin = async (seconds: number) => {
    const before = (await requests.begun('/session-search')).length;
    for (let passed = 0; passed < seconds; passed += 5) {
      await page.clock.runFor(5_000);
      // The page polls again only once it has the answer.
      await requests.read('/session-search');
    }
    return (await requests.begun('/session-search')).length - before;
  };
  expect(await askedWithin(30)).toBeGreaterThan(4);
  await askedWithin(100);
  expect(await askedWithin(60)).toBeLessThanOrEqual(2);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(await askedWithin(30)).toBeGreaterThan(4);
});
