/** A space may be missing: "dateofbirth", "DoB". */
const sensitiveNames = [
  'diagnosis',
  'diagnoses',
  'icd',
  'cpt',
  'hcpcs',
  'do b',
  'date of birth',
  'birth date',
  'birthday',
  'ssn',
  'social security',
  'mrn',
  'medical record',
  'npi',
  'medication',
  'prescription',
  'procedure',
  'allergy',
  'allergies',
  'symptom',
  'iban',
  'account number',
  'account no',
  'acct number',
  'acct num',
  'acct no',
  'bank account',
  'routing number',
  'card number',
  'credit card',
  'member id',
];
const sensitiveName = new RegExp(` (?:${sensitiveNames.join('|').replaceAll(' ', ' ?')})s? `);

/** Also finds keys that are data themselves. */
export function isSensitiveKey(key: string): boolean {
  return sensitiveName.test(` ${words(key).join(' ')} `) || isSensitiveValue(key);
}

function words(key: string): string[] {
  const found = key.match(/\p{Lu}+s?(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lt}\p{Lm}\p{Lo}]+|\d+/gu) ?? [];
  return found.map((word) => word.toLowerCase());
}

/** A letter or an underscore may touch it: "ssn_123-45-6789". */
const dashedSsn = /(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)/;
/** ICD-10-CM. Without the decimal point, "B12" would match, and with M to S anywhere but at the end, "B12.pdf". */
const icd10 = /\b[A-Z]\d[0-9AB]\.(?:[0-9A-KXZ]{1,4}|[0-9A-KXZ]{3}[MNP-S])\b/i;

export function isSensitiveValue(value: string): boolean {
  // Word processors type other dashes and digits.
  const plain = value.normalize('NFKC').replaceAll(/[\p{Pd}\u2212]/gu, '-');
  return dashedSsn.test(plain) || icd10.test(plain) || containsCardNumber(plain);
}

const longestCardNumber = 19;
/** Visa; Mastercard; American Express; Diners Club; JCB; Discover. */
const cardNumber =
  /^(?:4\d{12,18}|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12,15})$/;

function containsCardNumber(value: string): boolean {
  const groups = value.match(/\d+(?:[ -]\d+)*/g) ?? [];
  return groups.some((group) => {
    const parts = group.split(/[ -]/);
    return parts.some((_, first) => startsWithCardNumber(parts.slice(first, first + longestCardNumber)));
  });
}

function startsWithCardNumber(parts: readonly string[]): boolean {
  let digits = '';
  for (const part of parts) {
    digits += part;
    if (cardNumber.test(digits) && passesLuhn(digits)) return true;
  }
  return false;
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
