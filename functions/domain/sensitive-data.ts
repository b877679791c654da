import { containsCardNumber } from './card-number.ts';
import { plainText } from './plain-text.ts';
import { namesDiagnosis, namesSensitiveData } from './sensitive-names.ts';

/** What a text looks like. Errors name the rule, never the text. */
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

/** Digits of random IDs can look like a card number: in one UUID of 1,645. */
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

/** Each part of a path and each parameter can be a whole value. A URL that does not parse has another fault. */
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
