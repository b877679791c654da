import { expect, it } from 'vitest';
import { createSessionRoute } from '../../../functions/contract/sessions/create-session.ts';
import { faultsOf } from '../sent.ts';

const valid = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };

it.each([
  ['no fields', {}, ['/invoiceId required', '/amountCents required', '/patient required']],
  [
    'several faults',
    { invoiceId: '', amountCents: 0, patient: { firstName: 'A'.repeat(101) } },
    ['/invoiceId required', '/amountCents out_of_range', '/patient/firstName too_long', '/patient/lastName required'],
  ],
  [
    'wrong types',
    { invoiceId: 1, amountCents: '100', patient: 'Ada' },
    ['/invoiceId invalid_type', '/amountCents invalid_type', '/patient invalid_type'],
  ],
  ['a fraction of a cent', { ...valid, amountCents: 1.5 }, ['/amountCents invalid_type']],
  ['an amount that is too small', { ...valid, amountCents: 0 }, ['/amountCents out_of_range']],
  ['an amount that is too large', { ...valid, amountCents: 100_000_000 }, ['/amountCents out_of_range']],
  ['an unknown field', { ...valid, diagnosis: 'secret-value' }, [' unknown_field']],
  [
    'a third name',
    { ...valid, patient: { ...valid.patient, dateOfBirth: 'secret-value' } },
    ['/patient unknown_field'],
  ],
  [
    'account data in a name',
    { ...valid, patient: { ...valid.patient, firstName: 'Ada 123-45-6789' } },
    ['/patient/firstName sensitive_data'],
  ],
  [
    'health data in metadata',
    { ...valid, metadata: { icd: 'x', note: 'E11.9' } },
    ['/metadata sensitive_data', '/metadata sensitive_data'],
  ],
  [
    '17 metadata keys',
    { ...valid, metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`key${index}`, 'x'])) },
    ['/metadata too_many_keys'],
  ],
  ['a metadata value that is not text', { ...valid, metadata: { count: 1 } }, ['/metadata invalid_type']],
  ['another language', { ...valid, locale: 'fr' }, ['/locale invalid_value']],
  ['an array', [], [' invalid_type']],
  [
    'a return address of 501 characters',
    { ...valid, returnUrl: 'https://practice.example/'.padEnd(501, 'x') },
    ['/returnUrl too_long'],
  ],
])('a session with %s lists every fault by its pointer, and echoes no value', (_, body, expected) => {
  const faults = faultsOf(createSessionRoute, { body });
  expect(faults.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual([...expected].sort());
  expect(JSON.stringify(faults)).not.toMatch(/secret-value|diagnosis|dateOfBirth/);
});

it.each([
  [0, 'Use at least 1.'],
  [100_000_000, 'Use at most 99999999.'],
])('the error for an amount of %i names the bound', (amountCents, detail) => {
  expect(faultsOf(createSessionRoute, { body: { ...valid, amountCents } })).toMatchObject([
    { pointer: '/amountCents', code: 'out_of_range', detail },
  ]);
});

it.each([
  'http://practice.example/thanks',
  'https://user@practice.example/',
  'https://user:secret-value@practice.example/',
  'https://',
  'https://practice.example/a b',
  'https://prácticé.example/',
  'javascript:alert(1)',
  '/thanks',
  '',
])('a session does not lead patients back to %j', (returnUrl) => {
  const faults = faultsOf(createSessionRoute, { body: { ...valid, returnUrl } });
  expect(faults).toMatchObject([{ pointer: '/returnUrl', code: 'invalid_value' }]);
  expect(JSON.stringify(faults)).not.toContain('secret-value');
});

it('a return address has up to 500 characters', () => {
  const returnUrl = 'https://practice.example/'.padEnd(500, 'x');
  expect(faultsOf(createSessionRoute, { body: { ...valid, returnUrl } })).toEqual([]);
});
