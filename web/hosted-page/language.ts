import { en, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';

const languages = {
  en: { texts: en, intlLocale: 'en-US', ownName: 'English' },
  es: { texts: es, intlLocale: 'es-US', ownName: 'Español' },
} satisfies Record<string, { texts: Texts; intlLocale: string; ownName: string }>;

/** The language of the document that was loaded; there is one per language. */
export const language = document.documentElement.lang === 'es' ? 'es' : 'en';
export const { texts, intlLocale } = languages[language];

/** The language that the page can be switched to. */
export const otherLanguage = language === 'es' ? 'en' : 'es';
export const otherLanguageName = languages[otherLanguage].ownName;
