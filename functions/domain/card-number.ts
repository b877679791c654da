/** Visa; Mastercard; American Express; Diners Club; JCB; Discover; UnionPay. */
const cardNumber =
  /^(?:4\d{12}(?:\d{3}(?:\d{3})?)?|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d|2\d\d)\d{12,15})$/;
const longest = 19;
/** How cards print their digits. */
const asOnCard = /^(?:4 4 4 4(?: [1-3])?|4 6 [45]|8 8)$/;

interface Group {
  readonly digits: string;
  /** What stands between it and the group before. */
  readonly separator: string;
}

/** Takes ASCII digits. Any groups may be separated by spaces and dashes; those of a card by anything but letters. */
export function containsCardNumber(text: string): boolean {
  const parts = text.split(/(\d+)/);
  const groups = parts.flatMap((digits, index) =>
    index % 2 === 1 ? [{ digits, separator: parts[index - 1] ?? '' }] : [],
  );
  return groups.some((_, first) => startsWithCardNumber(groups.slice(first, first + longest)));
}

function startsWithCardNumber([first, ...others]: readonly Group[]): boolean {
  // The country code of a phone number.
  if (!first || first.separator.endsWith('+')) return false;
  if (isCardNumber(first.digits)) return true;
  let { digits } = first;
  let lengths = String(digits.length);
  let separators = '';
  for (const group of others) {
    if (!/^[^\p{L}\p{N}]{1,4}$/u.test(group.separator)) return false;
    digits += group.digits;
    lengths += ` ${group.digits.length}`;
    separators += group.separator;
    if (isCardNumber(digits) && (/^[\s-]+$/.test(separators) || asOnCard.test(lengths))) return true;
  }
  return false;
}

function isCardNumber(digits: string): boolean {
  return cardNumber.test(digits) && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
