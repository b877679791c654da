// @module-tag browser

import { describe, expect, test } from 'vitest';
import { usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();
const returnUrl = 'https://lakeside.example/bills?from=payment';
const link = () => on.page.locator('main a.plain');

describe('the link back to the practice', () => {
  test('tells the other site nothing about the page', async () => {
    await on.page.route('https://lakeside.example/**', (route) => route.fulfill({ body: 'Welcome back' }));
    await on.visit({ ...sessions.paid, returnUrl });
    const asked = on.page.waitForRequest('https://lakeside.example/**');
    await link().click();
    const request = await asked;
    expect(request.url()).toBe(returnUrl);
    expect(await request.allHeaders()).not.toHaveProperty('referer');
    await on.page.getByText('Welcome back').waitFor();
    expect(await on.page.evaluate(() => [document.referrer, opener as unknown])).toEqual(['', null]);
    expect(on.faults.splice(0)).toEqual(['asks lakeside.example']);
  });

  test('is not on paper', async () => {
    await on.visit({ ...sessions.paid, returnUrl });
    await on.page.emulateMedia({ media: 'print' });
    expect(await link().isVisible()).toBe(false);
  });
});
