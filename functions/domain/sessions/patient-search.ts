import { searchable } from '../plain-text.ts';
import { namesOf, type Patient } from './session.ts';

/** In characters. Row and index hold both keys. */
const longestKey = 40;

function keyOf(name: string): string {
  return Array.from(name).slice(0, longestKey).join('');
}

/** As keys have them: a name with two words is not told apart from two names. */
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

/** The keys by which an index finds a patient. Most have two, and a person with a single name has one. */
export function nameKeys(patient: Patient): NameKeys {
  const orders = ordersOf(patient);
  const [firstLast, lastFirst, lastWordFirst] = [orders.firstLast, orders.lastFirst, orders.lastWordFirst].map(keyOf);
  return {
    ...(firstLast !== '' && { firstLast }),
    ...(lastFirst !== firstLast && { lastFirst }),
    ...(lastWordFirst !== '' && { lastWordFirst }),
  };
}

/** The beginning of a key that the sought name has. Empty if nothing can be found by it. */
export function soughtKey(name: string): string {
  return keyOf(searchable(name));
}

/** Like `soughtKey`, for "María García", whose last names are "López García". Empty if it is one word. */
export function soughtLastWordKey(name: string): string {
  const words = wordsOf(name);
  return words.length > 1 ? keyOf(`${words.at(-1)}${words.slice(0, -1).join('')}`) : '';
}

/** Whether the full name begins like this, in any of its orders. */
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

/** Commas are between thousands only: "85,50" may be meant as 85.50. */
const whole = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)`;
const withSign = String.raw`\$\s?(?<dollars>${whole}(?:\.\d{1,2})?)`;
const withCents = String.raw`(?<decimal>${whole}\.\d{1,2})`;
const afterName = String.raw`(?<=\p{L}\S*\s+)(?<bare>${whole})$`;
const amountInWords = new RegExp(String.raw`(?:^|\s)(?:${withSign}|${withCents}|${afterName})(?=\s|$)`, 'u');

/**
 * Takes an amount like $125 or 125.50 out of what somebody typed, or a number at the end, after a name. A number alone is no
 * amount: it may be an invoice's.
 */
export function splitAmount(text: string): { readonly words: string; readonly amountCents?: number } {
  const groups = amountInWords.exec(text)?.groups;
  if (!groups) return { words: text };
  const dollars = (groups['dollars'] ?? groups['decimal'] ?? groups['bare'] ?? '').replaceAll(',', '');
  return { words: text.replace(amountInWords, ' ').trim(), amountCents: Math.round(Number(dollars) * 100) };
}

/**
 * As typed, in capitals, in small letters and with each word's first letter a capital: case counts in an invoice ID, but a
 * caller does not say it. Also with plain letters and hyphens: word processors type others, and so do keyboards for Chinese
 * and Japanese.
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

/**
 * The receipt number that somebody typed or heard, as IDs have it: they have no I, L, O and U. Undefined if it cannot be
 * one.
 */
export function typedReceiptNumber(typed: string): string | undefined {
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  return /^[0-9A-HJKMNP-TV-Z]{10}$/.test(plain) ? plain : undefined;
}
