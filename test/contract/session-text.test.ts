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
    'क्\u200dष',
    '👩\u200d⚕️',
  ])('%s is read as it was sent', (firstName) => {
    expect(read({ firstName: JSON.stringify(firstName) }).patient.firstName).toBe(firstName);
  });

  it.each([
    ['nothing', '""', 'required'],
    ['spaces', '"  "', 'required'],
    ['only invisible characters', '"\\u200b\\u00ad\\ufeff"', 'required'],
    ['only joiners', '"\\u200c\\u200d"', 'required'],
    ['101 characters', JSON.stringify('x'.repeat(101)), 'too_long'],
    ['null', 'null', 'invalid_type'],
  ])('of %s is refused', (_, firstName, code) => {
    expect(faultsIn(written({ firstName }))).toEqual([`/patient/firstName ${code}`]);
  });
});

describe('a name that was pasted', () => {
  const invisible =
    '\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u2060\u2061\u2066\u2067\u2068\u2069\u206f\ufeff';

  it.each([...invisible, '\u{e0067}'])('is read without %j', (character) => {
    const sent = `${character}Ma${character}ria${character}`;
    expect(read({ firstName: JSON.stringify(sent) }).patient.firstName).toBe('Maria');
  });

  it('is measured without them', () => {
    const sent = `${invisible}${'x'.repeat(100)}`;
    expect(read({ firstName: JSON.stringify(sent) }).patient.firstName).toBe('x'.repeat(100));
  });
});

describe('a character that is refused', () => {
  it.each([
    ['Ada\nOkafor', 'Remove character 4, which is U+000A.'],
    ['Ada\u2028', 'Remove character 4, which is U+2028.'],
    ['Ada\0', 'Remove character 4, which is U+0000.'],
    ['\tAda', 'Remove character 1, which is U+0009.'],
    ['👩A\u200bda\u202e\t', 'Remove character 6, which is U+202E.'],
    ['Ada\u202d', 'Remove character 4, which is U+202D.'],
    ['Ada\ud83d', 'Remove character 4, which is U+D83D.'],
    ['A\u{f0000}', 'Remove character 2, which is U+F0000.'],
  ])('is named with its place: %j', (text, detail) => {
    const faults = faultsOf(createSessionRoute, { body: written({ firstName: JSON.stringify(text) }) });
    expect(faults).toMatchObject([{ pointer: '/patient/firstName', code: 'invalid_value', detail }]);
  });

  it.each([
    [{ invoiceId: '"IN\u200bV"' }, '/invoiceId', 'Remove character 3, which is U+200B.'],
    [{ metadata: '{"no\u00adte":"x"}' }, '/metadata', 'Remove character 3, which is U+00AD.'],
    [{ metadata: String.raw`{"note":"x\ny\u0007"}` }, '/metadata', 'Remove character 4, which is U+0007.'],
  ])('is named where texts are kept as they were sent: %j', (differences, pointer, detail) => {
    expect(faultsOf(createSessionRoute, { body: written(differences) })).toMatchObject([
      { pointer, code: 'invalid_value', detail },
    ]);
  });
});

describe('a person with one name', () => {
  const named = (firstName: string, lastName: string) => ({
    invoiceId: 'INV-1',
    amountCents: 100,
    patient: { firstName, lastName },
  });

  it.each([
    ['Suharto', '-'],
    ['-', 'Suharto'],
    ['Suharto', '–'],
  ])('is sent as %s %s', (firstName, lastName) => {
    expect(faultsOf(createSessionRoute, { body: named(firstName, lastName) })).toEqual([]);
  });

  it.each([
    ['-', '-', ['/patient/lastName required']],
    ['-', ' — ', ['/patient/lastName required']],
    ['Suharto', '', ['/patient/lastName required']],
  ])('is not sent as “%s” “%s”', (firstName, lastName, faults) => {
    expect(faultsIn(JSON.stringify(named(firstName, lastName)))).toEqual(faults);
  });
});

describe('an invoice id', () => {
  it.each(['1', '123456789', 'INV/2026 #7', '請求書-1', 'E119', '__proto__', 'x'.repeat(128)])(
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
    ['a diagnosis code', { note: 'E11.9' }],
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
    ['a room that looks like a diagnosis code', { room: 'Suite A20.3' }],
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
