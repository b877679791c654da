/** The languages of everything a patient reads; the first is the default. */
export const locales = ['en', 'es'] as const;
export type Locale = (typeof locales)[number];

/** The best match for an Accept-Language header (RFC 9110 §12.5.4). The first named wins a tie; regions are ignored. */
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

/** Parses one element of an Accept-Language header, such as `es-US;q=0.8`. An invalid weight counts as 0. */
function rangeOf(element: string): { language: string | undefined; quality: number } {
  const [tag = '', weight = 'q=1'] = element.split(';').map((part) => part.trim().toLowerCase());
  const [, quality = '0'] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(weight) ?? [];
  return { language: tag.split('-')[0], quality: Number(quality) };
}
