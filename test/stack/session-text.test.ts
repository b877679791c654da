import { describe, expect, it } from 'vitest';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

async function create(body: string | Buffer<ArrayBuffer>, contentType = 'application/json') {
  const response = await fetch(`${service.apiUrl}/api/practice/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.practice.apiKey}`, 'content-type': contentType },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Takes JSON fragments, because `JSON.stringify` cannot write them all. */
function written(differences: { firstName?: string; invoiceId?: string; metadata?: string }): string {
  const { firstName = '"Ada"', invoiceId = '"INV-1"', metadata = '{}' } = differences;
  return `{"invoiceId":${invoiceId},"amountCents":100,"patient":{"firstName":${firstName},"lastName":"Okafor"},"metadata":${metadata}}`;
}

async function shown(body: string) {
  const created = await create(body);
  expect(created, JSON.stringify(created.body)).toMatchObject({ status: 201 });
  const { invoiceId, metadata } = await service.client.sessions.get(String(created.body['sessionId']));
  const page = await patientOf(String(created.body['hostedUrl'])).view();
  return { invoiceId, metadata, patient: page.body['patient'] as { firstName: string } };
}

async function faultsOf(body: string): Promise<string[]> {
  const answer = await create(body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  return (answer.body['errors'] as { pointer: string; code: string }[]).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  );
}

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
  ])('%s reaches the page as it was sent', async (firstName) => {
    expect((await shown(written({ firstName: JSON.stringify(firstName) }))).patient.firstName).toBe(firstName);
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
  ])('of %s is refused', async (_, firstName, code) => {
    expect(await faultsOf(written({ firstName }))).toEqual([`/patient/firstName ${code}`]);
  });
});

describe('an invoice id', () => {
  it.each(['1', '123456789', 'INV/2026 #7', '請求書-1', 'E11.9', '__proto__', 'x'.repeat(128)])(
    '%s comes back as it was sent',
    async (invoiceId) => {
      expect((await shown(written({ invoiceId: JSON.stringify(invoiceId) }))).invoiceId).toBe(invoiceId);
    },
  );

  it.each([
    ['nothing', '""', 'required'],
    ['spaces', '"\\u00a0 "', 'required'],
    ['a tab', '"INV\\t1"', 'invalid_value'],
    ['half a surrogate pair', '"\\udc00"', 'invalid_value'],
    ['129 characters', JSON.stringify('x'.repeat(129)), 'too_long'],
  ])('of %s is refused', async (_, invoiceId, code) => {
    expect(await faultsOf(written({ invoiceId }))).toEqual([`/invoiceId ${code}`]);
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
  ])('%s comes back as it was sent', async (_, metadata) => {
    expect(Object.entries((await shown(written({ metadata: JSON.stringify(metadata) }))).metadata).sort()).toEqual(
      Object.entries(metadata).sort(),
    );
  });

  it('keeps and checks the last value of a repeated key', async () => {
    expect((await shown(written({ metadata: '{"note":"E11.9","note":"fine"}' }))).metadata).toEqual({ note: 'fine' });
    expect(await faultsOf(written({ metadata: '{"note":"fine","note":"E11.9"}' }))).toEqual([
      '/metadata sensitive_data',
    ]);
  });

  it.each([
    ['a key __proto__', '{"__proto__":"x"}'],
    ['a key __proto__ that holds an object', '{"__proto__":{"note":"x"}}'],
    ['a NUL in a value', '{"note":"\\u0000"}'],
    ['a NUL in a key', '{"no\\u0000te":"x"}'],
    ['a line break in a key', '{"no\\nte":"x"}'],
    ['half a surrogate pair in a value', '{"note":"\\ud800"}'],
    ['half a surrogate pair in a key', '{"\\udfff":"x"}'],
  ])('with %s is refused', async (_, metadata) => {
    const faults = await faultsOf(written({ metadata }));
    expect(new Set(faults)).toContain('/metadata invalid_value');
    expect(faults.every((fault) => fault.startsWith('/metadata '))).toBe(true);
  });

  it('with an empty key is refused', async () => {
    expect(await faultsOf(written({ metadata: '{"":"x","note":"y"}' }))).toEqual(['/metadata required']);
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
  ])('is refused for %s, without repeating it', async (_, metadata) => {
    const answer = await create(written({ metadata: JSON.stringify(metadata) }));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/metadata', code: 'sensitive_data' }] },
    });
    for (const word of Object.entries(metadata)
      .flat()
      .filter((text) => text !== 'x'))
      expect(JSON.stringify(answer.body)).not.toContain(word);
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
  ])('does not include %s', async (_, metadata) => {
    expect((await shown(written({ metadata: JSON.stringify(metadata) }))).metadata).toEqual(metadata);
  });
});

describe('a body', () => {
  it('with a key __proto__ has an unknown field', async () => {
    const patient = '{"firstName":"Ada","lastName":"Okafor","__proto__":{}}';
    expect(await faultsOf(`{"__proto__":{},"invoiceId":"INV-1","amountCents":100,"patient":${patient}}`)).toEqual([
      '/patient unknown_field',
      ' unknown_field',
    ]);
  });

  it.each([
    ['in Latin-1', Buffer.from(written({ firstName: '"Zoë"' }), 'latin1'), 'application/json; charset=iso-8859-1'],
    ['in UTF-16', Buffer.from(written({}), 'utf16le'), 'application/json; charset=utf-16'],
    ['with half a character', Buffer.concat([Buffer.from(written({})), Buffer.from([0xc3])]), 'application/json'],
    ['that is nested deeply', '['.repeat(16_000), 'application/json'],
  ])('%s is refused, not stored in part', async (_, body, contentType) => {
    expect(await create(body, contentType)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
  });

  it('can start with a byte order mark', async () => {
    expect((await create(`\ufeff${written({})}`)).status).toBe(201);
  });

  it('must be declared as JSON, in any case and with any parameters', async () => {
    expect((await create(written({}), 'Application/JSON; charset=utf-8')).status).toBe(201);
    for (const type of ['application/octet-stream', 'text/json', 'application/json, application/json']) {
      expect(await create(written({}), type)).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    }
  });
});
