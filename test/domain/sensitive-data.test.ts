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
    'diagnosis1',
    'cpt1',
    'dob2',
    'SSN4',
    'CPTs',
    'SSNs',
    'MRNs',
    'MRNsList',
    'memberIDs',
    'icd9',
    'icd10cm',
    'patientDoB',
    'dateofbirth',
    'accountnumber',
    'bankaccount',
    '123-45-6789',
    'E11.9',
    '4111111111111111',
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
    'locationId',
    'visitNumber',
    'batch2',
    'account_manager',
    'accountNotes',
    'discardNumber',
    'memberIdeas',
    'teamIDs',
    'b2b',
    'address2',
    'H1N1',
    '2026-11-24',
    'INV-1043',
    'v10',
    'ses_01M7WT8GBK9JN8GY3CPDSZDMFS',
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
    'SSN123-45-6789',
    'ssn_123-45-6789',
    '123-45-6789_ssn',
    'U07.1',
    'U09.9',
    'S93.401S',
    'T36.0X5S',
    'S72.001M',
    'S72.001P',
    // JCB, Diners Club and Discover
    '3530111333300000',
    '30569309025904',
    '3622 720627 1667',
    '38520000023237',
    '39111111111118',
    '6011111111111117',
    '6445644564456445',
    '6510000000000034',
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
    '2026-11-24',
    '2026-11-24T10:30:00.000Z',
    '11/24/2026',
    '20261124103000',
    '(555) 010-0100',
    '+36 30 123 4567',
    '+39 312 345 6789',
    '1234-56-7890',
    '12-45-67890',
    'INV-2026-11-0043',
    'INV1043-45-67',
    'B12.pdf',
    'Q12.png',
    'node-24.21.0',
    // Pass the check digit, with lengths that no card has
    '3812345678901233',
    '35123456789012343',
    '3612345678901234563',
    'v2.10.3-rc.1',
    '3 of 6',
    '550e8400-e29b-41d4-a716-446655440000',
    '30569309025905',
  ])('%s is accepted', (value) => {
    expect(isSensitiveValue(value)).toBe(false);
  });

  it.each(['9 ', '1-', '5 1 '])('long runs of “%s” take no noticeable time to check', (part) => {
    const values = Array.from({ length: 16 }, () => part.repeat(500 / part.length));
    values.forEach(isSensitiveValue);

    // Of this thread alone, however busy the machine is.
    const start = process.threadCpuUsage();
    values.forEach(isSensitiveValue);
    const { user } = process.threadCpuUsage(start);
    expect(user, 'microseconds').toBeLessThan(100_000);
  });
});
