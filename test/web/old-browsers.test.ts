// @module-tag browser

import { afterEach, describe, expect, test } from 'vitest';
import { connectBank, mainAction } from './journey.ts';
import { soon, usePageOnDouble } from './page-on-double.ts';
import * as sessions from './sessions.ts';

const on = usePageOnDouble();
const call = 'Call Lakeside Family Dental: (555) 010-0142';
const link = () => `${on.api.url}/s/the-token`;

async function expectHelp(): Promise<void> {
  await on.page.getByRole('link', { name: call }).waitFor();
  expect(await on.page.getByRole('link', { name: call }).getAttribute('href')).toBe('tel:5550100142');
  expect(await on.text()).toContain('Reload it, open the link in another browser, or call the practice');
  expect(await on.text()).not.toMatch(/Loading|Check your connection/);
}

/** Runs in the page. Removes what iOS 12.2, Chrome 66 and Firefox 60 lack. */
function removeNewerFunctions(): void {
  const newer: readonly (readonly [object, string])[] = [
    [Element.prototype, 'replaceChildren toggleAttribute checkVisibility getAnimations moveBefore'],
    [Document.prototype, 'replaceChildren getAnimations'],
    [DocumentFragment.prototype, 'replaceChildren'],
    [String.prototype, 'replaceAll matchAll at isWellFormed toWellFormed'],
    [Array.prototype, 'at findLast findLastIndex toSorted toReversed toSpliced with'],
    [Object, 'hasOwn groupBy fromEntries'],
    [Promise, 'allSettled any try withResolvers'],
    [AbortSignal, 'timeout any abort'],
    [Intl, 'PluralRules RelativeTimeFormat ListFormat DurationFormat DisplayNames Locale'],
    [
      window,
      'queueMicrotask structuredClone PointerEvent ResizeObserver IntersectionObserver requestIdleCallback print',
    ],
    [navigator, 'share clipboard'],
    [Navigator.prototype, 'share canShare clipboard'],
  ];
  for (const [owner, names] of newer) for (const name of names.split(' ')) Reflect.deleteProperty(owner, name);
  const { NumberFormat } = Intl;
  Object.assign(Intl, {
    NumberFormat: function (locale: string, options: Intl.NumberFormatOptions) {
      if (options.style === 'unit') throw new RangeError('Value unit out of range');
      return new NumberFormat(locale, options);
    },
  });
}

test('a browser without newer functions leads through the whole journey', async () => {
  await on.startDocumentsWith(removeNewerFunctions);
  Object.assign(on.api.answers, {
    openSession: () => (on.api.session?.openedAt === undefined ? sessions.opened : on.api.session),
    connectBank: () => sessions.connected,
    authorizePayment: () => sessions.submitted,
  });
  await on.visit({ ...sessions.owed, expiresAt: new Date(Date.now() + 86_400_000).toISOString() });
  expect(await on.page.evaluate('[typeof "".replaceAll, typeof document.body.replaceChildren]')).toEqual([
    'undefined',
    'undefined',
  ]);
  await on.expectView('$182.50');
  await connectBank(on.page, 'user_good');
  await on.expectView('Review and authorize');
  await expect.poll(() => mainAction(on.page).getAttribute('aria-disabled'), soon).toBe('false');
  await mainAction(on.page).click();
  await on.expectView('Payment submitted');
  on.api.session = sessions.paid;
  await on.page.locator('.receipt').waitFor();
  await on.page.reload();
  await on.expectView('Paid');
});

