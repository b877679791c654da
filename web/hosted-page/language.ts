import { bankPickerEn, bankPickerEs, sandboxBankEn, sandboxBankEs } from './texts/banks.ts';
import { en, type Texts } from './texts/en.ts';
import { es } from './texts/es.ts';

declare const builtFor: 'en' | 'es';

export const language = builtFor;
export const texts: Texts = builtFor === 'es' ? es : en;
export const sandboxBankTexts = builtFor === 'es' ? sandboxBankEs : sandboxBankEn;
export const bankPickerTexts = builtFor === 'es' ? bankPickerEs : bankPickerEn;
export const intlLocale = `${builtFor}-US`;

export const otherLanguage = builtFor === 'es' ? 'en' : 'es';
export const otherLanguageName = builtFor === 'es' ? 'English' : 'Español';
