// @module-tag browser

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { startDashboardApiDouble, type DashboardApiDouble } from './api-double.ts';
import { lakeside } from './practice-data.ts';

let api: DashboardApiDouble;
let browser: Browser;
beforeAll(async () => {
  [api, browser] = await Promise.all([startDashboardApiDouble(), launchBrowser()]);
});
afterAll(() => Promise.all([browser.close(), api.close()]));

test('requests say so when nobody has touched the page for two minutes', async () => {
  const page = await browser.newPage();
  await page.clock.install();
  const marked: boolean[] = [];
  // The page asks again only once it has the answer.
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/alerts')) marked.push('x-background' in request.headers());
  });
  await page.goto(`${api.url}/${lakeside}/audit-log`);
  const nextMark = async () => {
    await expect.poll(() => marked.length).toBeGreaterThan(0);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    return marked.splice(0).at(-1);
  };
  const afterAMinute = async () => {
    await page.clock.runFor(61_000);
    return nextMark();
  };
  expect(await nextMark()).toBe(false);
  expect(await afterAMinute()).toBe(false);
  expect(await afterAMinute()).toBe(true);
  await page.keyboard.press('Tab');
  expect(await afterAMinute()).toBe(false);
});

test('a screen that waits asks often for two minutes, then twice a minute, and often again once somebody looks', async () => {
  const page = await browser.newPage();
  await page.clock.install();
  let asked = 0;
  page.on('requestfinished', (request) => (asked += Number(request.url().includes('/sessions?'))));
  await page.goto(`${api.url}/${lakeside}/sessions`);
  await expect.poll(() => asked).toBe(1);
  const askedWithin = async (seconds: number) => {
    const before = asked;
    // The page asks again only once it has the answer.
    for (let passed = 0; passed < seconds; passed += 5) {
      const seen = asked;
      await page.clock.runFor(5_000);
      await page.waitForTimeout(20);
      if (asked > seen) await page.waitForLoadState('networkidle');
    }
    return asked - before;
  };
  expect(await askedWithin(30)).toBeGreaterThan(4);
  await askedWithin(100);
  expect(await askedWithin(60)).toBeLessThanOrEqual(2);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(await askedWithin(30)).toBeGreaterThan(4);
});
