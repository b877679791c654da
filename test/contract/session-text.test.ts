import { describe, expect, it } from 'vitest';
import { createSessionRoute, type CreateSessionBody } from '../../functions/contract/sessions/create-session.ts';
import { faultsOf, readBy } from './sent.ts';

/** Takes JSON fragments, because `JSON.stringify` cannot write them all. */
function written(differences: { firstName?: string; invoiceId?: string; metadata?: string }): string {
  const { firstName = '"Ada"', invoiceId = '"INV-1"', metadata = '{}' } = differences;
  return `{"invoiceId":${invoiceId},"amountCents":100,"patient":{"firstName":${firstName},"lastName":"Okafor"},"metadata":${metadata}}`;
}

const read = (differences: Parameters<typeof written>[0]) =>
  readBy(createSessionRoute, { body: written(differences) }).body as CreateSessionBody;

const faultsIn = (body: string) =>
  faultsOf(createSessionRoute, { body }).map(({ pointer, code }) => `${pointer} ${code}`);

describe('a name', () => {
  it.each([
    "O'Brien",
    'O’Neill',
    'Anne-Marie',
    'Zoë',
    'Łukasz',
    'de la Cruz',
    'J. R.',
    '.',
    '山田',
    'Владимир',
    'محمد',
    'علی\u200cرضا',
    'ශ්\u200dරී',
    'नेहा',
    'Nguyễn',
    'Z\u0301',
    'x'.repeat(100),
    'Adobe',
    'B12',
  ])('%s is read as it was sent', (firstName) => {
    expect(read({ firstName: JSON.stringify(firstName) }).patient.firstName).toBe(firstName);
  });

  it.each([
    ['nothing', '""', 'required'],
    ['spaces', '"  "', 'required'],
    ['a line break', '"Ada\\nOkafor"', 'invalid_value'],
    ['a line separator', '"Ada\\u2028"', 'invalid_value'],
    ['a NUL', '"Ada\\u0000"', 'invalid_value'],
    ['a right-to-left override', '"Ada\\u202e"', 'invalid_value'],
    ['half a surrogate pair', '"Ada\\ud83d"', 'invalid_value'],
    ['101 characters', JSON.stringify('x'.repeat(101)), 'too_long'],
    ['null', 'null', 'invalid_type'],
  ])('of %s is refused', (_, firstName, code) => {
    expect(faultsIn(written({ firstName }))).toEqual([`/patient/firstName ${code}`]);
  });
});

describe('an invoice id', () => {
  it.each(['1', '123456789', 'INV/2026 #7', '請求書-1', 'E11.9', '__proto__', 'x'.repeat(128)])(
    '%s is read as it was sent',
    (invoiceId) => {
      expect(read({ invoiceId: JSON.stringify(invoiceId) }).invoiceId).toBe(invoiceId);
    },
  );

  it.each([
    ['nothing', '""', 'required'],
    ['spaces', '"\\u00a0 "', 'required'],
    ['a tab', '"INV\\t1"', 'invalid_value'],
    ['half a surrogate pair', '"\\udc00"', 'invalid_value'],
    ['129 characters', JSON.stringify('x'.repeat(129)), 'too_long'],
  ])('of %s is refused', (_, invoiceId, code) => {
    expect(faultsIn(written({ invoiceId }))).toEqual([`/invoiceId ${code}`]);
  });
});

describe('metadata', () => {
  it.each([
    [
      'named like the members of every object',
      {
        constructor: 'a',
        prototype: 'b',
        toString: 'c',
        hasOwnProperty: 'd',
        valueOf: 'e',
        toJSON: 'f',
        then: 'g',
        length: '7',
      },
    ],
    ['with line breaks', { note: 'one\ntwo\r\n\tthree' }],
    ['with emoji, joiners and an empty value', { '👩‍⚕️': '👩‍👩‍👧', note: '' }],
    [
      'of the maximum size',
      Object.fromEntries(Array.from({ length: 16 }, (_, index) => [String(index).padEnd(40, 'k'), 'v'.repeat(500)])),
    ],
  ])('%s is read as it was sent', (_, metadata) => {
    expect(Object.entries(read({ metadata: JSON.stringify(metadata) }).metadata ?? {}).sort()).toEqual(
      Object.entries(metadata).sort(),
    );
  });

  it.each([
    ['a key __proto__', '{"__proto__":"x"}'],
    ['a key __proto__ that holds an object', '{"__proto__":{"note":"x"}}'],
    ['a NUL in a value', '{"note":"\\u0000"}'],
    ['a NUL in a key', '{"no\\u0000te":"x"}'],
    ['a line break in a key', '{"no\\nte":"x"}'],
    ['half a surrogate pair in a value', '{"note":"\\ud800"}'],
    ['half a surrogate pair in a key', '{"\\udfff":"x"}'],
  ])('with %s is refused', (_, metadata) => {
    const faults = faultsIn(written({ metadata }));
    expect(new Set(faults)).toContain('/metadata invalid_value');
    expect(faults.every((fault) => fault.startsWith('/metadata '))).toBe(true);
  });

  it('with an empty key is refused', () => {
    expect(faultsIn(written({ metadata: '{"":"x","note":"y"}' }))).toEqual(['/metadata required']);
  });
});

describe('health and account data in metadata', () => {
  it.each([
    ['a key', { diagnosis: 'x' }],
    ['a key of several words', { patientDateOfBirth: 'x' }],
    ['a key in capitals', { SSN: 'x' }],
    ['an account number', { 'account-number': 'x' }],
    ['a dashed social security number', { note: '123-45-6789' }],
    ['a diagnosis code', { note: 'seen for E11.9' }],
    ['a card number', { note: '4242 4242 4242 4242' }],
  ])('is refused for %s, without repeating it', (_, metadata) => {
    const faults = faultsOf(createSessionRoute, { body: written({ metadata: JSON.stringify(metadata) }) });
    expect(faults).toMatchObject([{ pointer: '/metadata', code: 'sensitive_data' }]);
    for (const word of Object.entries(metadata)
      .flat()
      .filter((text) => text !== 'x'))
      expect(JSON.stringify(faults)).not.toContain(word);
  });

  it.each([
    ['B12', { room: 'B12' }],
    ['adobe', { adobe: 'adobe' }],
    ['a nine-digit order number', { order: '123456789' }],
    ['a date', { visit: '2026-11-20' }],
    ['a phone number', { phone: '+1 555 010 0100' }],
    ['an amount', { copay: '10.50' }],
    ['a version', { version: 'v1.2.3' }],
    ['an account manager', { accountManager: "Siobhán O'Brien-Łukasz 山田" }],
    ['digits that are not a card number', { reference: '4242424242424241' }],
  ])('does not include %s', (_, metadata) => {
    expect(read({ metadata: JSON.stringify(metadata) }).metadata).toEqual(metadata);
  });
});

it('a body with a key __proto__ has an unknown field', () => {
  const patient = '{"firstName":"Ada","lastName":"Okafor","__proto__":{}}';
  expect(faultsIn(`{"__proto__":{},"invoiceId":"INV-1","amountCents":100,"patient":${patient}}`)).toEqual([
    '/patient unknown_field',
    ' unknown_field',
  ]);
});
