import { describe, expect, it } from 'vitest';
import type { PracticeRoute } from '../../functions/contract/practice-route.ts';
import { practiceRoutes } from '../../functions/contract/routes.ts';
import { sandboxPracticeRoutes } from '../../functions/contract/sessions/sandbox-session.ts';
import type { RequestError } from '../../functions/contract/request-errors.ts';
import { headerName, none } from '../../functions/contract/route.ts';
import { bodySchemas, parameterSchemas, referenceTo, type Schema } from '../../lib/openapi/schemas.ts';
import { faultsOf, type Sent } from './sent.ts';

/** Part of every wrong value, to show that nothing is echoed. */
const marker = 'zqmarker';
const samples: Record<string, unknown> = {
  returnUrl: 'https://practice.example.com',
  limit: 5,
};
const schemaOf = (schema: boolean | Schema | undefined): Schema => {
  if (typeof schema !== 'object') return {};
  return schema.anyOf ? schemaOf(schema.anyOf[0]) : schema;
};

function sampleOf(schema: Schema, name = ''): unknown {
  if (name in samples) return samples[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.pattern?.startsWith('^prc_')) return `prc_${'0'.repeat(20)}`;
  if (schema.format === 'date-time') return '2026-11-20T15:04:05.123Z';
  switch (schema.type) {
    case 'integer':
      return schema.minimum;
    case 'array':
      return [sampleOf(schemaOf(schema.items as Schema))];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, field]) => [key, sampleOf(schemaOf(field), key)]),
      );
    default:
      return 'x';
  }
}

/** Checked later, with its own problem. */
const checkedElsewhere = ['cursor', 'sessionId', 'url'];

interface Wrong {
  readonly what: string;
  readonly value: unknown;
}

function wrongTexts(schema: Schema, name: string): Wrong[] {
  const { minLength, maxLength, pattern, enum: values, const: only } = schema;
  const long = `${String(sampleOf(schema, name))}${'x'.repeat(maxLength ?? 0)}`;
  return [
    ...(minLength === undefined ? [] : [{ what: 'no text', value: '' }]),
    ...(maxLength === undefined ? [] : [{ what: 'too long a text', value: long }]),
    ...(values === undefined && only === undefined ? [] : [{ what: 'none of the values', value: marker }]),
    ...(pattern === undefined || checkedElsewhere.includes(name)
      ? []
      : [{ what: 'a text that does not match', value: `${marker}\u0001` }]),
  ];
}

function wrongNumbers({ type, minimum, maximum }: Schema): Wrong[] {
  if (type !== 'integer') return [];
  return [
    { what: 'text', value: marker },
    { what: 'a fraction', value: 50.5 },
    { what: 'an unsafe integer', value: 2 ** 60 },
    ...(minimum === undefined ? [] : [{ what: 'too small a number', value: minimum - 1 }]),
    ...(maximum === undefined ? [] : [{ what: 'too large a number', value: maximum + 1 }]),
  ];
}

function wrongTypes({ type, items, minItems, maxItems }: Schema): Wrong[] {
  const item = sampleOf(schemaOf(items as Schema));
  return [
    { what: 'another type', value: type === 'object' ? marker : { marker } },
    { what: 'another type with a length', value: type === 'array' ? marker : Array<unknown>(600).fill(marker) },
    ...(minItems === undefined ? [] : [{ what: 'too few items', value: [] }]),
    ...(maxItems === undefined ? [] : [{ what: 'too many items', value: Array<unknown>(maxItems + 1).fill(item) }]),
  ];
}

function expectToSay(fault: RequestError | undefined, schema: Schema, what: string): void {
  const kind = schema.enum ? `one of ${schema.enum.join(', ')}` : String(schema.const ?? schema.type);
  expect(fault?.expected, what).toMatch(new RegExp(`^${kind}`));
  if (schema.pattern !== undefined && !checkedElsewhere.some((name) => what.includes(name)))
    expect(fault?.expected, what).toMatch(/^string, \w+/);
  expect({ minimum: fault?.minimum, maximum: fault?.maximum }, what).toEqual({
    minimum: schema.minimum ?? schema.minLength ?? schema.minItems,
    maximum: schema.maximum ?? schema.maxLength ?? schema.maxItems ?? schema.maxProperties,
  });
}

