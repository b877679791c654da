import type * as z from 'zod/mini';

type Schema = z.core.$ZodType;
type Kind = z.core.$ZodTypes['_zod']['def']['type'];
type Of<Type extends Kind> = Extract<z.core.$ZodTypes, { _zod: { def: { type: Type } } }>;

function is<Type extends Kind>(schema: Schema, type: Type): schema is Of<Type> {
  return schema._zod.def.type === type;
}

/** What a field accepts. The bounds limit a number, the length of a text, or the count of items or keys. */
export interface Expectation {
  readonly expected?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-11-20T15:04:05.123Z, or with an offset from UTC, whose + is %2B in a URL',
  email: 'an email address',
};

export function expectationOf(schema: Schema): Expectation {
  if (is(schema, 'optional') || is(schema, 'default')) return expectationOf(schema._zod.def.innerType);
  if (is(schema, 'pipe')) return expectationOf(acceptedBy(schema));
  if (is(schema, 'nullable')) {
    const { expected, ...bounds } = expectationOf(schema._zod.def.innerType);
    return { expected: `${expected} or null`, ...bounds };
  }
  return { expected: [kindOf(schema), ...formatsOf(schema)].join(', '), ...boundsOf(schema) };
}

/** The field names that an object accepts. */
export function nameExpectation(schema: Schema | undefined): Expectation {
  return schema !== undefined && is(schema, 'object') ? { expected: `one of ${fieldNames(schema)}` } : {};
}

/** The schema at a path. With `isKey`, the schema of a record's key instead of its value. */
export function schemaAt(schema: Schema, [key, ...path]: readonly PropertyKey[], isKey: boolean): Schema | undefined {
  if (is(schema, 'optional') || is(schema, 'default') || is(schema, 'nullable'))
    return key === undefined ? schema : schemaAt(schema._zod.def.innerType, [key, ...path], isKey);
  if (key === undefined) return schema;
  if (is(schema, 'pipe')) return schemaAt(acceptedBy(schema), [key, ...path], isKey);
  if (is(schema, 'array')) return schemaAt(schema._zod.def.element, path, isKey);
  if (is(schema, 'record')) {
    const { keyType, valueType } = schema._zod.def;
    return isKey && path.length === 0 ? keyType : schemaAt(valueType, path, isKey);
  }
  if (!is(schema, 'object') || !Object.hasOwn(schema._zod.def.shape, key)) return undefined;
  const field = schema._zod.def.shape[String(key)];
  return field && schemaAt(field, path, isKey);
}

function fieldNames(schema: Of<'object'>): string {
  return Object.keys(schema._zod.def.shape).join(', ');
}

/** A transformation accepts anything, so the schema before it says what is accepted. */
function acceptedBy({ _zod: { def } }: Of<'pipe'>): Schema {
  return is(def.out, 'transform') ? def.in : def.out;
}

function kindOf(schema: Schema): string {
  if (is(schema, 'enum')) return `one of ${Object.values(schema._zod.def.entries).join(', ')}`;
  if (is(schema, 'literal')) return `${schema._zod.def.values.join(', ')}`;
  if (is(schema, 'array')) return `array of ${expectationOf(schema._zod.def.element).expected}`;
  if (is(schema, 'record')) return `object of ${schema._zod.def.valueType._zod.def.type}s`;
  if (is(schema, 'object')) return `object of ${fieldNames(schema)}`;
  if (is(schema, 'number')) return checksOf(schema).some(({ format }) => format === 'safeint') ? 'integer' : 'number';
  return schema._zod.def.type;
}

function formatsOf(schema: Schema): string[] {
  const words = checksOf(schema).map(({ format, params }) => formats[String(format)] ?? paramsOf(params)['expected']);
  return words.filter((each) => typeof each === 'string');
}

function boundsOf(schema: Schema): Expectation {
  const bounds = checksOf(schema).map(({ check, value, minimum, maximum, params }) => ({
    minimum: check === 'greater_than' ? value : minimum,
    maximum: check === 'less_than' ? value : (maximum ?? paramsOf(params)['maximum']),
  }));
  const minimum = bounds.map((bound) => bound.minimum).find((bound) => typeof bound === 'number');
  const maximum = bounds.map((bound) => bound.maximum).find((bound) => typeof bound === 'number');
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}

/** A schema can be a check itself, as `z.int()` is. */
export function checksOf({ _zod: { def } }: Schema): Readonly<Record<string, unknown>>[] {
  return [{ ...def }, ...(def.checks ?? []).map((check) => ({ ...check._zod.def }))];
}

/** The description that a custom check carries. */
export function paramsOf(params: unknown): Readonly<Record<string, unknown>> {
  return params instanceof Object ? { ...params } : {};
}
