// @module-tag browser

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { legalDocument, legalPages, locales } from '../../functions/domain/locale.ts';
import { buildLegalPages } from '../../lib/build/pages.ts';
import { objections } from './axe.ts';
import { usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();
const pages = legalPages.flatMap((page) => locales.map((locale) => [page, locale] as const));

test('a page that the payment page links to opens in a tab of its own, and the payment page keeps its step', async () => {
  await on.visit(sessions.opened, '/s/the-token?lang=es#sandbox_bank');
  const opened = on.page.waitForEvent('popup');
  await on.page.locator('footer a[href^="/privacy"]').click();
  const tab = await opened;
  await tab.waitForLoadState();
  expect(new URL(tab.url()).pathname).toBe('/privacy');
  expect(await tab.locator('html').getAttribute('lang')).toBe('es');
  expect(await tab.evaluate(() => [document.referrer, opener])).toEqual(['', null]);
  await tab.close();
  expect(await on.page.locator('#test-user').count()).toBe(1);
});

describe.each(pages)('the page %s in "%s"', (page, locale) => {
  test('fits a small phone, and axe finds no fault in light and dark', async () => {
    await on.page.setViewportSize({ width: 320, height: 568 });
    await on.page.goto(`${on.api.url}/${page}?lang=${locale}`);
    expect(await on.page.locator('html').getAttribute('lang')).toBe(locale);
    expect(await on.page.locator('h1').innerText()).toBe(await on.page.title());
    expect(await on.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    // A refused style would leave the browser's own width.
    expect(await on.page.evaluate(() => getComputedStyle(document.body).maxWidth)).not.toBe('none');
    expect(await objections(on.page)).toEqual([]);
  });
});

test('a page leads to itself in the other language and back', async () => {
  const languages = { en: 'English', es: 'Español' };
  const titles: string[] = [];
  await on.page.goto(`${on.api.url}/privacy?lang=en`);
  for (const next of ['es', 'en'] as const) {
    titles.push(await on.page.title());
    const other = on.page.getByRole('link', { name: languages[next] });
    expect(await other.evaluate((element: HTMLAnchorElement) => [element.lang, element.hreflang])).toEqual([
      next,
      next,
    ]);
    await other.click();
    await on.page.locator(`html[lang=${next}]`).waitFor();
    expect(new URL(on.page.url()).pathname).toBe('/privacy');
  }
  expect(await on.page.title()).toBe(titles[0]);
});

/** One string for each page and language. */
async function builtFor(operator: Parameters<typeof buildLegalPages>[1]): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'legal-pages-'));
  try {
    await buildLegalPages(directory, operator);
    return await Promise.all(
      pages.map(([page, locale]) => readFile(join(directory, legalDocument(page, locale)), 'utf8')),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
}

test('each page has a title of its own in each language', async () => {
  const titles = (await builtFor({})).map((html) => /<title>(.+?)<\/title>/.exec(html)?.[1]);
  expect(titles).not.toContain(undefined);
  expect(new Set(titles).size).toBe(pages.length);
});

describe('the operator', () => {
  const textOf = async (operator: Parameters<typeof buildLegalPages>[1]) => (await builtFor(operator)).join('');

  test('is named, and every page has the address', async () => {
    const text = await textOf({ name: '<b>Harbor & Sons</b> $&', email: 'help@harbor.example' });
    expect(text.split('&lt;b&gt;Harbor &amp; Sons&lt;/b&gt; $&amp; ')).toHaveLength(5);
    expect(text.split('href="mailto:help@harbor.example"')).toHaveLength(7);
    expect(text).not.toContain('{{');
  });

  test('without a name is called the payment service, and without an address patients are sent to the practice', async () => {
    const text = await textOf({});
    expect(text).toContain('A payment service runs that page');
    expect(text).not.toMatch(/mailto:|\{\{|undefined/);
    expect(text.split(/number on your bill|aparece en su factura/)).toHaveLength(7);
  });
});

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
