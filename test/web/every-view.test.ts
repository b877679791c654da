// @module-tag browser

import type { CDPSession } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { objections } from './axe.ts';
import { jump, misfitsOf, watchShifts } from './fit.ts';
import { usePageOnDouble } from './page-on-double.ts';
import { openView, scriptedViews } from './views-table.ts';

const on = usePageOnDouble();
let devtools: CDPSession;

beforeAll(async () => {
  await on.page.clock.install();
  await watchShifts(on.page);
  devtools = await on.page.context().newCDPSession(on.page);
  await devtools.send('Page.enable');
});

test.each(scriptedViews)('$name fits every window with its action in reach, and axe finds no fault', async (view) => {
  await openView(on.page, on.api, view, 'en');
  if (!view.act) expect.soft(await jump(on.page), 'nothing jumps while it loads').toBeUndefined();
  const found = await misfitsOf(on.page, devtools, view.name);
  for (const [name, misfit] of Object.entries(found)) expect.soft(misfit, name).toBeUndefined();
  expect(await objections(on.page)).toEqual([]);
});
