// @module-tag browser

import type { CDPSession } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { misfitsOf } from './fit.ts';
import { usePageOnDouble } from './page-on-double.ts';
import { openView, scriptedViews } from './views-table.ts';

const on = usePageOnDouble();
let devtools: CDPSession;

beforeAll(async () => {
  await on.page.clock.install();
  devtools = await on.page.context().newCDPSession(on.page);
  await devtools.send('Page.enable');
});

// Only the words differ from English, where axe inspects these views.
test.each(scriptedViews)('in Spanish $name fits every window with its action in reach', async (view) => {
  await openView(on.page, on.api, view, 'es');
  const found = await misfitsOf(on.page, devtools, view.name);
  for (const [name, misfit] of Object.entries(found)) expect.soft(misfit, name).toBeUndefined();
});
