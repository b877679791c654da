export const locales = ['en', 'es'] as const;
export type Locale = (typeof locales)[number];

export const pageDocuments: Readonly<Record<Locale, string>> = { en: 'index.html', es: 'index.es.html' };

/** Our own legal pages, served under these paths for practices that have none. */
export const legalPages = ['privacy', 'terms', 'accessibility'] as const;

export function legalDocument(page: (typeof legalPages)[number], locale: Locale): string {
  return locale === 'en' ? `${page}.html` : `${page}.${locale}.html`;
}

/** RFC 9110, 12.5.4. Also runs at CloudFront: no destructuring, no `toSorted`. */
export function preferredLocale(acceptLanguage: string | undefined): Locale {
  const ranges = (acceptLanguage ?? '').split(',').map(rangeOf);
  const unnamed = locales.find((locale) => !ranges.some((range) => range.language === locale));
  let best: { locale: Locale; quality: number } = { locale: locales[0], quality: 0 };
  ranges.forEach((range) => {
    const locale = range.language === '*' ? unnamed : locales.find((each) => each === range.language);
    if (locale !== undefined && range.quality > best.quality) best = { locale: locale, quality: range.quality };
  });
  return best.locale;
}

function rangeOf(element: string): { language: string | undefined; quality: number } {
  const parts = element.split(';').map((part) => part.trim().toLowerCase());
  const weight = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parts[1] ?? 'q=1');
  return { language: parts[0]?.split('-')[0], quality: Number(weight?.[1] ?? 0) };
}
