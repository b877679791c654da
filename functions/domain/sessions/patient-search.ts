import { namesOf, type Patient } from './session.ts';

/** What Unicode does not take apart into a letter and an accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
};

/**
 * What spellings of a name have in common: lower-case letters and digits, without accents, spaces or punctuation. "O’Neill"
 * and "oneill" are the same, and so are "De la Cruz" and "Delacruz".
 */
function searchable(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłıþ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** In characters. Row and index hold both keys. */
const longestKey = 40;

function keyOf(name: string): string {
  return Array.from(name).slice(0, longestKey).join('');
}

export interface NameKeys {
  readonly lastFirst?: string;
  readonly firstLast?: string;
}

/** The keys by which an index finds a patient. A person with one name has one. */
export function nameKeys(patient: Patient): NameKeys {
  const [first = '', last = ''] = namesOf(patient).map(searchable);
  const [lastFirst, firstLast] = [keyOf(last + first), keyOf(first + last)];
  return { ...(firstLast !== '' && { firstLast }), ...(lastFirst !== firstLast && { lastFirst }) };
}

/** The beginning of a key that the sought name has. Empty if nothing can be found by it. */
export function soughtKey(name: string): string {
  return keyOf(searchable(name));
}

/** Whether the full name begins like this, in either order. */
export function isNamed(patient: Patient, sought: string): boolean {
  const [first = '', last = ''] = namesOf(patient).map(searchable);
  return [first + last, last + first].some((name) => name.startsWith(searchable(sought)));
}

const amountInWords = /(?:^|\s)(?:\$\s?(?<dollars>\d[\d,]*(?:\.\d\d)?)|(?<plain>\d[\d,]*\.\d\d))(?=\s|$)/;

/** Takes an amount like $125 or 125.00 out of what somebody typed. A number alone is no amount: it may be an invoice's. */
export function splitAmount(text: string): { readonly words: string; readonly amountCents?: number } {
  const groups = amountInWords.exec(text)?.groups;
  if (!groups) return { words: text };
  const dollars = (groups['dollars'] ?? groups['plain'] ?? '').replaceAll(',', '');
  return { words: text.replace(amountInWords, ' ').trim(), amountCents: Math.round(Number(dollars) * 100) };
}

/** As typed, in capitals and in small letters. Case counts in an invoice ID, but a caller does not say it. */
export function invoiceSpellings(typed: string): string[] {
  return [...new Set([typed, typed.toUpperCase(), typed.toLowerCase()])];
}

/**
 * The receipt number that somebody typed or heard, as IDs have it: they have no I, L, O and U. Undefined if it cannot be
 * one.
 */
export function typedReceiptNumber(typed: string): string | undefined {
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  return /^[0-9A-HJKMNP-TV-Z]{10}$/.test(plain) ? plain : undefined;
}
