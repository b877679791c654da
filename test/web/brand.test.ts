import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brandColors } from '../../web/hosted-page/brand.ts';

/** WCAG's contrast ratio, written a second time from the definition and for six digits only. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [one, other].map(relativeLuminance).sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function relativeLuminance(color: string): number {
  const number = Number.parseInt(color.slice(1), 16);
  const linear = (value: number) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(number >> 16) + 0.7152 * linear((number >> 8) & 255) + 0.0722 * linear(number & 255);
}

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

describe('a practice\'s colour', () => {
  test('leaves text on it with a contrast of at least 4.5 to 1, whatever the colour', () => {
    fc.assert(fc.property(anyColor, (color) => {
      const colors = brandColors(color);
      expect(contrast(color, colors?.onBrand ?? color)).toBeGreaterThanOrEqual(4.5);
    }));
  });

  test('has an edge with a contrast of at least 3 to 1 against the white page, whatever the colour', () => {
    fc.assert(fc.property(anyColor, (color) => {
      const colors = brandColors(color);
      expect(contrast('#ffffff', colors?.brandEdge ?? '#ffffff')).toBeGreaterThanOrEqual(3);
    }));
  });

  test('carries white text when dark and black text when light', () => {
    expect(brandColors('#1d4ed8')?.onBrand).toBe('#ffffff');
    expect(brandColors('#fde047')?.onBrand).toBe('#000000');
  });

  test('may be written with three digits', () => {
    expect(brandColors('#fd4')).toEqual({ brand: '#fd4', onBrand: '#000000', brandEdge: '#4b5563' });
  });

  test.each(['', 'teal', '#12', '#12345', 'rgb(0, 0, 0)', '#ggg', 'url(https://elsewhere.example)'])('is refused when written as "%s"', (color) => {
    expect(brandColors(color)).toBeUndefined();
  });
});