function fieldsOf({ properties = {} }: Schema, path: readonly string[] = []): { path: string[]; schema: Schema }[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const schema = schemaOf(field);
    return [{ path: [...path, name], schema }, ...fieldsOf(schema, [...path, name])];
  });
}

function replaced(value: unknown, [name = '', ...path]: readonly string[], by: unknown): object {
  const object = value as Record<string, unknown>;
  return { ...object, [name]: path.length === 0 ? by : replaced(object[name], path, by) };
}

const schemas = bodySchemas();
const routes = Object.entries<PracticeRoute>({ ...practiceRoutes, ...sandboxPracticeRoutes });

function expectOneFault(route: PracticeRoute, sent: Sent, pointer: string, schema: Schema, what: string) {
  const faults = faultsOf(route, sent);
  expect(
    faults.map((fault) => fault.pointer),
    `${pointer}: ${what}`,
  ).toEqual([pointer]);
  expect(JSON.stringify(faults)).not.toContain(marker);
  expectToSay(faults[0], schema, `${pointer}: ${what}`);
}

describe.each(routes.filter(([, { body }]) => body !== none))('a fault in the body of %s', (_, route) => {
  const body = schemas[referenceTo(route.body).$ref.split('/').at(-1) ?? ''] ?? {};
  const valid = sampleOf(body) as object;

  it('says what the field accepts', () => {
    expect(faultsOf(route, { body: valid })).toEqual([]);
    for (const { path, schema } of fieldsOf(body)) {
      const missing = body.required?.includes(path[0] ?? '') ? [{ what: 'missing', value: undefined }] : [];
      const texts = wrongTexts(schema, path.at(-1) ?? '');
      const wrongs = [...missing, ...wrongTypes(schema), ...texts, ...wrongNumbers(schema)];
      for (const { what, value } of wrongs)
        expectOneFault(route, { body: replaced(valid, path, value) }, `/${path.join('/')}`, schema, what);
    }
  });

  it('says which field is unknown by its position, and which fields there are', () => {
    const faults = faultsOf(route, { body: { ...valid, [marker]: 1 } });
    expect(faults).toMatchObject([
      {
        pointer: '',
        code: 'unknown_field',
        index: Object.keys(valid).length,
        expected: `one of ${Object.keys(body.properties ?? {}).join(', ')}`,
      },
    ]);
    expect(JSON.stringify(faults)).not.toContain(marker);
  });
});

it.each(routes.filter(([, { query }]) => query !== none))(
  'an unknown query parameter of %s is called that, with those there are',
  (_, route) => {
    expect(faultsOf(route, { query: { [marker]: 1 } })).toEqual([
      {
        pointer: '',
        code: 'unknown_field',
        detail: 'Unknown query parameter.',
        expected: `one of ${Object.keys(parameterSchemas(route.query)).join(', ')}`,
      },
    ]);
  },
);

it.each(routes.filter(([, { query }]) => query !== none))(
  'a fault in a query parameter of %s says what it takes',
  (_, route) => {
    for (const [name, parameter] of Object.entries(parameterSchemas(route.query))) {
      const schema = parameter.type === 'array' ? schemaOf(parameter.items as Schema) : parameter;
      const wrongs = [...wrongTexts(schema, name), ...wrongNumbers(schema)];
      expect(wrongs.length, name).toBeGreaterThan(0);
      for (const { what, value } of wrongs) expectOneFault(route, { query: { [name]: value } }, name, schema, what);
    }
  },
);

it.each(routes.filter(([, { headers }]) => headers !== none))(
  'a fault in a header of %s says what it takes',
  (_, { body: _body, ...rest }) => {
    const route = { ...rest, body: none };
    for (const [name, schema] of Object.entries(parameterSchemas(route.headers)))
      for (const { what, value } of wrongTexts(schema, name))
        expectOneFault(route, { headers: { [name]: String(value) } }, headerName(name), schema, what);
  },
);

