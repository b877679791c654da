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

/** A browser wrote these pictures of 40 × 24 pixels. */
export const pictures = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAACgAAAAYCAYAAACIhL/AAAAARElEQVR4AezSsQkAIBAEQbHy71yL2OSDEQwXZLx7Zt7me8/y44H1gwgSrAK1t0GCVaD2NkiwCtTeBglWgdrbIMEqUPsPAAD//wwe6qMAAAAGSURBVAMAmrNQCWDgzxcAAAAASUVORK5CYII=',
    'base64',
  ),
  jpeg: Buffer.from(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAYACgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAID/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AmApiAAAAAAAAAA//2Q==',
    'base64',
  ),
  lossyWebp: Buffer.from(
    'UklGRkIAAABXRUJQVlA4IDYAAAAwAwCdASooABgAP3G202G0ryqmJWgCkC4JZwDQVA8KmggAAP7aJrZO2F+vWlubqAuIsgAAAAA=',
    'base64',
  ),
  losslessWebp: Buffer.from('UklGRhwAAABXRUJQVlA4TBAAAAAvJ8AFAAdQwChg/wMR0f8A', 'base64'),
  extendedWebp: Buffer.from(
    'UklGRnoAAABXRUJQVlA4WAoAAAAQAAAAJwAAFwAAQUxQSBQAAAABDzCAERFCSEB44P9aC/SI/kcJS1ZQOCBAAAAAEAMAnQEqKAAYAD9xosZZNKwoI7AIApAuCUAADmRqmpAAAP7aJvnY9K3/XrS3N2Q7D/gLzcNpI5lEiSUEA4AAAA==',
    'base64',
  ),
};
