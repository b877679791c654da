import { plainText } from './plain-text.ts';

/** Visa; Mastercard; American Express; Diners Club; JCB; Discover; UnionPay. */
const cardNumber =
  /^(?:4\d{12}(?:\d{3}(?:\d{3})?)?|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d|2\d\d)\d{12,15})$/;
const longest = 19;
/** The sizes of the digit groups printed on cards. */
const asOnCard = /^(?:4 4 4 4(?: [1-3])?|4 6 [45]|8 8)$/;

interface Group {
  readonly digits: string;
  /** The text between this group and the one before. */
  readonly separator: string;
}

/** Expects ASCII digits. Any groups may be separated by spaces and dashes; a card's groups, by anything but letters. */
function containsCardNumber(text: string): boolean {
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

/** Spaces may be missing: "dateofbirth", "DoB". */
const sensitiveNames = [
  'diagnosis',
  'diagnoses',
  'dx',
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
const sensitiveName = naming(sensitiveNames);
const diagnosisName = naming(['diagnosis', 'diagnoses', 'dx', 'icd']);

/** Whether a key says that its value is health or account data. */
function namesSensitiveData(key: string): boolean {
  return sensitiveName.test(words(key));
}

function namesDiagnosis(text: string): boolean {
  return diagnosisName.test(words(text));
}

function naming(names: readonly string[]): RegExp {
  return new RegExp(` (?:${names.join('|').replaceAll(' ', ' ?')})s? `);
}

/** Returns lower-case words with a space around each, splitting "SSNLast4" and "patient_dob" too. */
function words(text: string): string {
  const found = text.match(/\p{Lu}+s?(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lt}\p{Lm}\p{Lo}]+|\d+/gu) ?? [];
  return ` ${found.join(' ').toLowerCase()} `;
}

/** What a text can look like. Errors name the rule, never the text. */
export const sensitiveRules = ['card_number', 'social_security_number', 'icd_10_code', 'sensitive_key'] as const;
export type SensitiveRule = (typeof sensitiveRules)[number];

/** A key can also be data itself. */
export type SentAs = 'value' | 'key' | 'url';

export function breaksRule(rule: SensitiveRule, text: string, sentAs: SentAs): boolean {
  if (sentAs === 'url') return partsOfUrl(text).some((part) => breaksRule(rule, part.text, part.sentAs));
  const plain = withoutIds(plainText(text));
  switch (rule) {
    case 'card_number':
      return containsCardNumber(plain);
    case 'social_security_number':
      return containsSsn(plain);
    case 'icd_10_code':
      return isDiagnosis(plain);
    case 'sensitive_key':
      return sentAs === 'key' && namesSensitiveData(plain);
  }
}

const uuid = /[0-9a-f]{8}([-_])[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}(?![0-9a-f])/;
const ulid = /(?<![0-9a-z])[0-7][0-9a-hjkmnp-tv-z]{25}(?![0-9a-z])/;
const hex = /[0-9a-f]{24,}/;
/** What `Math.random` returns. */
const fraction = /(?<!\d)0\.\d{13,}/;
const id = new RegExp([uuid, ulid, hex, fraction].map(({ source }) => source).join('|'), 'gi');

/** Random IDs can look like a card number: one UUID in 1,645 does. */
function withoutIds(text: string): string {
  return text.replaceAll(id, 'x');
}

const ssn = /(?<!\d)\d{3}([^\p{L}\p{N}]{1,3})(\d\d)([^\p{L}\p{N}]{1,3})(\d{4})(?!\d)/gu;
const list = /[,;]\s/;
const monthAndYear = /^(?:0[1-9]|1[0-2])(?:19|20)\d\d$/;

function containsSsn(text: string): boolean {
  return [...text.matchAll(ssn)].some(([, first = '', group = '', second = '', serial = '']) => {
    const belongTogether = first === second ? !list.test(first) : /^[\s-]+$/.test(first + second);
    return belongTogether && !monthAndYear.test(group + serial);
  });
}

/** ICD-10-CM with its decimal point. `v12.4` is a version, and without the point, `B12` would match. */
const icd10 = String.raw`(?!v)[A-Za-z]\d[0-9ABab]\.(?:[0-9Xx](?:[0-9A-KXZa-kxz]{0,3}|[0-9A-KXZa-kxz]{2}[MNP-Smnp-s])|[A-Ca-c]\d{0,3})`;
const onlyDiagnoses = new RegExp(String.raw`^[^\p{L}\p{N}]*${icd10}(?:[^\p{L}\p{N}]+${icd10})*[^\p{L}\p{N}]*$`, 'u');
const diagnosis = new RegExp(String.raw`(?<![\p{L}\p{N}])${icd10}(?![\p{L}\p{N}])`, 'u');

/** Rooms, versions and ledger accounts look the same, so the code must stand alone or be called a diagnosis. */
function isDiagnosis(text: string): boolean {
  return onlyDiagnoses.test(text) || (namesDiagnosis(text) && diagnosis.test(text));
}

/** Each part of a path and each parameter can be a whole value. Another check refuses a URL that does not parse. */
function partsOfUrl(text: string): { readonly text: string; readonly sentAs: 'value' | 'key' }[] {
  const url = URL.parse(text);
  if (!url) return [];
  const path = decoded(url.pathname);
  const values = [url.hostname, path, ...path.split('/'), decoded(url.hash), ...url.searchParams.values()];
  return [
    ...values.map((value) => ({ text: value, sentAs: 'value' as const })),
    ...[...url.searchParams.keys()].map((key) => ({ text: key, sentAs: 'key' as const })),
  ];
}

/** Unlike `decodeURIComponent`, also takes text that is not encoded properly. */
function decoded(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll('&', '%26').replaceAll('+', '%2B')}`).get('text') ?? '';
}
