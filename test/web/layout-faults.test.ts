// @module-tag browser

import { expect, test } from 'vitest';
import { usePageOnDouble } from './page-on-double.ts';
import { layoutFaults } from './layout-faults.ts';

const on = usePageOnDouble();

const button = (size: number, text: string) =>
  `<button style="width: ${size}px; height: ${size}px; padding: 0; margin: 0; border: 0">${text}</button>`;

test.each([
  ['two small targets side by side', `${button(12, 'a')}${button(12, 'b')}`, ['too small', 'too small']],
  ['targets that are large enough', `${button(24, 'a')}${button(24, 'b')}`, []],
  ['a small target with a circle of its own', `${button(12, 'a')}<p style="height: 4rem"></p>${button(12, 'b')}`, []],
  ['links in a sentence', '<p>Read the <a href="#a">one</a> <a href="#b">two</a> pages before you start.</p>', []],
  [
    'a part that no key scrolls',
    '<div style="width: 50px; overflow: auto"><p style="width: 200px">a</p></div>',
    ['no key scrolls'],
  ],
  [
    'a part that a key scrolls',
    '<div tabindex="0" style="width: 50px; overflow: auto"><p style="width: 200px">a</p></div>',
    [],
  ],
])('the faults of %s are found', async (_, html, expected) => {
  await on.page.setContent(`<html><body>${html}</body></html>`);
  const faults = await layoutFaults(on.page);
  expect(faults.map((fault) => fault.split(':')[0])).toEqual(expected);
});
