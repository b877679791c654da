import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const phoneFont = await readFile(
  createRequire(import.meta.url).resolve('@fontsource-variable/roboto/files/roboto-latin-wght-normal.woff2'),
  'base64',
);

/** Sets the text in an Android phone's font: a server's is wider. A page's policy allows fonts and styles from script. */
export async function usePhoneFont(page: Page): Promise<void> {
  await page.evaluate(async (font) => {
    const bytes = Uint8Array.from(atob(font), (character) => character.charCodeAt(0));
    document.fonts.add(await new FontFace('phone', bytes, { weight: '100 900' }).load());
    const style = new CSSStyleSheet();
    style.replaceSync(':root { font-family: phone, sans-serif }');
    document.adoptedStyleSheets.push(style);
    dispatchEvent(new Event('resize'));
  }, phoneFont);
}
