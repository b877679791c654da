import type { SessionView } from '../../functions/contract/sessions/session-view.ts';
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

export function formatAmount({ amountCents, currency }: Pick<SessionView, 'amountCents' | 'currency'>): string {
  return (amountCents / 100).toLocaleString(intlLocale, { style: 'currency', currency });
}

export function formatTime(time: string): string {
  const clock = new Date(time).toLocaleTimeString(intlLocale, {
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return `${formatDate(time)}, ${unbroken(clock)}`;
}

export function formatDate(day: string): string {
  const timeZone = day.includes('T') ? undefined : 'UTC';
  return unbroken(
    new Date(day).toLocaleDateString(intlLocale, { year: 'numeric', month: 'short', day: 'numeric', timeZone }),
  );
}

function unbroken(words: string): string {
  return words.replace(/ /g, '\u00a0');
}

const units = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

export function formatDuration(milliseconds: number): string {
  const [unit, length] = units.find(([, size]) => milliseconds >= size) ?? [];
  if (unit === undefined) return texts.timeLeft.underAMinute;
  const count = Math.floor(milliseconds / length);
  const [one, many] = texts.timeLeft[unit];
  return `${count} ${count === 1 ? one : many}`;
}

export function formatBankAccount({ bankName, accountType, last4 }: NonNullable<SessionView['bankAccount']>): string {
  return texts.accounts[accountType](bankName, last4);
}

/** Shows only the initial before a bank sign-in: the link may have been forwarded. */
export function formatPatient({
  firstName,
  lastNameInitial,
  lastName = lastNameInitial && `${lastNameInitial}.`,
}: NonNullable<SessionView['patient']>): string {
  return `${firstName} ${lastName}`.trimEnd();
}

/** Isolates a name: a right-to-left name would reorder the words around it. */
export function practiceName({ receipt, practice }: SessionView): string {
  const { name } = receipt?.practice ?? practice;
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;
}

export function nameSize(name: string, most: number): 'long-name' | '' {
  return name.length > most ? 'long-name' : '';
}
