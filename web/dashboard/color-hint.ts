import { brandColors } from '../hosted-page/brand.ts';

/** Says how the payment page keeps text and buttons in this color readable. */
export function colorHint(color: string): string | undefined {
  const colors = brandColors(color);
  if (!colors) return undefined;
  const words = `Text on it is ${colors.onBrand === '#ffffff' ? 'white' : 'black'}.`;
  const faint = [...(colors.edgeOnLight === color ? [] : ['light']), ...(colors.edgeOnDark === color ? [] : ['dark'])];
  if (faint.length === 0) return words;
  return `${words} It is hard to see on ${faint.join(' and ')} pages, so buttons get a gray edge there.`;
}
