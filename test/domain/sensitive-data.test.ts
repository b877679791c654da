import { describe, expect, it } from 'vitest';
import { isSensitiveKey, isSensitiveValue } from '../../functions/domain/sensitive-data.ts';

describe('metadata keys', () => {
  it.each([
    'diagnosis',
    'Diagnosis_Code',
    'icd',
    'icd10',
    'ICD10Code',
    'cpt',
    'patientDob',
    'dob',
    'date-of-birth',
    'SSN',
    'socialSecurity',
    'mrn',
    'accountNumber',
    'account_number',
    'routing number',
    'card-number',
    'SSNLast4',
    'DOBValue',
    'ICDCode',
    'MRNId',
    'accountNumbers',
    'medications',
    'diagnosisCodes',
    'birthday',
    'acct_num',
    'credit_card',
    'IBAN',
    'allergies',
  ])('%s is rejected', (key) => {
    expect(isSensitiveKey(key)).toBe(true);
  });

  it.each([
    'adobe',
    'location',
    'orderNumber',
    'account',
    'accountManager',
    'incident',
    'description',
    'department',
    'number',
    'decision',
    'card',
    'doboy',
    'visit',
  ])('%s is accepted', (key) => {
    expect(isSensitiveKey(key)).toBe(false);
  });
});

describe('metadata values', () => {
  it.each([
    '123\u201145\u20116789',
    '123–45–6789',
    '123-45-6789',
    'ssn 123-45-6789',
    'E11.9',
    'M54.50',
    'code j45.909',
    '4242424242424242',
    '4242 4242 4242 4242',
    '3782-822463-10005',
    '5555555555554444',
    '4111 1111 1111 1111 12/29',
    '1 4111111111111111',
    'card 4111-1111-1111-1111 cvc 123',
  ])('%s is rejected', (value) => {
    expect(isSensitiveValue(value)).toBe(true);
  });

  it.each([
    'B12',
    'adobe',
    '123456789',
    '987654321',
    '4242424242424241',
    '1234567890123',
    '555-0100',
    '2026-11-20',
    'INV-1043',
    "O'Brien-Łukasz",
    '山田太郎',
    '10.50',
    'v1.2.3',
    'Room B12',
    '12-3456789',
    '2026 11 20 10 30',
    '+1 555 010 0100',
    '1043 18250 7',
  ])('%s is accepted', (value) => {
    expect(isSensitiveValue(value)).toBe(false);
  });
});