/** What Safari 13 and Chrome 78 do not understand. */
function withoutNewerStyles(style: string): string {
  return style
    .replaceAll(/@supports[^{]+\{([^{}]*\{[^{}]*\})*\}/g, '')
    .replaceAll(/[^{}]*:has\([^{}]*\{[^{}]*\}/g, '')
    .replaceAll(/(?<=[;{])(inset|(margin|padding)-(block|inline)|[\w-]+:[^;{}]*\b(min|clamp)\()[^;{}]*/g, '');
}

test('a browser without newer styles covers no button, and keeps margins and a large amount', async () => {
  await on.page.route('**/s/**', async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replace(/<meta http-equiv.*?>/, '');
    await route.fulfill({ response, body: html.replace(/(?<=<style>).*?(?=<\/style>)/s, withoutNewerStyles) });
  });
  await on.visit(sessions.connected);
  await on.page.getByRole('button', { name: 'Read the whole authorization' }).waitFor();
  const hit = await mainAction(on.page).evaluate((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === button;
  });
  const sizes = await on.page.evaluate(() =>
    ['#page', '.card', '.amount'].map((name) => {
      const { paddingLeft, fontSize } = getComputedStyle(document.querySelector(name) ?? document.body);
      return [paddingLeft, fontSize];
    }),
  );
  expect({ hit, sizes }).toEqual({
    hit: true,
    sizes: [
      ['16px', '16px'],
      ['20px', '16px'],
      ['0px', '32px'],
    ],
  });
});

describe('a browser without', () => {
  test('AbortController tells whom to call', async () => {
    await on.startDocumentsWith('delete window.AbortController');
    on.api.session = sessions.owed;
    await on.page.goto(link());
    await expectHelp();
  });

  test('fetch says what to do, and throws nothing', async () => {
    await on.startDocumentsWith('delete window.fetch');
    await on.page.goto(link());
    await on.expectText('or call the practice that sent you this link');
    expect(await on.text()).not.toMatch(/Loading|Check your connection/);
    expect(await on.page.locator('.help a:visible').allInnerTexts()).toEqual(['Reload this page']);
  });
});

describe('a main script that', () => {
  afterEach(() => expect(on.faults.splice(0)).toHaveLength(1));

  test.each([
    ['cannot be parsed', '?.;'],
    ['throws', 'throw new TypeError("x is not a function");'],
    ['rejects', 'Promise.reject(new TypeError("x is not a function"));return;'],
  ])('%s leaves the practice to call', async (_, fault) => {
    on.api.session = sessions.owed;
    await on.page.route('**/s/**', async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replace(/<meta http-equiv.*?>/, '');
      await route.fulfill({ response, body: html.replace('window.sentAhead&&function(){', (all) => all + fault) });
    });
    await on.page.goto(link());
    await expectHelp();
    expect(on.callsOf('getSession')).toHaveLength(1);
  });

  test('is refused by the policy, as any script that is not in the document, leaves the practice to call', async () => {
    on.api.session = sessions.owed;
    await on.page.route('**/s/**', async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      await route.fulfill({ response, body: html.replace('window.sentAhead&&', (all) => ` ${all}`) });
    });
    await on.page.goto(link());
    await on.expectText('Loading');
    expect(await on.page.getByRole('link', { name: call }).isVisible()).toBe(false);
    await on.page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
    await on.page.getByRole('link', { name: call }).waitFor();
  });
});

test('a script of the app around the page that throws does not stop the page', async () => {
  const { promise: shown, resolve: show } = Promise.withResolvers<void>();
  on.api.answers.getSession = () => shown.then(() => sessions.owed);
  await on.startDocumentsWith(() => addEventListener('DOMContentLoaded', () => Reflect.get({}, 'app').autofill()));
  await on.page.goto(link());
  await on.expectText('Reload it');
  show();
  await on.expectView('$182.50');
  expect(on.faults.splice(0)).toHaveLength(1);
});

test('nothing that is put into the page runs', async () => {
  await on.visit(sessions.owed);
  await on.page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = "inline"';
    const file = document.createElement('script');
    file.src = '/injected.js';
    const refused = new Promise((resolve) => (file.onerror = resolve));
    document.body.append(script, file);
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="data:," onerror="window.injected = 1" style="color: red">',
    );
    await refused;
  });
  expect(await on.page.evaluate('window.injected')).toBeUndefined();
  expect(on.faults.splice(0).filter((fault) => fault.includes('Content Security Policy')).length).toBeGreaterThan(2);
});
