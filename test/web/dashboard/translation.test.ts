// @module-tag browser

import { test } from 'vitest';
import { translate } from '../translate.ts';
import { useDashboardOnDouble } from './dashboard-on-double.ts';

const on = useDashboardOnDouble();

test('a form that the browser translated says what it says of the value typed last', async () => {
  await on.open('/settings/practice');
  const color = on.page.locator('.color-field input').first();
  await color.fill('#000000');
  await on.expectText('Text on it is white. It is hard to see on dark pages');
  await translate(on.page);
  await on.expectText('«Text on it is white. It is hard to see on dark pages');
  await color.fill('#ffffff');
  await on.expectText('Text on it is black. It is hard to see on light pages');
  await translate(on.page);
  await color.fill('#000000');
  await on.expectText('Text on it is white. It is hard to see on dark pages');
});
