import { en, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';

/** Set when the page is built: every language has a document and a script of its own, which holds no other language's texts. */
declare const builtFor: 'en' | 'es';

export const language = builtFor;
export const texts: Texts = builtFor === 'es' ? es : en;
export const intlLocale = `${builtFor}-US`;

/** The language that the page can be switched to. */
export const otherLanguage = builtFor === 'es' ? 'en' : 'es';
export const otherLanguageName = builtFor === 'es' ? 'English' : 'Español';
