import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { patientOf } from '../support/patient.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

// What each field accepts is in test/contract/session-text.test.ts.
it.each([
  {
    firstName: 'علی\u200cرضا',
    invoiceId: '請求書-1',
    metadata: {
      constructor: 'a',
      prototype: 'b',
      toString: 'c',
      hasOwnProperty: 'd',
      toJSON: 'e',
      then: 'f',
      length: '7',
    },
  },
  {
    firstName: 'Z\u0301',
    invoiceId: '__proto__',
    metadata: { note: 'one\ntwo\r\n\tthree', '👩‍⚕️': '👩‍👩‍👧', empty: '' },
  },
  {
    firstName: 'x'.repeat(100),
    invoiceId: 'x'.repeat(128),
    metadata: Object.fromEntries(
      Array.from({ length: 16 }, (_, index) => [`${index}`.padEnd(40, 'k'), 'v'.repeat(500)]),
    ),
  },
])('$firstName comes back as it was sent, with its invoice and its metadata', async ({ firstName, ...sent }) => {
  const { sessionId, hostedUrl } = await service.createSession({ ...sent, patient: { firstName, lastName: 'Okafor' } });
  const { invoiceId, metadata } = await service.client.sessions.get(sessionId);
  expect({ invoiceId, metadata }).toEqual(sent);
  expect((await patientOf(hostedUrl).view()).body['patient']).toMatchObject({ firstName });
});

const valid = '{"invoiceId":"INV-1","amountCents":100,"patient":{"firstName":"Zoë","lastName":"Okafor"}}';

async function create(
  body: string | Buffer<ArrayBuffer>,
  contentType = 'application/json',
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${service.apiUrl}/api/practice/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.practice.apiKey}`, 'content-type': contentType, ...headers },
    body,
  });
  const { status, headers: answered } = response;
  return { status, headers: answered, body: (await response.json()) as Record<string, unknown> };
}

describe('a body', () => {
  it.each([
    ['in Latin-1', Buffer.from(valid, 'latin1'), 'application/json'],
    ['in UTF-16', Buffer.from(valid, 'utf16le'), 'application/json; charset=utf-8'],
    ['with half a character', Buffer.concat([Buffer.from(valid), Buffer.from([0xc3])]), 'application/json'],
    ['that is nested deeply', '['.repeat(16_000), 'application/json'],
  ])('%s is refused, not stored in part', async (_, body, contentType) => {
    expect(await create(body, contentType)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
  });

  it('can start with a byte order mark', async () => {
    expect((await create(`\ufeff${valid}`)).status).toBe(201);
  });

  it.each([
    ['compressed', gzipSync(valid)],
    ['plain', valid],
  ])('with Content-Encoding is refused, with what is accepted, even if it is %s', async (_, body) => {
    const { status, headers, body: problem } = await create(body, 'application/json', { 'content-encoding': 'gzip' });
    expect([status, headers.get('accept-encoding'), problem['code']]).toEqual([
      415,
      'identity',
      'unsupported_media_type',
    ]);
    expect(problem['detail']).toMatch(/uncompressed/);
  });

  it('must be declared as JSON, in any case and with any parameters', async () => {
    expect((await create(valid, 'Application/JSON; charset=utf-8')).status).toBe(201);
    for (const type of ['application/octet-stream', 'text/json', 'application/json, application/json']) {
      expect(await create(valid, type)).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    }
  });
});
