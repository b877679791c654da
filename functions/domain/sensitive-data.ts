const sensitiveKeyWords = [
  'diagnosis',
  'diagnoses',
  'icd',
  'icd9',
  'icd10',
  'cpt',
  'hcpcs',
  'dob',
  'birthdate',
  'birthday',
  'ssn',
  'mrn',
  'npi',
  'medication',
  'prescription',
  'procedure',
  'allergy',
  'allergies',
  'symptom',
  'iban',
];
const sensitiveKeyPhrases = [
  'date of birth',
  'birth date',
  'social security',
  'account number',
  'account no',
  'acct number',
  'acct num',
  'acct no',
  'routing number',
  'card number',
  'credit card',
  'medical record',
  'member id',
  'bank account',
];

export function isSensitiveKey(key: string): boolean {
  const parts = words(key);
  const phrase = ` ${parts.join(' ')} `;
  const sensitive = [...sensitiveKeyWords, ...sensitiveKeyPhrases];
  return sensitive.some((name) => phrase.includes(` ${name} `) || phrase.includes(` ${name}s `));
}

function words(key: string): string[] {
  return key
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
}

const dashedSsn = /\b\d{3}-\d{2}-\d{4}\b/;
/** ICD-10-CM. Without the decimal point, "B12" would match. */
const icd10 = /\b[A-TV-Z]\d[0-9AB]\.[0-9A-KXZ]{1,4}\b/i;
export function isSensitiveValue(value: string): boolean {
  // Word processors type other dashes and digits.
  const plain = value.normalize('NFKC').replaceAll(/[\p{Pd}\u2212]/gu, '-');
  return dashedSsn.test(plain) || icd10.test(plain) || containsCardNumber(plain);
}

const cardPrefix = /^(?:4|5[1-5]|2[2-7]|3[47]|6(?:011|5))/;

function containsCardNumber(value: string): boolean {
  const groups = value.match(/\d+(?:[ -]\d+)*/g) ?? [];
  return groups.some((group) => {
    const parts = group.split(/[ -]/);
    return parts.some((_, first) =>
      parts.some((__, last) => {
        const digits = parts.slice(first, last + 1).join('');
        return digits.length >= 13 && digits.length <= 19 && cardPrefix.test(digits) && passesLuhn(digits);
      }),
    );
  });
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
