import { describe, expect, it } from 'vitest';
import { isObject, valueAt } from '../../lib/local/json.ts';
import { sessionStatuses } from '../../functions/domain/sessions/transitions.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';

type Found = { readonly place: string; readonly part: Readonly<Record<string, unknown>> };

function objectsIn(value: unknown, place = ''): Found[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => objectsIn(item, `${place}/${index}`));
  if (!isObject(value)) return [];
  return [
    { place, part: value },
    ...Object.entries(value).flatMap(([key, inner]) => objectsIn(inner, `${place}/${key}`)),
  ];
}

/** A schema's keyword, not a field with the same name. */
const schemasWith = (document: unknown, keyword: string) =>
  objectsIn(document).filter(({ place, part }) => keyword in part && !/\/(properties|mapping)$/.test(place));

const placesOf = (found: readonly Found[]) => found.map(({ place }) => place);

/**
 * Syntax shared by JavaScript, Python, Java, Go, Rust, PHP and .NET. `\d` and `\w` differ for Unicode. After a slash at the
 * start, openapi-generator's PHP and Ruby look for another that ends the pattern.
 */
function isPortable(pattern: string): boolean {
  return /^[ -.0-~][ -~]*$/.test(pattern) && !/\\(?!x[0-9a-f]{2})|\(\?|[*+?}][+?]/.test(pattern);
}

it.each([
  '^[\\p{L}]+$',
  '^(?!x)',
  '^(?<=x)y',
  '^\\d+$',
  '^\\w$',
  '^\\u0041$',
  '^[^–]$',
  '^a++$',
  '^a+?$',
  '/a#[a-z]+$',
])('%s is not portable', (pattern) => {
  expect(isPortable(pattern)).toBe(false);
});

