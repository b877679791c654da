import { brandColors } from '../hosted-page/brand.ts';

/** What the payment page makes of a color so that everybody can read it. */
export function colorHint(color: string): string | undefined {
  const colors = brandColors(color);
  if (!colors) return undefined;
  const words = `Words on it are ${colors.onBrand === '#ffffff' ? 'white' : 'black'}.`;
  const faint = [...(colors.edgeOnLight === color ? [] : ['light']), ...(colors.edgeOnDark === color ? [] : ['dark'])];
  if (faint.length === 0) return words;
  return `${words} It is hard to see on ${faint.join(' and ')} pages, so buttons get a gray edge there.`;
}
