function luminance(color: string): number | undefined {
  const digits = /^#(?:[\da-f]{3}){1,2}$/i.test(color) ? color.slice(1) : undefined;
  if (digits === undefined) return undefined;
  const width = digits.length / 3;
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((index) => {
    const part = digits.slice(index * width, (index + 1) * width);
    const channel = Number.parseInt(part.padStart(2, part), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

interface BrandColors {
  readonly brand: string;
  readonly onBrand: string;
  /** Has at least 3:1 contrast with the page. */
  readonly edgeOnLight: string;
  readonly edgeOnDark: string;
}

/** The background with the least contrast in each theme of styles/base.css. */
const light = { ground: '#f3f5f8', edge: '#4b5563' };
const dark = { ground: '#1a212c', edge: '#98a2b3' };

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** WCAG 2.2, 1.4.3 and 1.4.11. */
export function brandColors(primaryColor: string): BrandColors | undefined {
  const brand = luminance(primaryColor);
  if (brand === undefined) return undefined;
  const edgeOn = ({ ground, edge }: typeof light) =>
    contrast(brand, luminance(ground) ?? 0) >= 3 ? primaryColor : edge;
  return {
    brand: primaryColor,
    onBrand: contrast(brand, 1) >= contrast(brand, 0) ? '#ffffff' : '#000000',
    edgeOnLight: edgeOn(light),
    edgeOnDark: edgeOn(dark),
  };
}

/** Sets styles from script, because the content security policy refuses inline ones. */
export function applyBrand({ style }: HTMLElement, primaryColor: string): void {
  const colors = brandColors(primaryColor);
  if (!colors) return;
  style.setProperty('--brand', colors.brand);
  style.setProperty('--on-brand', colors.onBrand);
  style.setProperty('--edge-on-light', colors.edgeOnLight);
  style.setProperty('--edge-on-dark', colors.edgeOnDark);
}