it.each([
  ['nothing', undefined, 'required'],
  ['null', null, 'invalid_type'],
  ['a number', 1, 'invalid_type'],
  ['an unknown name', 'nobody', 'invalid_value'],
])('%s in place of one of several names has its own code', (_, as, code) => {
  const faults = faultsOf(sandboxPracticeRoutes.simulateSession, { body: { as } });
  expect(faults).toMatchObject([{ pointer: '/as', code }]);
});

it('several faults in one text are all listed', () => {
  const body = { invoiceId: `\u0001${'x'.repeat(128)}`, amountCents: 100, patient: { firstName: 'A', lastName: 'O' } };
  expect(faultsOf(practiceRoutes.createSession, { body })).toMatchObject([
    { pointer: '/invoiceId', code: 'too_long' },
    { pointer: '/invoiceId', code: 'invalid_value' },
  ]);
});

it.each([
  ['HTTPS://practice.example/', 'Begin the URL with https:// in lower case.'],
  ['http://practice.example/', 'Begin the URL with https:// in lower case.'],
  [
    'https://zahnärzte.example/',
    'Write the URL in ASCII without spaces: the host name in punycode (xn--…), the rest percent-encoded.',
  ],
  [
    'https://practice.example/a b',
    'Write the URL in ASCII without spaces: the host name in punycode (xn--…), the rest percent-encoded.',
  ],
  ['https://user:secret@practice.example/', 'Send the URL without a username or password.'],
  ['https://practice.example:port/', 'Send a valid https URL.'],
])('the return URL %s is refused with what is wrong about it', (returnUrl, detail) => {
  const body = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' }, returnUrl };
  expect(faultsOf(practiceRoutes.createSession, { body })).toMatchObject([
    { pointer: '/returnUrl', code: 'invalid_value', detail },
  ]);
});

it.each(['https://hooks.example.com/\ud800', 'https://hooks.example.com/\0', ' '])(
  'a webhook endpoint is not at %j',
  (url) => {
    expect(faultsOf(practiceRoutes.createWebhookEndpoint, { body: { url } })).toMatchObject([{ pointer: '/url' }]);
  },
);

describe('a fault in metadata', () => {
  const valid = { invoiceId: 'INV-1', amountCents: 100, patient: { firstName: 'Ada', lastName: 'Okafor' } };
  const metadataFaults = (metadata: string) =>
    faultsOf(practiceRoutes.createSession, {
      body: `\ufeff${JSON.stringify(valid).slice(0, -1)},"metadata":${metadata}}`,
    });

  it.each([
    [`{"a":"x","${marker} icd10":"x"}`, 1, { code: 'sensitive_data', rule: 'sensitive_key', minimum: 1, maximum: 40 }],
    [`{"a":"x","b":"${marker} 123-45-6789"}`, 1, { rule: 'social_security_number', maximum: 500 }],
    [`{"${'k'.repeat(41)}":"x"}`, 0, { code: 'too_long', minimum: 1, maximum: 40 }],
    [`{"a":"x","b":"x","c":"${'x'.repeat(501)}"}`, 2, { code: 'too_long', maximum: 500 }],
    ['{"a":"x","b":1}', 1, { code: 'invalid_type', maximum: 500 }],
    ['{"":"x"}', 0, { code: 'required', minimum: 1, maximum: 40 }],
    // JavaScript moves keys that are numbers to the front.
    ['{"b":"x","2":"E11.9","1":"x"}', 1, { code: 'sensitive_data' }],
    ['{"a\\":":"\\"b\\":","\\u0062":"x", "note" : "E11.9"}', 2, { code: 'sensitive_data' }],
    ['{"a":"x","__proto__":"x"}', 1, { code: 'invalid_value' }],
  ])('%s is found by the position of its key', (metadata, index, fault) => {
    const faults = metadataFaults(metadata);
    expect(faults).toMatchObject([{ pointer: '/metadata', index, ...fault }]);
    expect(faults[0]?.expected).toMatch(/^string, .+health or account data$/);
    expect(JSON.stringify(faults)).not.toContain(marker);
  });

  it('says how many keys there may be', () => {
    const keys = Array.from({ length: 17 }, (_, index) => `"k${index}":"x"`);
    expect(metadataFaults(`{${keys.join()}}`)).toMatchObject([
      { pointer: '/metadata', code: 'too_many_keys', expected: 'object of strings', maximum: 16 },
    ]);
  });
});
