// @module-tag browser

import { expect, test } from 'vitest';
import { objections } from './axe.ts';
import { jump, misfitsOf, wordsThatDoNotFit } from './fit.ts';
import { useViewsOnDouble } from './views-on-double.ts';
import { distinctViews, openView, scriptedViews } from './views-table.ts';

const { on, devtools } = useViewsOnDouble();

// Spanish, whose words take more room than English ones. Everything else is the same.
test.each(scriptedViews)('$name fits every window with its action in reach, and axe finds no fault', async (view) => {
  await openView(on.page, on.api, view, 'es');
  if (!view.act) expect.soft(await jump(on.page), 'nothing jumps while it loads').toBeUndefined();
  const found = await misfitsOf(on.page, devtools(), view.name);
  for (const [name, misfit] of Object.entries(found)) expect.soft(misfit, name).toBeUndefined();
  expect(await objections(on.page)).toEqual([]);
});

test('English words fit a small phone with text of twice the size', async () => {
  expect(await wordsThatDoNotFit(on, devtools(), distinctViews, 'sandbox')).toEqual([]);
});