describe.each([undefined, 'sandbox', 'live'] as const)('what generators of clients need, in mode %s', (mode) => {
  const document: unknown = JSON.parse(JSON.stringify(openApiDocument('1.0.0', mode === undefined ? {} : { mode })));
  const operations = objectsIn(document).filter(
    ({ part }) => typeof part['operationId'] === 'string' && 'tags' in part,
  );
  const schemaOf = (reference: string) => valueAt(document, reference.slice('#/'.length).split('/'));

  it('are patterns that any regex engine understands', () => {
    const patterns = schemasWith(document, 'pattern').map(({ part }) => String(part['pattern']));
    expect(patterns.length).toBeGreaterThan(20);
    expect(patterns.filter((pattern) => !isPortable(pattern))).toEqual([]);
  });

  it('are no schemas that narrow another one, which openapi-python-client drops', () => {
    for (const keyword of ['allOf', 'if', 'then', 'else', 'not', 'dependentSchemas', 'patternProperties'])
      expect(placesOf(schemasWith(document, keyword)), keyword).toEqual([]);
  });

  it('are constants and choices with a type', () => {
    const withValues = [...schemasWith(document, 'const'), ...schemasWith(document, 'enum')];
    expect(withValues.length).toBeGreaterThan(20);
    expect(placesOf(withValues.filter(({ part }) => typeof part['type'] !== 'string'))).toEqual([]);
  });

  it('is not a closed choice in a response, except for the states of a session: an older client would refuse a new value', () => {
    const ofRequests = /^\/components\/schemas\/\w+Request\/|\/(parameters|requestBody)\//;
    const states = new Set<unknown>(sessionStatuses);
    const closed = schemasWith(document, 'enum').filter(({ place }) => !ofRequests.test(place));
    expect(closed.length).toBeGreaterThan(2);
    const growing = closed.filter(({ part }) => !(part['enum'] as unknown[]).every((value) => states.has(value)));
    expect(placesOf(growing)).toEqual([]);
    expect(valueAt(document, ['components', 'schemas', 'RequestError', 'properties', 'code'])).toMatchObject({
      type: 'string',
      'x-extensible-enum': expect.arrayContaining(['sensitive_data']) as unknown,
    });
    for (const name of ['SessionPaymentFailedEvent', 'WebhookTestEvent'])
      expect(valueAt(document, ['components', 'schemas', name, 'properties', 'api_version'])).toEqual({
        type: 'string',
        'x-extensible-enum': ['2026-11-20'],
        description: expect.any(String) as unknown,
      });
  });

  it("is no pattern beside the time of a response: openapi-generator's Go compares the decoded time with it", () => {
    const times = objectsIn(valueAt(document, ['components', 'schemas'])).filter(
      ({ part, place }) => part['format'] === 'date-time' && !/^\/\w+Request\//.test(place),
    );
    expect(times.length).toBeGreaterThan(15);
    expect(placesOf(times.filter(({ part }) => 'pattern' in part))).toEqual([]);
  });

  it('are types of webhooks that a path refers to: oapi-codegen drops all others, and does not compile then', () => {
    const registering = valueAt(document, ['paths', '/api/practice/webhook-endpoints', 'post']);
    const references = objectsIn(registering).map(({ part }) => part['$ref']);
    expect(references).toContain('#/components/schemas/WebhookEvent');
  });

  it('are unions of named schemas that one constant tells apart', () => {
    const unions = schemasWith(document, 'oneOf');
    expect(unions.length).toBeGreaterThan(5);
    for (const { place, part } of unions) {
      const { propertyName, mapping } = part['discriminator'] as {
        propertyName: string;
        mapping: Record<string, string>;
      };
      const references = (part['oneOf'] as { $ref: string }[]).map(({ $ref }) => $ref);
      expect(Object.values(mapping), place).toEqual(references);
      for (const [value, reference] of Object.entries(mapping)) {
        expect(valueAt(schemaOf(reference), ['properties', propertyName, 'const']), place).toBe(value);
        expect(valueAt(schemaOf(reference), ['required']), place).toContain(propertyName);
      }
    }
  });

  it('are bodies with a name', () => {
    const bodies = objectsIn(document).filter(({ place }) => /\/content\/application~?\/[\w+]+\/schema$/.test(place));
    expect(bodies.length).toBeGreaterThan(50);
    expect(
      placesOf(
        bodies.filter(({ place, part }) => !('$ref' in part || 'oneOf' in part) && !place.startsWith('/x-other')),
      ),
    ).toEqual([]);
  });

  it('are operation IDs that are unique and valid names', () => {
    const ids = operations.map(({ part }) => String(part['operationId']));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  it('are links to operations that accept the linked value', () => {
    const links = objectsIn(document).filter(({ place }) => /\/links\/\w+$/.test(place));
    expect(links.length).toBeGreaterThan(7);
    for (const { place, part } of links) {
      const target = operations.find((operation) => operation.part['operationId'] === part['operationId']);
      const parameters = ((target?.part['parameters'] ?? []) as { name: string }[]).map(({ name }) => name);
      expect(parameters, place).toEqual(expect.arrayContaining(Object.keys(part['parameters'] as object)));
    }
    const created = valueAt(document, ['paths', '/api/practice/sessions', 'post', 'responses', '201', 'links']);
    expect(created).toMatchObject({ getSessionStatus: {}, cancelSession: {} });
  });

  it('is the pattern of every id and cursor', () => {
    const named = objectsIn(document).filter(({ place }) =>
      /\/properties\/(\w+Id|id|nextCursor|signingSecret)$/.test(place),
    );
    const own = named.filter(({ place }) => !/\/(invoiceId|requestId)$/.test(place));
    expect(own.length).toBeGreaterThan(15);
    expect(placesOf(own.filter(({ part }) => !JSON.stringify(part).includes('"pattern"')))).toEqual([]);
    const parameters = objectsIn(document).filter(({ part }) =>
      ['sessionId', 'endpointId', 'cursor'].includes(String(part['name'])),
    );
    expect(parameters.length).toBeGreaterThan(8);
    expect(placesOf(parameters.filter(({ part }) => valueAt(part, ['schema', 'pattern']) === undefined))).toEqual([]);
  });
});
