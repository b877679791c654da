import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breaksRule, sensitiveRules, type SentAs } from '../../functions/domain/sensitive-data.ts';

const brokenBy = (text: string, sentAs: SentAs = 'value') =>
  sensitiveRules.filter((rule) => breaksRule(rule, text, sentAs));

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
    expect(brokenBy(key, 'key')).not.toEqual([]);
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
    expect(brokenBy(key, 'key')).toEqual([]);
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
    expect(brokenBy(value)).not.toEqual([]);
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
    // A phone number may pass it too, and so may counts between words
    '+4242 4242 4242 4242',
    '4242 visits 4242 calls 4242 mails 4242',
    '4242 ..... 4242 ..... 4242 ..... 4242',
    '42424.24242 424242',
    '42424 24242.424242',
    '123-45.6789',
    '123.45-6789',
    'v2.10.3-rc.1',
    '3 of 6',
    '550e8400-e29b-41d4-a716-446655440000',
    '30569309025905',
  ])('%s is accepted', (value) => {
    expect(brokenBy(value)).toEqual([]);
  });

  // If the time grew with the square of the length, this test would time out.
  it.each(['9 ', '1-', '5 1 '])('runs of “%s” are checked in one pass, however long', (part) => {
    expect(brokenBy(part.repeat(500_000 / part.length))).toEqual([]);
  });
});

const card = 'card_number';
const ssn = 'social_security_number';
const diagnosis = 'icd_10_code';

describe('what is found, and by which rule', () => {
  it.each([
    ['4242.4242.4242.4242', card],
    ['4242_4242_4242_4242', card],
    ['4242/4242/4242/4242', card],
    ['4242,4242,4242,4242', card],
    ['4242, 4242, 4242, 4242', card],
    ['4242 - 4242 - 4242 - 4242', card],
    ['4242 | 4242 | 4242 | 4242', card],
    ['4242·4242•4242*4242', card],
    ['4242\t4242\n4242\r\n4242', card],
    ['3782.822463.10005', card],
    ['3056.930902.5904', card],
    ['4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2', card],
    ['4242\u200b4242\u200b4242\u200b4242', card],
    ['42\u00ad42\u2060424242\u200d42424\ufeff2', card],
    ['4\ufe0f2\ufe0f4242424242424\ufe0f2', card],
    ['4242\u00a04242\u20094242\u30004242', card],
    ['٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', card],
    ['४२४२४२४२४२४२४२४२', card],
    ['４２４２４２４２４２４２４２４２', card],
    ['𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚', card],
    ['card4242424242424242x', card],
    ['6200000000000005', card],
    ['2223003122003222', card],
    ['123 45 6789', ssn],
    ['123.45.6789', ssn],
    ['123/45/6789', ssn],
    ['123_45_6789', ssn],
    ['123 - 45 - 6789', ssn],
    ['123-45 6789', ssn],
    ['123\u200b-\u200b45-6789', ssn],
    ['١٢٣-٤٥-٦٧٨٩', ssn],
    ['123‐45‐6789', ssn],
    ['123−45−6789', ssn],
    ['123-13-2026', ssn],
    ['123-11-2126', ssn],
    ['E11.9', diagnosis],
    [' e11.9 ', diagnosis],
    ['(E11.9)', diagnosis],
    ['E11\u200b.9', diagnosis],
    ['Ｅ11.9', diagnosis],
    ['E11.9, J45.909; M54.50', diagnosis],
    ['F32.A', diagnosis],
    ['C49.A0', diagnosis],
    ['V12.4', diagnosis],
    ['ICD-10: E11.9', diagnosis],
    ['Dx E11.9 (primary)', diagnosis],
    ['diagnosis code e11.9', diagnosis],
  ])('%s breaks one rule', (text, rule) => {
    expect(brokenBy(text)).toEqual([rule]);
  });

  it('a text can break several rules', () => {
    expect(brokenBy('Dx E11.9 123-45-6789 4242424242424242')).toEqual([card, ssn, diagnosis]);
  });

  it.each(['ssn', 's\u00adsn', 'ＳＳＮ', 'dx', 'Dx_Code'])('the key %s breaks a rule of its own', (key) => {
    expect(brokenBy(key, 'key')).toEqual(['sensitive_key']);
    expect(brokenBy(key)).toEqual([]);
  });

  it.each([
    ['https://practice.example/paid?card=4242424242424242', [card]],
    ['https://practice.example/paid?n=4242+4242+4242+4242', [card]],
    ['https://practice.example/paid?n=4242%204242%204242%204242&bad=%zz', [card]],
    ['https://practice.example/paid/4242-4242-4242-4242', [card]],
    ['https://practice.example/paid?a=1&p=123-45-6789', [ssn]],
    ['https://practice.example/123/45/6789', [ssn]],
    ['https://practice.example/paid#123-45-6789', [ssn]],
    ['https://practice.example/paid?p=%D9%A1%D9%A2%D9%A3-%D9%A4%D9%A5-%D9%A6%D9%A7%D9%A8%D9%A9', [ssn]],
    ['https://practice.example/paid?code=E11.9', [diagnosis]],
    ['https://practice.example/visits/E11.9/paid', [diagnosis]],
    ['https://practice.example/paid?diagnosis=x', ['sensitive_key']],
    ['https://practice.example/paid?patientDob=x', ['sensitive_key']],
  ])('%s is read part by part', (url, rules) => {
    expect(brokenBy(url, 'url')).toEqual(rules);
  });
});

