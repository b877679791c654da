import type { Locale } from '../domain/locale.ts';

/** Without a locale, the page follows the browser's languages. */
export function hostedUrlOf(hostedPageUrl: string, token: string, locale: Locale | undefined): string {
  return `${hostedPageUrl}/s/${token}${locale === undefined ? '' : `?lang=${locale}`}`;
}
