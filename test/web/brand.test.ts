import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brandColors } from '../../web/hosted-page/brand.ts';

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [one, other].map(relativeLuminance).sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function relativeLuminance(color: string): number {
  const number = Number.parseInt(color.slice(1), 16);
  const linear = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(number >> 16) + 0.7152 * linear((number >> 8) & 255) + 0.0722 * linear(number & 255);
}

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

describe("a practice's color", () => {
  test('always has text with a contrast of at least 4.5 to 1', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const colors = brandColors(color);
        expect(contrast(color, colors?.onBrand ?? color)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  test('always has an edge with a contrast of at least 3 to 1 against the page, light and dark', async () => {
    const style = await readFile(join(import.meta.dirname, '../../web/hosted-page/styles/base.css'), 'utf8');
    const grounds = [...style.matchAll(/--(?:paper|ground): (#[\da-f]{6});/g)].map(([, ground = '']) => ground);
    expect(grounds).toHaveLength(4);
    fc.assert(
      fc.property(anyColor, (color) => {
        const colors = brandColors(color);
        for (const ground of grounds.slice(0, 2))
          expect(contrast(ground, colors?.edgeOnLight ?? ground)).toBeGreaterThanOrEqual(3);
        for (const ground of grounds.slice(2))
          expect(contrast(ground, colors?.edgeOnDark ?? ground)).toBeGreaterThanOrEqual(3);
      }),
    );
  });

  test('has white text if dark and black text if light', () => {
    expect(brandColors('#1d4ed8')?.onBrand).toBe('#ffffff');
    expect(brandColors('#fde047')?.onBrand).toBe('#000000');
  });

  test('can have three digits', () => {
    expect(brandColors('#fd4')).toEqual({
      brand: '#fd4',
      onBrand: '#000000',
      edgeOnLight: '#4b5563',
      edgeOnDark: '#fd4',
    });
  });

  test.each(['', 'teal', '#12', '#12345', 'rgb(0, 0, 0)', '#ggg', 'url(https://elsewhere.example)'])(
    'cannot be "%s"',
    (color) => {
      expect(brandColors(color)).toBeUndefined();
    },
  );
});
