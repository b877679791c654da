/** WCAG's relative luminance of a colour given as `#rgb` or `#rrggbb`; undefined for anything else. */
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

export interface BrandColors {
  readonly brand: string;
  /** Text on the brand colour: black or white, whichever reads better; never below 4.5:1. */
  readonly onBrand: string;
  /** The edge of what is filled with the brand colour: at least 3:1 against the white page. */
  readonly brandEdge: string;
}

/** A practice's colour made legible (WCAG 2.2, 1.4.3 and 1.4.11); undefined where it is no hexadecimal colour. */
export function brandColors(primaryColor: string): BrandColors | undefined {
  const light = luminance(primaryColor);
  if (light === undefined) return undefined;
  const againstWhite = 1.05 / (light + 0.05);
  const againstBlack = (light + 0.05) / 0.05;
  return {
    brand: primaryColor,
    onBrand: againstWhite >= againstBlack ? '#ffffff' : '#000000',
    brandEdge: againstWhite >= 3 ? primaryColor : '#4b5563',
  };
}
