import { describe, expect, it } from 'vitest';
import { practiceRoutes } from '../../functions/contract/routes.ts';
import { Problem } from '../../functions/contract/problem.ts';
import { readBy, type Sent } from './sent.ts';

const route = practiceRoutes.createSession;

/** Takes JSON text, because an object cannot have a key twice. */
function written({ amount = '18250', more = '', patient = '"firstName":"Ada","lastName":"Okafor"' } = {}): string {
  return `{"invoiceId":"INV-1","amountCents":${amount},"patient":{${patient}}${more}}`;
}

function problemOf(sent: Sent): Problem {
  try {
    readBy(route, sent);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('the request was accepted');
}

describe('a body that repeats a key', () => {
  const repeated = (pointer: string, index?: number) => ({
    pointer,
    ...(index !== undefined && { index }),
    code: 'repeated_key',
    detail: 'This object has this key twice.',
  });

  it.each([
    ['of a field', written({ more: ',"amountCents":100' }), [repeated('/amountCents')]],
    ['with the same value', written({ more: ',"amountCents":18250' }), [repeated('/amountCents')]],
    ['with an escape', written({ more: String.raw`,"\u0061mountCents" : 100` }), [repeated('/amountCents')]],
    [
      'in a nested object',
      written({ patient: '"firstName":"Ada","lastName":"O","lastName":"P"' }),
      [repeated('/patient/lastName')],
    ],
    ['that holds an object', written({ more: ',"patient":{}' }), [repeated('/patient')]],
    ['of metadata', written({ more: ',"metadata":{"a":"{\\"a\\":1}","b":"x","a":"y"}' }), [repeated('/metadata', 2)]],
    [
      'of metadata that is a number',
      written({ more: ',"metadata":{"b":"x","1":"x","1":"y"}' }),
      [repeated('/metadata', 2)],
    ],
    ['inside metadata', written({ more: ',"metadata":{"zqmarker":{"x":1,"x":1}}' }), [repeated('/metadata')]],
    ['that is unknown', written({ more: ',"zqmarker":1,"zqmarker":2' }), [repeated('', 4)]],
    ['in an unknown object', written({ more: ',"zqmarker":[{"x":1,"x":1}]' }), [repeated('')]],
    ['named like a member of objects', written({ more: ',"constructor":1,"constructor":2' }), [repeated('', 4)]],
    ['__proto__', written({ more: ',"__proto__":1,"__proto__":2' }), [repeated('', 4)]],
    ['three times', written({ more: ',"amountCents":1,"amountCents":2' }), [repeated('/amountCents')]],
    [
      'in several objects',
      written({ more: ',"invoiceId":"2","metadata":{"a":"x","a":"y"}' }),
      [repeated('/invoiceId'), repeated('/metadata', 1)],
    ],
  ])('%s is refused with every place', (_, body, errors) => {
    const problem = problemOf({ body });
    expect([problem.code, problem.extra['errors']]).toEqual(['invalid_json', errors]);
  });

  it('is refused however deeply it is nested', () => {
    const depth = 500;
    const body = written({ more: `,"x":${'{"x":['.repeat(depth)}{"y":1,"y":1}${']}'.repeat(depth)}` });
    expect(problemOf({ body }).extra).toEqual({ errors: [repeated('')] });
  });

  it('is distinguished from one whose objects have equal keys', () => {
    const more = `,"metadata":{"amountCents":"\\"amountCents\\":1","firstName":"{","a\\"b":"]","a":"b"}`;
    expect(readBy(route, { body: written({ more }) }).body).toMatchObject({ amountCents: 18_250 });
  });
});

describe('a number', () => {
  it.each(['18250', '18250.0', '18250.000000000000000000000', '1825e1', '1.825E+4', '1825000e-2', '0.1825e5'])(
    '%s is the integer 18250',
    (amount) => {
      expect(readBy(route, { body: written({ amount }) }).body).toMatchObject({ amountCents: 18_250 });
    },
  );

  it.each([
    '18250.000000000001',
    '18249.999999999999999',
    '1825000000000000000001e-17',
    '1.8250000000000000000001e4',
    '99999999.00000000000001',
    '0.99999999999999999999',
    '1e-400',
    '1e-99999999999999999999',
    '9007199254740993',
    '18250.5',
    '1e400',
  ])('%s is not an integer', (amount) => {
    const problem = problemOf({ body: written({ amount, more: ',"locale":"fr"' }) });
    expect(problem.code).toBe('invalid_request');
    expect(problem.extra['errors']).toMatchObject([
      { pointer: '/amountCents', code: 'invalid_type', expected: 'integer', minimum: 1, maximum: 99_999_999 },
      { pointer: '/locale' },
    ]);
  });

  it.each(['0', '-0', '-0.0e5', '0e999999999', '-1', '100000000', '1e15'])('%s is out of range', (amount) => {
    expect(problemOf({ body: written({ amount }) }).extra['errors']).toMatchObject([
      { pointer: '/amountCents', code: 'out_of_range' },
    ]);
  });
});

describe('the headers of a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; charset=us-ascii',
    'Application/JSON; profile=x; CHARSET=utf-8',
    'application/json;;',
  ])('can say %s', (type) => {
    expect(readBy(route, { headers: { 'content-type': type }, body: written() }).body).toBeDefined();
  });

  it.each(['identity', 'Identity', '', 'identity, identity'])('can name the coding “%s”', (coding) => {
    expect(readBy(route, { headers: { 'content-encoding': coding }, body: written() }).body).toBeDefined();
  });

  it.each(['gzip', 'GZIP', 'x-gzip', 'br', 'deflate', 'zstd', 'identity, gzip', 'gzip, identity', 'aws-chunked'])(
    'cannot name the coding %s',
    (coding) => {
      const problem = problemOf({ headers: { 'content-encoding': coding }, body: written() });
      expect(problem).toMatchObject({ code: 'unsupported_media_type', headers: { 'accept-encoding': 'identity' } });
      expect(problem.message).toBe('Send the body uncompressed and without `Content-Encoding`.');
    },
  );

  // RFC 9110, 12.5.3: Accept-Encoding would say that the coding was at fault.
  it.each(['utf-16', 'UTF-16LE', '"utf-16"', 'iso-8859-1', 'windows-1252', 'utf-32', 'x-unknown'])(
    'cannot name the charset %s',
    (charset) => {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      const problem = problemOf({ headers, body: written() });
      expect(problem).toMatchObject({ code: 'unsupported_media_type', headers: {} });
      expect(problem.message).toMatch(/UTF-8/);
    },
  );
});
