import * as z from 'zod';
import { checksOf, paramsOf } from '../../functions/contract/expectation.ts';
import { sessionStatuses } from '../../functions/domain/sessions/transitions.ts';
import { fieldDescriptions, requests, responses } from './bodies.ts';

const ulid = '[0-7][0-9A-HJKMNP-TV-Z]{25}';

/** Patterns that any regex engine understands. */
export const patterns: Readonly<Record<string, string>> = {
  sessionId: `^ses_${ulid}$`,
  endpointId: '^whe_[0-9A-Za-z]{20}$',
  practiceId: '^prc_[0-9A-Za-z]{20}$',
  eventId: `^evt_${ulid}(_[0-9]+)?$`,
  id: `^evt_${ulid}(_[0-9]+)?$`,
  keyId: '^[0-9A-Za-z]{12}$',
  payoutId: '^[0-9A-Za-z_]+$',
  nextPayoutId: '^[0-9A-Za-z_]+$',
  bookingId: '^[0-9A-Za-z_]+$',
  cursor: '^cur_[0-9A-Za-z_-]+$',
  nextCursor: '^cur_[0-9A-Za-z_-]+$',
  url: '^https?://[^\\x00-\\x20\\x7f]+$',
  signingSecret: '^whsec_[0-9A-Za-z+/]+=*$',
};

export const givenTimePattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$';

export type Schema = z.core.JSONSchema.JSONSchema;

/** Lists today's values. Editors know it; generators accept any text. */
export const growingValues = 'x-extensible-enum';
type Schemas = Record<string, Schema>;

const uri = (id: string) => `#/components/schemas/${id}`;

export function referenceTo(schema: z.core.$ZodType) {
  const id = requests.get(schema)?.id ?? responses.get(schema)?.id;
  if (id === undefined)
    throw new Error('A body has no name in the OpenAPI document. Give it one in lib/openapi/bodies.ts.');
  return { $ref: uri(id) };
}

/** Requests reject unknown fields. Responses stay open for new fields. */
export function bodySchemas(): Schemas {
  return {
    ...named(z.toJSONSchema(requests, { io: 'input', uri, override }).schemas, 'closed'),
    ...named(z.toJSONSchema(responses, { io: 'output', uri, override }).schemas, 'open'),
  };
}

export function parameterSchemas(part: z.core.$ZodType): Schemas {
  const { properties = {} } = z.toJSONSchema(part, { io: 'output', override });
  return mapped(properties, (schema, name) => formatted(readable(schema, name, 'closed'), name));
}

function named(schemas: Schemas, kind: 'closed' | 'open'): Schemas {
  return mapped(schemas, (schema, name) => ({ ...readable(schema, name, kind), ...limitsInCode[name] }));
}

function mapped(schemas: Record<string, boolean | Schema>, change: (schema: Schema, name: string) => Schema): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, typeof schema === 'boolean' ? {} : change(schema, name)]),
  );
}

/** Adds a custom check's description and its pattern. */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: z.core.JSONSchema.BaseSchema }) {
  const formats = checksOf(zodSchema).map(({ params }) => paramsOf(params));
  const words = formats.map(({ expected }) => expected).filter((expected) => typeof expected === 'string');
  const pattern = formats.map((format) => format['pattern']).find((each) => typeof each === 'string');
  const maximum = formats.map((format) => format['maximum']).find((each) => typeof each === 'number');
  if (words.length > 0) jsonSchema.description = sentence(words.join(', '));
  if (pattern !== undefined) jsonSchema.pattern = pattern;
  if (maximum !== undefined) jsonSchema.maxProperties = maximum;
  // Replaces zod's own pattern, which even checks for leap years.
  if (jsonSchema.format === 'date-time') jsonSchema.pattern = givenTimePattern;
  // Zod's own pattern does not work in every regex engine.
  if (jsonSchema.format === 'email') delete jsonSchema.pattern;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** False for the five states of a session, which never change. */
function mayGrow(values: readonly unknown[]): boolean {
  return !values.every((value) => sessionStatuses.some((status) => status === value));
}

/** A generated client refuses a value that is not in its `enum` and, in Go, cannot decode a `date-time` with a pattern. */
function open({ enum: values, pattern, ...schema }: Schema): Schema {
  return {
    ...schema,
    ...(values && (mayGrow(values) ? { [growingValues]: values } : { enum: values })),
    ...(pattern !== undefined && schema.format !== 'date-time' && { pattern }),
  };
}

/** Leaves out the bounds of JavaScript integers, as a person would. */
function readable(schema: Schema, name: string, kind: 'closed' | 'open'): Schema {
  const { $schema: _, $id: __, minimum, maximum, additionalProperties, properties, items, anyOf, ...rest } = schema;
  return {
    ...(kind === 'open' ? open(rest) : rest),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(properties && {
      properties: mapped(properties, (field, key) => described(readable(field, key, kind), name, key)),
    }),
    ...(typeof items === 'object' && !Array.isArray(items) && { items: readable(items, name, kind) }),
    ...(anyOf && { anyOf: anyOf.map((each) => (typeof each === 'object' ? readable(each, name, kind) : each)) }),
    ...(additionalProperties !== undefined &&
      (kind === 'closed' || additionalProperties !== false) && { additionalProperties }),
  };
}

function described({ description: format, ...schema }: Schema, holder: string, field: string): Schema {
  const description = fieldDescriptions[`${holder}.${field}`] ?? fieldDescriptions[field];
  const words = [description, format].filter((each) => each !== undefined).join(' ');
  const content = contents[`${holder}.${field}`];
  return { ...(words !== '' && { description: words }), ...formatted(schema, field), ...content };
}

const contents: Readonly<Record<string, Schema>> = {
  'Event.body': { contentMediaType: 'application/json', contentSchema: { $ref: uri('WebhookEvent') } },
};

/** Formats of IDs, cursors and secrets, by field name. */
function formatted(schema: Schema, field: string): Schema {
  const pattern = patterns[field];
  const isText = [schema.type].flat().includes('string');
  return { ...schema, ...(pattern !== undefined && isText && { pattern }) };
}

/** Bounds that use cases check. */
const limitsInCode: Schemas = { ChangeWebhookEndpointRequest: { minProperties: 1 } };
