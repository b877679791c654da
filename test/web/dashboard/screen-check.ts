import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { layoutObjections, objections } from '../axe.ts';

/** Of an open dialog, only the dialog is checked: the screen behind it has its own test. */
export async function expectAccessibleAtEveryWidth(page: Page): Promise<void> {
  // Alerts that arrive while axe runs would move what it looks at.
  await expect.poll(() => page.evaluate(areAnswersRead)).toBe(true);
  const part = (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : undefined;
  for (const width of [1280, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(widest, `at ${width} pixels`).toBeLessThanOrEqual(width);
    // The markup and the colors are the same at every width.
    if (width === 1280) expect.soft(await objections(page, part)).toEqual([]);
    if (width === 390) expect.soft(await layoutObjections(page, part), 'on a phone').toEqual([]);
  }
}

/** Runs in the page. */
function areAnswersRead(): boolean {
  const { requests = [] } = globalThis as { requests?: readonly { isRead: boolean }[] };
  return requests.every(({ isRead }) => isRead);
}
