// @module-tag browser

import { expect, test } from 'vitest';
import { objections } from './axe.ts';
import { hiddenAction, misfits, smallTargets, wordsThatDoNotFit, type Misfit } from './fit.ts';
import { useViewsOnDouble } from './views-on-double.ts';
import { liveViews, openView } from './views-table.ts';

const { on, devtools } = useViewsOnDouble('live');

// Spanish, as in every-view.test.ts.
test.each(liveViews)('$name fits every window with its action in reach, and axe finds no fault', async (view) => {
  await openView(on.page, on.api, view, 'es');
  const found: Record<string, Misfit> = {
    'action without scrolling': await hiddenAction(on.page, { scroll: false }),
    targets: await smallTargets(on.page),
    ...(await misfits(on.page, devtools())),
  };
  for (const [name, misfit] of Object.entries(found)) expect.soft(misfit, name).toBeUndefined();
  await on.page.evaluate(() => window.scrollTo(0, 0));
  expect(await objections(on.page)).toEqual([]);
});

test('English words fit a small phone with text of twice the size', async () => {
  expect(await wordsThatDoNotFit(on, devtools(), liveViews, 'live')).toEqual([]);
});
