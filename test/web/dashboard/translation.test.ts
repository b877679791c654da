// @module-tag browser

import { expect, test } from 'vitest';
import { translate } from '../translate.ts';
import { soon, useDashboardOnDouble } from './dashboard-on-double.ts';

const on = useDashboardOnDouble();

test('a screen that the browser translated shows what changes', async () => {
  on.api.mode = 'live';
  await on.open('/payouts?month=2026-01');
  await on.expectText('January 2026');
  await translate(on.page);
  await on.expectText('«January 2026»');
  await on.page.getByRole('button', { name: 'Previous month' }).click();
  await on.expectText('December 2025');
  await expect.poll(() => on.page.locator('body').innerText(), soon).not.toContain('January 2026');
});

test('a dialog that the browser translated says how many sessions were exported', async () => {
  await on.open('/sessions');
  await on.button('Export CSV').click();
  await translate(on.page);
  await on.page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await on.page.getByRole('status').getByText('exported.').waitFor();
});
