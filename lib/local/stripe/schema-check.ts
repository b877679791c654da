import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { invalid } from './errors.ts';

const schema = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(schema).optional();
  },
  get items() {
    return schema.optional();
  },
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  required: z.array(z.string()).optional(),
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional();
  },
});
type Schema = z.infer<typeof schema>;

const published = z
  .object({
    version: z.string(),
    operations: z.array(
      z.object({
        id: z.string(),
        method: z.enum(['GET', 'POST']),
        path: z.string(),
        query: z.array(z.object({ name: z.string(), required: z.boolean(), schema })),
        body: schema,
        response: z.string(),
      }),
    ),
    responses: z.record(z.string(), z.object({ required: z.array(z.string()) })),
  })
  .parse(JSON.parse(readFileSync(fileURLToPath(new URL('published.json', import.meta.url)), 'utf8')));
export type Operation = (typeof published.operations)[number];

export const publishedVersion = published.version;

/** The operation that Stripe publishes for a request, with the values of its path's parameters. */
export function operationOf(
  method: string,
  path: string,
): { readonly operation: Operation; readonly pathParams: readonly string[] } | undefined {
  const asked = path.split('/');
  const fits = (operation: Operation) => {
    const parts = operation.path.split('/');
    return (
      operation.method === method &&
      parts.length === asked.length &&
      parts.every((part, index) => part.startsWith('{') || part === asked[index])
    );
  };
  const candidates = published.operations.filter(fits);
  // A literal path, such as payment_intents/search, takes precedence over one with parameters.
  const operation = candidates.find((each) => !each.path.includes('{')) ?? candidates[0];
  if (operation === undefined) return undefined;
  const parts = operation.path.split('/');
  return { operation, pathParams: asked.filter((_, index) => parts[index]?.startsWith('{')).map(decodeURIComponent) };
}

/** Converts the fields to the schema's types. Throws the error that Stripe would answer. */
export function checkRequest(operation: Operation, fields: FormFields): unknown {
  return operation.method === 'POST'
    ? valueOf(operation.body, fields, '')
    : valueOf(
        {
          type: 'object',
          properties: Object.fromEntries(operation.query.map(({ name, schema: each }) => [name, each])),
          required: operation.query.filter(({ required }) => required).map(({ name }) => name),
        },
        fields,
        '',
      );
}

/** Required fields that our response lacks. */
export function missingInAnswer(object: object): string[] {
  const kind = 'object' in object && typeof object.object === 'string' ? object.object : '';
  return (published.responses[kind]?.required ?? []).filter((name) => !Object.hasOwn(object, name));
}

function valueOf(expected: Schema, value: FormValue, param: string): unknown {
  if (expected.anyOf) return anyOf(expected.anyOf, value, param);
  switch (expected.type) {
    case 'object':
      if (typeof value === 'string') throw invalid('Invalid object', { param });
      return objectOf(expected, value, param);
    case 'array':
      if (typeof value === 'string') throw invalid('Invalid array', { param });
      return Object.entries(value).map(([key, each]) =>
        expected.items ? valueOf(expected.items, each, `${param}[${key}]`) : each,
      );
    default:
      if (typeof value !== 'string') throw invalid(`Invalid ${expected.type ?? 'value'}`, { param });
      return scalarOf(expected, value, param);
  }
}

function anyOf(choices: readonly Schema[], value: FormValue, param: string): unknown {
  let problem: unknown;
  for (const choice of choices) {
    try {
      return valueOf(choice, value, param);
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

function objectOf(expected: Schema, fields: FormFields, param: string): Record<string, unknown> {
  const nameOf = (key: string) => (param === '' ? key : `${param}[${key}]`);
  for (const key of expected.required ?? []) {
    if (!Object.hasOwn(fields, key))
      throw invalid(`Missing required param: ${nameOf(key)}.`, { code: 'parameter_missing', param: nameOf(key) });
  }
  const { additionalProperties: others } = expected;
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const known = expected.properties?.[key] ?? (typeof others === 'object' ? others : undefined);
      if (known === undefined)
        throw invalid(`Received unknown parameter: ${nameOf(key)}`, { code: 'parameter_unknown', param: nameOf(key) });
      return [key, valueOf(known, value, nameOf(key))];
    }),
  );
}

function scalarOf(expected: Schema, value: string, param: string): unknown {
  if (expected.enum && !expected.enum.includes(value))
    throw invalid(`Invalid ${param}: must be one of ${expected.enum.join(', ')}`, { param });
  switch (expected.type) {
    case 'integer':
      if (!/^-?\d+$/.test(value))
        throw invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param });
      return Number(value);
    case 'number':
      if (value === '' || Number.isNaN(Number(value))) throw invalid(`Invalid number: ${value}`, { param });
      return Number(value);
    case 'boolean':
      if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, { param });
      return value === 'true';
    default:
      return value;
  }
}

/** Nested fields: `a[b]=1` is `{a: {b: '1'}}`. */
type FormValue = string | FormFields;
type FormFields = { [name: string]: FormValue };

/** Lists become objects with the keys 0, 1, …, because only the schema tells them apart. */
export function decodeForm(text: string): FormFields {
  const fields: FormFields = {};
  for (const [name, value] of new URLSearchParams(text)) place(fields, keysOf(name), value);
  return fields;
}

function keysOf(name: string): string[] {
  const [first = ''] = name.split('[', 1);
  return [first, ...[...name.slice(first.length).matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key)];
}

function place(fields: FormFields, [given = '', ...rest]: readonly string[], value: string): void {
  const key = given === '' ? String(Object.keys(fields).length) : given;
  if (rest.length === 0) {
    fields[key] = value;
    return;
  }
  const kept = fields[key];
  const inner: FormFields = typeof kept === 'object' ? kept : {};
  fields[key] = inner;
  place(inner, rest, value);
}
