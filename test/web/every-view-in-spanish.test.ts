// @module-tag browser

import { expect, test } from 'vitest';
import { misfitsOf } from './fit.ts';
import { useViewsOnDouble } from './views-on-double.ts';
import { openView, scriptedViews } from './views-table.ts';

const { on, devtools } = useViewsOnDouble();

// Only the words differ from English, where axe inspects these views.
test.each(scriptedViews)('in Spanish $name fits every window with its action in reach', async (view) => {
  await openView(on.page, on.api, view, 'es');
  const found = await misfitsOf(on.page, devtools(), view.name);
  for (const [name, misfit] of Object.entries(found)) expect.soft(misfit, name).toBeUndefined();
});
