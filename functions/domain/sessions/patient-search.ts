import { searchable } from '../plain-text.ts';
import { namesOf, type Patient } from './session.ts';

/** In characters. The row and the index each store both keys. */
const longestKey = 40;

function keyOf(name: string): string {
  return Array.from(name).slice(0, longestKey).join('');
}

/** The words as keys store them: one name with two words looks the same as two names. */
export function wordsOf(name: string): string[] {
  return name
    .split(/[\s\p{Pd}]+/u)
    .map(searchable)
    .filter((word) => word !== '');
}

/** `lastWordFirst` begins with the second of two last names, or with what follows "de la". Empty if there is one word. */
function ordersOf(patient: Patient) {
  const names = namesOf(patient);
  const [first = '', last = ''] = names.map(searchable);
  const words = wordsOf(names.at(-1) ?? '');
  return {
    firstLast: first + last,
    lastFirst: last + first,
    lastWordFirst: words.length > 1 ? `${words.at(-1)}${first}` : '',
  };
}

export interface NameKeys {
  readonly lastFirst?: string;
  readonly firstLast?: string;
  readonly lastWordFirst?: string;
}

/** The index keys that find a patient. Most patients have two; a person with a single name has one. */
export function nameKeys(patient: Patient): NameKeys {
  const orders = ordersOf(patient);
  const [firstLast, lastFirst, lastWordFirst] = [orders.firstLast, orders.lastFirst, orders.lastWordFirst].map(keyOf);
  return {
    ...(firstLast !== '' && { firstLast }),
    ...(lastFirst !== firstLast && { lastFirst }),
    ...(lastWordFirst !== '' && { lastWordFirst }),
  };
}

/** The key prefix that finds a name. Empty if the name cannot be searched for. */
export function soughtKey(name: string): string {
  return keyOf(searchable(name));
}

/** Like `soughtKey`, for "María García", whose last names are "López García". Empty for a single word. */
export function soughtLastWordKey(name: string): string {
  const words = wordsOf(name);
  return words.length > 1 ? keyOf(`${words.at(-1)}${words.slice(0, -1).join('')}`) : '';
}

/** Whether the full name, in any of its orders, begins with the sought name. */
export function isNamed(patient: Patient, sought: string): boolean {
  const orders = ordersOf(patient);
  const lastWord = soughtLastWordKey(sought);
  return (
    Object.values(orders).some((name) => name.startsWith(searchable(sought))) ||
    (lastWord !== '' && orders.lastWordFirst.startsWith(lastWord))
  );
}

/** Whether each word begins one of the names, in any order: “José” is in “María José”, and “Pérez” in “López Pérez García”. */
export function hasNames(patient: Patient, sought: string): boolean {
  const names = namesOf(patient).flatMap(wordsOf);
  const words = wordsOf(sought);
  return words.length > 0 && words.every((word) => names.some((name) => name.startsWith(word)));
}

/** Commas only separate thousands: "85,50" may mean 85.50. */
const whole = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)`;
const withSign = String.raw`\$\s?(?<dollars>${whole}(?:\.\d{1,2})?)`;
const withCents = String.raw`(?<decimal>${whole}\.\d{1,2})`;
const afterName = String.raw`(?<=\p{L}\S*\s+)(?<bare>${whole})$`;
const amountInWords = new RegExp(String.raw`(?:^|\s)(?:${withSign}|${withCents}|${afterName})(?=\s|$)`, 'u');

/**
 * Extracts an amount like $125 or 125.50 from what somebody typed, or a number at the end, after a name. A number alone is
 * not an amount: it may be an invoice ID.
 */
export function splitAmount(text: string): { readonly words: string; readonly amountCents?: number } {
  const groups = amountInWords.exec(text)?.groups;
  if (!groups) return { words: text };
  const dollars = (groups['dollars'] ?? groups['decimal'] ?? groups['bare'] ?? '').replaceAll(',', '');
  return { words: text.replace(amountInWords, ' ').trim(), amountCents: Math.round(Number(dollars) * 100) };
}

/**
 * As typed, and in upper, lower and title case: case matters in an invoice ID, but a caller does not say it. Also with ASCII
 * letters and hyphens: word processors, and keyboards for Chinese and Japanese, type other ones.
 */
export function invoiceSpellings(typed: string): string[] {
  const plain = typed.normalize('NFKC').replaceAll(/[\p{Pd}\u2212]/gu, '-');
  const spellings = [typed, plain].flatMap((text) => {
    const lower = text.toLowerCase();
    const capitalized = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
    return [text, text.toUpperCase(), lower, capitalized];
  });
  return [...new Set(spellings)];
}

/** Normalizes a receipt number that somebody typed or heard: IDs have no I, L, O or U. Undefined if it cannot be one. */
export function typedReceiptNumber(typed: string): string | undefined {
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  return /^[0-9A-HJKMNP-TV-Z]{10}$/.test(plain) ? plain : undefined;
}
