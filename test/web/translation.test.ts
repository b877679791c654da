// @module-tag browser

import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';
import { useDashboardOnDouble } from './dashboard/dashboard-on-double.ts';

const on = usePageOnDouble();
const minute = 60_000;
const start = Date.parse('2026-11-20T15:00:00Z');
const endingIn = (minutes: number) => ({ expiresAt: new Date(start + minutes * minute).toISOString() });
const reload = () => on.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

describe('a page that the browser translated', () => {
  test('counts the time that is left', async () => {
    await on.stopClock(start);
    on.api.now = () => start;
    await on.visit({ ...sessions.opened, ...endingIn(30) });
    await translate(on.page);
    await on.expectText('«You have 30 minutes left to finish.»');
    await on.pass(1_000);
    await on.expectText('You have 29 minutes left to finish.');
    await translate(on.page);
    await on.pass(minute);
    await on.expectText('You have 28 minutes left to finish.');
    expect(await on.text()).not.toMatch(/30 minutes|29 minutes/);
  });

  test('shows the account that the authorization names, after another one is connected', async () => {
    await on.visit(sessions.connected);
    await on.expectText('6789');
    await translate(on.page);
    const { authorization, bankAccount } = sessions.connected;
    if (!authorization || !bankAccount) throw new Error('A bank is connected.');
    const text = authorization.text.replace('6789', '2164');
    on.api.session = {
      ...sessions.connected,
      bankAccount: { ...bankAccount, last4: '2164' },
      authorization: { ...authorization, id: 'authorization-2', text },
    };
    await reload();
    await on.expectText('ending in 2164');
    expect(await on.text()).not.toContain('6789');
  });

  test('keeps the words of the authorization as they are hashed', async () => {
    await on.visit(sessions.connected);
    await translate(on.page);
    await on.expectText('«');
    const words = await on.page.locator('.authorization').textContent();
    expect(words).toBe(sessions.connected.authorization?.text);
    await on.visit(sessions.paid);
    await translate(on.page);
    for (const printed of await on.page.locator('[lang="en"][translate="no"]').allTextContents())
      expect(printed).toBe(sessions.paid.receipt?.authorizationText);
  });

  test.each(['owed', 'opened', 'connected', 'submitted', 'paid', 'returned'] as const)(
    'that shows the session %s shows the next state without words of the last one',
    async (state) => {
      await on.visit(sessions[state]);
      const others = (['connected', 'submitted', 'paid', 'opened'] as const).filter((next) => next !== state);
      for (const next of others) {
        await translate(on.page);
        on.api.session = sessions[next];
        await reload();
        await expect.poll(() => on.page.locator('h1').textContent()).not.toContain('«');
      }
    },
  );
});

/** Does what Chrome's translator does: replaces each text node with two elements that have other words. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
    for (const text of texts) {
      const kept = text.parentElement?.closest('script, style, textarea, option, [translate="no"], .notranslate, font');
      if (kept !== null || text.data.trim() === '') continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.textContent = `«${text.data}»`;
      outer.append(inner);
      text.replaceWith(outer);
    }
  });
}

const dashboard = useDashboardOnDouble();

test('a form that the browser translated says what it says of the value typed last', async () => {
  await dashboard.open('/settings/practice');
  const color = dashboard.page.locator('.color-field input').first();
  await color.fill('#000000');
  await dashboard.expectText('Text on it is white. It is hard to see on dark pages');
  await translate(dashboard.page);
  await dashboard.expectText('«Text on it is white. It is hard to see on dark pages');
  await color.fill('#ffffff');
  await dashboard.expectText('Text on it is black. It is hard to see on light pages');
  await translate(dashboard.page);
  await color.fill('#000000');
  await dashboard.expectText('Text on it is white. It is hard to see on dark pages');
});
