/** The languages that a patient can be spoken to in; the first is for whoever asks for none of them. */
export const locales = ['en', 'es'] as const;
export type Locale = (typeof locales)[number];

/** One element of an Accept-Language header, `es-US;q=0.8`; a weight that cannot be read is none. */
function rangeOf(element: string): { language: string | undefined; quality: number } {
  const [tag = '', weight = 'q=1'] = element.split(';').map((part) => part.trim().toLowerCase());
  const [, quality = '0'] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(weight) ?? [];
  return { language: tag.split('-')[0], quality: Number(quality) };
}

/** The language to answer in, by the quality values of RFC 9110 §12.5.4; between equals, the one that is named first. Any region of ours will do. */
export function preferredLocale(acceptLanguage: string | undefined): Locale {
  const ranges = (acceptLanguage ?? '').split(',').map(rangeOf);
  const isNamed = (locale: Locale) => ranges.some(({ language }) => language === locale);
  for (const { language } of ranges
    .filter(({ quality }) => quality > 0)
    .toSorted((left, right) => right.quality - left.quality)) {
    const found = locales.find((locale) => language === locale || (language === '*' && !isNamed(locale)));
    if (found) return found;
  }
  return locales[0];
}