describe('what is not found', () => {
  it.each([
    'EHR-Bridge v12.4',
    'Suite A20.3',
    'srv-b12.db',
    'GL-D10.50',
    'v12.4',
    'code j45.909',
    'a12.bak.zip',
    '001-11-2026',
    'INV 001 11 2026',
    'Rooms 101, 45, 2144',
    '+49 151 23456789',
    '+441632960123 or +442079460958',
    '2026-11-24 10:30:00.123',
    '10:45:30, 2026-11-24 10:45:30',
    '192.168.100.200',
    '1.3.6.1.4.1.311.21.8.1234567',
    '41,52,33,24,51,62,73,14',
    'INV4242424242424242001',
    'INV-0.4242424242424242',
    '42424242-4242-4242-4242-424242424242',
    'urn:uuid:42424242-4242-4242-4242-424242424242',
    'inv_42424242_4242_4242_4242_424242424242',
    '{4242AAAA-4242-4242-4242-4242424242AA}',
    '4242424242424242aaaaaaaa',
    'inv4242424242424242aaaaaaaabbbbbbbb',
    '01M7WT8GBK4242424242424242',
    'https://practice.example/paid?id=INV-1043',
  ])('%s breaks no rule', (text) => {
    expect(brokenBy(text)).toEqual([]);
  });

  it.each([
    'https://practice.example/',
    'https://practice.example/2026/11/24/paid?invoice=INV-1043&v=12.4#top',
    'https://practice.example/s/550e8400-e29b-41d4-a716-446655440000',
    'https://practice.example:8443/visit/E11',
    'not a URL',
  ])('%s breaks no rule as a URL', (url) => {
    expect(brokenBy(url, 'url')).toEqual([]);
  });

  // The docs promise these forms.
  const anyUuid = fc.oneof(fc.uuid(), fc.uuid({ version: 7 }), fc.stringMatching(/^[0-9]{8}(-[0-9]{4}){3}-[0-9]{12}$/));
  const numbered = fc
    .tuple(fc.stringMatching(/^[A-Za-z]{0,8}[-_]?$/), fc.stringMatching(/^[0-9]{1,12}$/))
    .map((parts) => parts.join(''));
  it.each([
    ['a UUID', anyUuid],
    ['a ULID', fc.ulid()],
    ['24 or more hexadecimal digits', fc.stringMatching(/^([0-9a-f]{24}|[0-9a-f]{32}|[0-9a-f]{64})$/)],
    ['letters and at most 12 digits', numbered],
  ])('%s is never refused', (_, ids) => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(brokenBy(id)).toEqual([]);
        expect(brokenBy(id.toUpperCase())).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
