import { plainText } from '../plain-text.ts';

const maximumLength = 40;

const group = String.raw`(?:\d|\(\d(?:[ -]?\d)*\))`;
/** A space and a punctuation mark are alternatives, so that a long text is refused quickly. */
const groups = String.raw`${group}(?:(?: | ?[./-] ?)?${group})*`;
const countryCode = String.raw`(?:\+ ?(?=\(?[1-9])|\(\+[1-9]\d{0,2}\) ?)`;
const digits = new RegExp(`^${countryCode}?${groups}$`);

const label = String.raw`(?:ext(?:ensi[oó]n|n)?|x|#)[.:=]? ?(\d{1,7})`;
const extension = new RegExp(String.raw`(?: ?[,;-])? ?(?:\(${label}\)|${label})$`, 'iu');

/** As it is stored and shown: without what nobody sees, and with plain digits, spaces and hyphens. */
export function plainPhoneNumber(text: string): string {
  return plainText(text).replaceAll(/\s+/g, ' ').trim();
}

/** Accepts every country's numbers: 7 digits dial within a city, and E.164 allows at most 15. */
export function isPhoneNumber(plain: string): boolean {
  if (plain.length > maximumLength) return false;
  const { number } = partsOf(plain);
  const count = number.replaceAll(/\D/g, '').length;
  return digits.test(number) && count >= 7 && count <= 15;
}

/** What a phone dials, as in RFC 3966. Also for numbers that were stored before they were checked; undefined if too short. */
export function phoneUri(stored: string): string | undefined {
  const parts = partsOf(plainPhoneNumber(stored));
  const isInternational = /^\(?\+/.test(parts.number);
  // The zero is dialed only within the country.
  const dialed = (isInternational ? parts.number.replace('(0)', '') : parts.number).replaceAll(/\D/g, '');
  if (dialed.length < 7) return undefined;
  return `tel:${isInternational ? '+' : ''}${dialed}${parts.extension === undefined ? '' : `;ext=${parts.extension}`}`;
}

function partsOf(plain: string): { readonly number: string; readonly extension: string | undefined } {
  const found = extension.exec(plain);
  return { number: plain.slice(0, found?.index), extension: found?.[1] ?? found?.[2] };
}
