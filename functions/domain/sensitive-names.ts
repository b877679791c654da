/** A space may be missing: "dateofbirth", "DoB". */
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
export function namesSensitiveData(key: string): boolean {
  return sensitiveName.test(words(key));
}

export function namesDiagnosis(text: string): boolean {
  return diagnosisName.test(words(text));
}

function naming(names: readonly string[]): RegExp {
  return new RegExp(` (?:${names.join('|').replaceAll(' ', ' ?')})s? `);
}

/** In lower case, with a space around each: the parts of "SSNLast4" and "patient_dob" too. */
function words(text: string): string {
  const found = text.match(/\p{Lu}+s?(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lt}\p{Lm}\p{Lo}]+|\d+/gu) ?? [];
  return ` ${found.join(' ').toLowerCase()} `;
}
